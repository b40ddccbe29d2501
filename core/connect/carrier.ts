import type { CloneSender } from "../call/clone/tags.ts";
import { CloneEncoder, type CloneMessage } from "../call/clone/clone_encoder.ts";
import { nodeWorkerThreads } from "../worker/worker_scope.ts";

/** The message of what is said by its kind. */
export const NOTHING: CloneMessage = new CloneEncoder().encode(undefined);

/** What `transfer` was given, and what has not been sent yet. */
const MOVED = new WeakSet<object>();

/**
 * Has the next message that holds one of these objects move it to the other thread, instead of copying or refusing
 * it: `math.sum(transfer(bytes, [bytes.buffer]))`. What was moved cannot be used here any more.
 *
 * @param objects an `ArrayBuffer`, a `MessagePort`, or what else the runtime can transfer
 * @returns the value, as it is
 * @throws {TypeError} when one of them is no object that can be moved
 *
 * @example
 * ```ts
 * import { transfer } from "./carrier.ts";
 * const bytes = new Uint8Array(1 << 20);
 * if (transfer(bytes, [bytes.buffer]) !== bytes) throw new Error("the value itself");
 * ```
 */
export function transfer<Value>(value: Value, objects: readonly Transferable[]): Value {
  for (const object of objects) {
    if (Object(object) !== object || ArrayBuffer.isView(object) || isShared(object)) {
      throw new TypeError(
        `Cannot transfer ${
          kindOf(object)
        }: give the buffers and ports themselves, as in transfer(bytes, [bytes.buffer])`,
      );
    }
  }
  for (const object of objects) MOVED.add(object);
  return value;
}

function kindOf(object: unknown): string {
  return Object.prototype.toString.call(object).slice("[object ".length, -1);
}

function isShared(object: unknown): object is SharedArrayBuffer {
  return typeof SharedArrayBuffer !== "undefined" && object instanceof SharedArrayBuffer;
}

/** What was posted beside the line, and its number. */
type Carried = readonly [number: number, object: object];

/** Takes a message from a port without a turn of the event loop, where the runtime can do that. */
type ReceiveNow = (port: MessagePort) => { readonly message: unknown } | undefined;

/**
 * Encodes the messages of one side, and carries beside the line, through a port, what cannot go through memory:
 * what is shared or moved. In a message a number stands for it.
 */
export class Carrier {
  readonly #encoder: CloneEncoder;
  #port: MessagePort | undefined;
  readonly #receiveNow: ReceiveNow | undefined;
  #sentCount = 0;
  #sending: Carried[] = [];
  #cameCount = 0;
  readonly #came = new Map<number, object>();
  readonly #wake: () => void;

  /** @param options `wake`: called when something has come by an event */
  constructor(
    options: CloneSender & { readonly wake: () => void },
  ) {
    this.#wake = options.wake;
    this.#encoder = new CloneEncoder({
      ...options,
      sendObject: (object) => this.#send(object),
    });
    const threads = nodeWorkerThreads() as { receiveMessageOnPort?: ReceiveNow } | undefined;
    this.#receiveNow = threads?.receiveMessageOnPort;
  }

  /** Carries by a port from now on. */
  open(port: MessagePort): void {
    this.#port = port;
    if (this.#receiveNow) return;
    port.onmessage = ({ data }) => {
      this.#take(data);
      this.#wake();
    };
  }

  /** The number of the last that was sent. */
  get sentCount(): number {
    return this.#sentCount;
  }

  /** Whether what is carried is only seen by the event loop: a thread that blocks waits for it in vain. */
  get needsTurns(): boolean {
    return !this.#receiveNow;
  }

  /**
   * Encodes a message, and posts what it carries. If {@linkcode sentCount} is another one then, the other side must
   * have all of that before it reads the message.
   *
   * @throws {TypeError} when something in it cannot be sent
   */
  encode(value: unknown, root: string): CloneMessage {
    try {
      const message = this.#encoder.encode(value, root);
      if (this.#sending.length > 0) this.#sending.forEach((carried) => this.#post(carried, root));
      return message;
    } finally {
      if (this.#sending.length > 0) this.#sending = [];
    }
  }

  #send(object: object): number | undefined {
    if (!this.#port || !(isShared(object) || MOVED.has(object))) return undefined;
    const number = this.#sentCount + this.#sending.length + 1;
    this.#sending.push([number, object]);
    return number;
  }

  #post(carried: Carried, root: string): void {
    const [, object] = carried;
    try {
      this.#port!.postMessage(carried, MOVED.has(object) ? [object as Transferable] : []);
    } catch (cause) {
      throw new TypeError(
        `Cannot transfer what is in ${root}: ${(cause as Error).message}`,
        { cause },
      );
    }
    MOVED.delete(object);
    this.#sentCount++;
  }

  /** Whether everything up to a number has come. */
  has(number: number): boolean {
    while (this.#cameCount < number && this.#receiveNow && this.#port) {
      const received = this.#receiveNow(this.#port);
      if (!received) break;
      this.#take(received.message);
    }
    return this.#cameCount >= number;
  }

  #take(message: unknown): void {
    if (!Array.isArray(message) || Object(message[1]) !== message[1]) return;
    this.#cameCount++;
    this.#came.set(this.#cameCount, message[1]);
  }

  /** What came under a number, once. */
  readonly receive = (number: number): object | undefined => {
    const object = this.#came.get(number);
    this.#came.delete(number);
    return object;
  };
}
