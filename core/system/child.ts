import { cloneCodec } from "../call/codec.ts";
import type { ChannelShape } from "../toggle/layout.ts";
import { ownPid } from "./libc.ts";
import { MappedChannel } from "./mapped_channel.ts";
import { removeTaskGroup } from "./task_group.ts";

/** How a child is started, and who hears of it. */
export interface ChildOptions {
  /** The module that it runs, and for whom, in its first argument. */
  readonly program: URL;
  /** Flags of the runtime, such as permissions. */
  readonly flags: readonly string[];
  /** Of the channels that it shares with this process; none when absent. */
  readonly shapes?: readonly ChannelShape[];
  /** Whether it has the environment and the folder of this process; else nothing but the runtime's. */
  readonly inherits?: boolean;
  /** The child has told so many times that it changed shared memory, whose sleepers are awake. */
  readonly onRing?: (count: number) => void;
  /** Takes what it prints, line by line, long ones in pieces. */
  readonly onLine: (stream: ChildStream, line: string) => void;
}

/** Where a child prints. */
export type ChildStream = "stdout" | "stderr";

/** How a child ended. */
export interface ChildEnd {
  /** By which signal, `SIGSEGV` for example; null where it ended by itself. */
  readonly signal: string | null;
  /** Its exit code. */
  readonly code: number;
}

/** What a child writes to its output where it changed shared memory; anything else is a text. */
const RING = 7;
/** Of a message to a child: how many bytes follow; none for a ring. */
const FRAME_HEAD_BYTES = 4;
/** Of a line; what is longer comes in pieces. */
const LINE_LETTERS_MAX = 1024;
/** Of its environment, where the runtime's caches are: for the module of the child itself. */
const ENVIRONMENT = ["DENO_DIR", "HOME"];

/**
 * Whether this program may start children: on Linux, by Deno, with the permissions to run programs and to call
 * C's library. A program that was compiled into one file has no runtime to start.
 *
 * @returns why not; nothing where it may
 */
export function whyNoChild(): string | undefined {
  if (typeof Deno === "undefined" || Deno.build.os !== "linux") return "the system is not Linux";
  if (Deno.build.standalone) return "the program was compiled into one file";
  const missing = (["run", "ffi", "read"] as const).filter((name) =>
    Deno.permissions.querySync({ name }).state !== "granted"
  );
  return missing.length > 0 ? `it needs --allow-${missing.join(" and --allow-")}` : undefined;
}

/** Ends a process, whatever it does; one that has ended already stays as it is. */
export function endProcess(process: Deno.ChildProcess): void {
  try {
    process.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Ends a process whose time is over, as long as this object is not disposed of. */
export class TimeLimit implements Disposable {
  readonly #timer: ReturnType<typeof setTimeout>;
  #isOver = false;

  constructor(process: Deno.ChildProcess, seconds: number) {
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      endProcess(process);
    }, seconds * 1000);
  }

  /** Whether the time was over before the process ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Leaves the process alone from here on. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/**
 * A process of this runtime that runs a module of this library, with channels in memory that both map. It gets
 * messages by its standard input, and ends with its parent.
 */
export class Child {
  /** How it ended, once its last line was taken. */
  readonly ended: Promise<ChildEnd>;
  /** What it shares with this process, until it has ended. */
  readonly channels: readonly MappedChannel[];
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #isRinging = false;

  /** @throws {Error} when the system starts no process */
  constructor({ program, flags, shapes = [], inherits = false, ...told }: ChildOptions) {
    const { onRing: onCount, onLine } = told;
    using stack = new DisposableStack();
    this.channels = shapes.map((shape) => stack.use(MappedChannel.create(shape)));
    const places = this.channels.map(({ path }, index) => ({ path, shape: shapes[index]! }));
    const onRing = (count: number) => {
      for (const { words } of this.channels) words.wakeSleepers();
      onCount?.(count);
    };
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--no-config", "--cached-only", "--no-npm", "--no-code-cache"]
        .concat(flags, program.href, `${ownPid()}`, JSON.stringify(places)),
      ...(!inherits && { cwd: "/", clearEnv: true, env: ownEnvironment() }),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    });
    this.#process = command.spawn();
    const kept = stack.move();
    this.#writer = this.#process.stdin.getWriter();
    const streams = [
      readLines(this.#process.stdout, { onRing, onLine: (line) => onLine("stdout", line) }),
      readLines(this.#process.stderr, { onRing, onLine: (line) => onLine("stderr", line) }),
    ];
    this.ended = Promise.all([this.#process.status, ...streams]).then(async ([status]) => {
      await this.#writer.abort().catch(() => {}); // it is closed already where the child has closed it
      kept.dispose();
      await removeTaskGroup(this.pid);
      return { signal: status.signal, code: status.code };
    });
  }

  /**
   * Sends it a value, as `cloneCodec` writes it; not once it has ended.
   *
   * @throws {TypeError} for a value that cannot be copied
   */
  post(message: unknown): void {
    const bytes = cloneCodec.encode(message);
    const frame = new Uint8Array(FRAME_HEAD_BYTES + bytes.length);
    new DataView(frame.buffer).setUint32(0, bytes.length, true);
    frame.set(bytes, FRAME_HEAD_BYTES);
    this.#write(frame);
  }

  /** Tells it that shared memory has changed. One ring is under way at a time. */
  ring(): void {
    if (this.#isRinging) return;
    this.#isRinging = true;
    this.#write(new Uint8Array(FRAME_HEAD_BYTES), () => this.#isRinging = false);
  }

  /** The number of its process. */
  get pid(): number {
    return this.#process.pid;
  }

  /** Tells it that nothing more comes: it ends by itself. */
  close(): void {
    void this.#writer.close().catch(() => {}); // it has ended
  }

  /** Ends it, whatever it does. */
  kill(): void {
    endProcess(this.#process);
  }

  #write(bytes: Uint8Array, then = () => {}): void {
    this.#writer.write(bytes).then(then, () => {}); // `ended` tells why nobody reads
  }
}

/** What the runtime needs to find the module of the child, and nothing that it does by itself. */
function ownEnvironment(): Record<string, string> {
  const entries = ENVIRONMENT.map((name) => {
    const isGranted =
      Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
    return [name, isGranted ? Deno.env.get(name) : undefined] as const;
  });
  const given = entries.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { DENO_NO_UPDATE_CHECK: "1", ...Object.fromEntries(given) };
}

interface Listeners {
  readonly onRing: (count: number) => void;
  readonly onLine: (line: string) => void;
}

async function readLines(
  stream: ReadableStream<Uint8Array>,
  { onRing, onLine }: Listeners,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const printed = bytes.filter((byte) => byte !== RING);
    if (printed.length < bytes.length) onRing(bytes.length - printed.length);
    if (printed.length === 0) continue;
    const lines = (rest + decoder.decode(printed, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) inPieces(line, onLine);
    if (rest.length < LINE_LETTERS_MAX) continue;
    inPieces(rest, onLine);
    rest = "";
  }
  if (rest !== "") onLine(rest);
}

function inPieces(line: string, onLine: (line: string) => void): void {
  for (let start = 0; start === 0 || start < line.length; start += LINE_LETTERS_MAX) {
    onLine(line.slice(start, start + LINE_LETTERS_MAX));
  }
}

/** Where a child finds a channel. */
interface Place {
  readonly path: string;
  readonly shape: ChannelShape;
}

/**
 * The other end of a `Child`: takes the messages of the parent, from standard input, which end with it. Made
 * before anything that is not trusted runs, it needs no permissions, and finds nothing by global names.
 */
export class Parent {
  /** The number of its process. */
  readonly pid = Number(Deno.args[0]);
  /** What this process shares with it. It is told of each change here. Nothing of C's library is left open. */
  readonly channels: readonly MappedChannel[];
  readonly #input = Deno.stdin;
  readonly #output = Deno.stdout;
  readonly #ring = Uint8Array.of(RING);

  /** Maps the channels. */
  constructor() {
    const places = JSON.parse(Deno.args[1]!) as readonly Place[];
    this.channels = places.map(({ path, shape }) => {
      using mapped = MappedChannel.open(path, shape);
      mapped.words.onNotify = () => this.ring();
      return mapped;
    });
  }

  /** Tells the parent that shared memory has changed. */
  ring(): void {
    this.#output.writeSync(this.#ring);
  }

  /** Takes messages, and is woken by rings, until the parent has gone. */
  async listen(onMessage: (message: unknown) => void): Promise<void> {
    const head = new Uint8Array(FRAME_HEAD_BYTES);
    const view = new DataView(head.buffer);
    while (await this.#fill(head)) {
      const bytes = new Uint8Array(view.getUint32(0, true));
      if (bytes.length === 0) this.channels.forEach(({ words }) => words.wakeSleepers());
      else if (await this.#fill(bytes)) onMessage(cloneCodec.decode(bytes));
    }
  }

  async #fill(bytes: Uint8Array): Promise<boolean> {
    for (let done = 0; done < bytes.length;) {
      const count = await this.#input.read(bytes.subarray(done));
      if (count === null) return false;
      done += count;
    }
    return true;
  }
}
