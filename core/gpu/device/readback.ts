import { watched } from "./device_watch.ts";
import { lostError, lostInfo } from "./device.ts";
import { allocated, refusedError, underScopes } from "./error_scopes.ts";

/**
 * How results come back from the device.
 *
 * | name | what it does | on Deno |
 * | --- | --- | --- |
 * | `awaited` | maps the buffer and awaits the promise, as WebGPU says | about 11 ms, whatever the device does |
 * | `eager` | maps the buffer and reads it at once, without awaiting | some tens of microseconds |
 *
 * `eager` relies on what no specification promises: that the runtime waits for the device inside
 * `mapAsync`. It requires that the device passes `probeEagerReadback` in this process.
 */
export const READBACK_NAMES = ["eager", "awaited"] as const;
/** One of {@linkcode READBACK_NAMES}. */
export type ReadbackName = typeof READBACK_NAMES[number];

/** Copies bytes of a buffer to `targetByte` of the words that the host reads. */
export type CopyOut = (
  source: GPUBuffer,
  sourceByte: number,
  targetByte: number,
  bytes: number,
) => void;

/** One submit, and the read of what it has copied out. */
export interface DeviceRead {
  /** Names the action in error messages, such as "run the kernel". */
  readonly what: string;
  /** Adds the commands, writes their inputs through the queue, and copies out what to read. */
  readonly encode: (encoder: GPUCommandEncoder, copyOut: CopyOut) => void;
  /** Uses the words, which are only mapped until it returns. */
  readonly use: (words: Int32Array) => void;
}

/**
 * Work on the device as a sequence of reads: each `yield` submits commands and reads their results
 * before the task continues. A task runs with every way of reading back. A read that fails, for example
 * because the device rejected its commands, throws at the `yield`.
 */
export type DeviceTask<T> = Generator<DeviceRead, T, void>;

/** Brings what the device has copied out to the host. */
export interface Readback {
  /** How it reads. */
  readonly name: ReadbackName;
  /**
   * Runs a task. `eager` blocks until the task has ended and returns its result; `awaited` returns a
   * promise of it, and begins when the tasks before have ended.
   *
   * @throws {DOMException} `OperationError` when the device rejected what was submitted, with its
   * message, or was lost
   */
  runAsync<T>(task: DeviceTask<T>): T | Promise<T>;
  /**
   * Runs a task without an event loop, which means that errors do not include the device's message.
   *
   * @throws {TypeError} when results are awaited; the task has not run at all then
   */
  run<T>(task: DeviceTask<T>): T;
  /**
   * Waits for tasks in progress, and lets the runtime settle the promises that eager reads leave
   * behind: 10 ms on Deno.
   *
   * @throws {DOMException} when one of them failed
   */
  settle(): Promise<void>;
  /** Frees the buffer. */
  destroy(): void;
}

/** Bytes before the results: a receipt, and padding up to where a mapping may begin. */
const RECEIPT_BYTES = 8;

/**
 * A buffer that the device copies into and the host maps. Each submit also copies a receipt that
 * differs from the previous one. A device that rejects the submit leaves the old receipt, so that old
 * contents are not mistaken for results.
 */
export class ReadbackBuffer {
  readonly #device: GPUDevice;
  readonly #mapped: GPUBuffer;
  readonly #receipts: GPUBuffer;
  /** The last receipt received; at first the zero of a new buffer. */
  #received = 0;
  #wanted = 0;
  #bytes = 0;
  #what = "";
  #refusal: (() => Promise<GPUError | undefined>) | undefined;
  #isDestroyed = false;

  private constructor(device: GPUDevice, mapped: GPUBuffer, receipts: GPUBuffer) {
    this.#device = device;
    this.#mapped = mapped;
    this.#receipts = receipts;
  }

  /**
   * Allocates a buffer, and maps it once.
   *
   * The first mapping is always awaited: Deno 2.9.6 ends the process when `getMappedRange` is called on
   * a buffer of which no mapping was awaited before.
   *
   * @param bytes of results, a multiple of 4
   * @throws {RangeError} when the device has no memory for it
   */
  static async allocate(device: GPUDevice, bytes: number): Promise<ReadbackBuffer> {
    const { MAP_READ, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const size = RECEIPT_BYTES + bytes;
    const { mapped, receipts } = await allocated(device, "read back", () => {
      const usage = COPY_SRC | COPY_DST;
      const receipts = device.createBuffer({ size: 8, usage, label: "receipts" });
      device.queue.writeBuffer(receipts, 0, Uint32Array.of(1, 2));
      const label = "readback";
      return { mapped: device.createBuffer({ size, usage: MAP_READ | COPY_DST, label }), receipts };
    });
    try {
      await mapped.mapAsync(GPUMapMode.READ);
    } catch (error) {
      const lost = await lostInfo(device);
      throw lost ? lostError("read back", lost) : error;
    }
    mapped.unmap();
    return new ReadbackBuffer(device, mapped, receipts);
  }

  /** Submits the commands of a read; its results are available once the buffer is mapped. */
  submit({ what, encode }: DeviceRead): void {
    this.#what = what;
    if (this.#isDestroyed) throw destroyedError(what);
    this.#wanted = this.#received === 1 ? 2 : 1;
    this.#bytes = 0;
    this.#refusal = underScopes(this.#device, () => {
      const encoder = this.#device.createCommandEncoder();
      encode(encoder, (source, sourceByte, targetByte, bytes) => {
        const placeByte = RECEIPT_BYTES + targetByte;
        encoder.copyBufferToBuffer(source, sourceByte, this.#mapped, placeByte, bytes);
        this.#bytes = Math.max(this.#bytes, targetByte + bytes);
      });
      const receiptByte = 4 * (this.#wanted - 1);
      encoder.copyBufferToBuffer(this.#receipts, receiptByte, this.#mapped, 0, 4);
      this.#device.queue.submit([encoder.finish()]);
    }).refusal;
  }

  /** Maps the results. */
  map(): Promise<void> {
    return this.#mapped.mapAsync(GPUMapMode.READ, 0, RECEIPT_BYTES + this.#bytes);
  }

  /**
   * Uses the results.
   *
   * @throws {DOMException} when there are none: {@linkcode reasonOf} explains why
   */
  use({ what, use }: DeviceRead): void {
    const range = this.#mapped.getMappedRange(0, RECEIPT_BYTES + this.#bytes);
    try {
      const [receipt] = new Int32Array(range, 0, 1);
      if (receipt !== this.#wanted) throw notRun(what);
      this.#received = receipt;
      use(new Int32Array(range, RECEIPT_BYTES));
    } finally {
      this.#mapped.unmap();
    }
  }

  /** Finds out why a read failed: the device's reason if there is one, else what was thrown. */
  async reasonOf(thrown: unknown): Promise<unknown> {
    const error = await this.#refusal?.();
    this.#refusal = undefined;
    if (this.#isDestroyed) return destroyedError(this.#what);
    if (error) return refusedError(this.#what, error);
    const lost = await lostInfo(this.#device);
    return lost ? lostError(this.#what, lost) : thrown;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#mapped.destroy();
    this.#receipts.destroy();
  }
}

function destroyedError(what: string): TypeError {
  return new TypeError(`Cannot ${what} as its memory was destroyed`);
}

function notRun(what: string): DOMException {
  return new DOMException(
    `Cannot ${what} as the device has not run it: the method that awaits tells why`,
    "OperationError",
  );
}

/** Reads without awaiting the mapping. */
export class EagerReadback implements Readback {
  readonly name = "eager";
  readonly #device: GPUDevice;
  readonly #buffer: ReadbackBuffer;
  #lateError: unknown;
  #lastMapping: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice, buffer: ReadbackBuffer) {
    this.#device = device;
    this.#buffer = buffer;
  }

  runAsync<T>(task: DeviceTask<T>): T | Promise<T> {
    try {
      return this.run(task);
    } catch (error) {
      return this.#explain(error);
    }
  }

  async #explain(thrown: unknown): Promise<never> {
    const error = await this.#buffer.reasonOf(thrown);
    if (this.#lateError) this.#lateError = error;
    throw error;
  }

  run<T>(task: DeviceTask<T>): T {
    let step = task.next();
    while (!step.done) {
      try {
        this.read(step.value);
      } catch (error) {
        step = task.throw(error);
        continue;
      }
      step = task.next();
    }
    return step.value;
  }

  /** Performs one read, which blocks until the device is done. */
  read(read: DeviceRead): void {
    if (this.#lateError) throw this.#lateError;
    this.#buffer.submit(read);
    const mapping = watched(this.#device, () => this.#buffer.map());
    this.#lastMapping = mapping.catch((error) => void (this.#lateError ??= error));
    this.#buffer.use(read);
  }

  async settle(): Promise<void> {
    await this.#lastMapping;
    if (this.#lateError) throw this.#lateError;
  }

  destroy(): void {
    this.#buffer.destroy();
  }
}

/** Reads once the mapping has resolved. */
export class AwaitedReadback implements Readback {
  readonly name = "awaited";
  readonly #device: GPUDevice;
  readonly #buffer: ReadbackBuffer;
  #last: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice, buffer: ReadbackBuffer) {
    this.#device = device;
    this.#buffer = buffer;
  }

  runAsync<T>(task: DeviceTask<T>): Promise<T> {
    const running = this.#last.then(() => this.#run(task));
    this.#last = running.then(() => {}, () => {});
    return running;
  }

  async #run<T>(task: DeviceTask<T>): Promise<T> {
    let step = task.next();
    while (!step.done) {
      try {
        await this.#read(step.value);
      } catch (error) {
        step = task.throw(await this.#buffer.reasonOf(error));
        continue;
      }
      step = task.next();
    }
    return step.value;
  }

  async #read(read: DeviceRead): Promise<void> {
    this.#buffer.submit(read);
    // The call itself blocks until the device is done; awaiting only waits for the runtime to notice.
    await watched(this.#device, () => this.#buffer.map());
    this.#buffer.use(read);
  }

  run(): never {
    throw new TypeError(
      "Cannot go on without awaiting as the readback is awaited: use the method that awaits, eager readback, or in a handler calls of one packet",
    );
  }

  settle(): Promise<void> {
    return this.#last;
  }

  destroy(): void {
    this.#buffer.destroy();
  }
}
