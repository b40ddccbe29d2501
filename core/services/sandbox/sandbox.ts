import type { ApiServer } from "../../signature/mod.ts";
import { type AuditEntry, AuditError, AuditLog, type AuditSink, printable } from "./audit_log.ts";
import { allow, checkPolicy, type Policy } from "./policy.ts";
import { LIMIT_BYTES } from "../../call/limit.ts";
import { jsonCodec } from "../../call/codec.ts";
import { packApi } from "../../signature/declare/packed_api.ts";
import type { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { Server } from "../../toggle/server/server.ts";
import {
  checkTimeout,
  Deadline,
  HANDLER_TIMEOUT_SECONDS,
  LEAVE_TIMEOUT_SECONDS,
} from "../../wait/deadline.ts";
import { whyNoChild } from "../../system/child.ts";
import { Gate, type GateOptions } from "./gate.ts";
import { cloneValue } from "./guest/clone_value.ts";
import { guestApi } from "./guest/guest_api.ts";
import { type GuestPlace, GuestProcess, GuestWorker, type PlaceListeners } from "./guest_place.ts";
import { guestSource } from "./guest/guest_source.ts";

/** What a guest may use up. */
export interface SandboxLimits {
  /** Calls at the same time; 4 when absent. */
  readonly callsInFlight?: number;
  /** Bytes of the arguments of one call, there and back, and of an answer; 1 MiB when absent. */
  readonly callBytes?: number;
  /** Handles, open files for example, at the same time; 64 when absent. */
  readonly handles?: number;
  /** Bytes of the guest's script; 4 MiB when absent. */
  readonly sourceBytes?: number;
  /** Bytes of one line of the log, at least 1536; 2048 when absent. */
  readonly lineBytes?: number;
  /** Bytes of the log, after which the guest is ended; 64 MiB when absent. */
  readonly logBytes?: number;
  /** How long it may take to start, in seconds; 30 when absent. */
  readonly startTimeoutSeconds?: number;
  /** How long it may take to answer, in seconds; 30 when absent. Then it is ended. */
  readonly timeoutSeconds?: number;
  /** Bytes of memory, of a process; 512 MiB when absent. */
  readonly memoryBytes?: number;
  /** Time of processors in its whole life, of a process, in seconds; 600 when absent. */
  readonly cpuSeconds?: number;
}

/**
 * Where a guest runs. `process`: a process of its own, behind a wall of the system's, which ends alone,
 * whatever it does. `worker`: a thread of this process, which is no wall: see docs/sandbox.md.
 */
export type Isolation = "process" | "worker";

/** What a sandbox is made of. */
export interface SandboxOptions {
  /** Serves what there is for a guest, by `serveFiles(server)` for example. */
  readonly serve: (server: ApiServer) => void;
  /** Which of it the guest may call, and how; without a rule for it, a function does not exist. */
  readonly policy: Policy;
  /** Takes each line of the log; see `auditTo`. While it throws, no call is made. */
  readonly audit: AuditSink;
  /** How the log calls the guest; the end of its URL when absent. */
  readonly name?: string;
  /** What the guest may use up. */
  readonly limits?: SandboxLimits;
  /**
   * Where the guest runs. When absent a process, and a worker where this program may start no processes;
   * the log says which.
   */
  readonly isolation?: Isolation;
}

/**
 * Runs a script that is not trusted in a process without permissions, whose only way out is a channel:
 * each call is judged by a policy and has a line in a log. The script is one in the CommonJS form,
 * `exports.format = (text) => ...`, without `import`; it finds what it may call in `host`, as
 * `host.files.fopen("rules.txt", "r")`. Calls are served on the event loop of the caller.
 *
 * Deno only. A process needs Linux and `--allow-run --allow-ffi --allow-read`; a worker
 * `--unstable-worker-options` or `"unstable": ["worker-options"]` in `deno.json`.
 *
 * @param guestUrl where the script is, loaded with the permissions of the caller
 * @throws {SyntaxError} when the script is none, or the word `import` is in it
 * @throws {RangeError} when a rule means no function that is served, or a limit is none
 * @throws {Error} when the guest throws, takes too long, or still has permissions; and where `isolation` is
 * a process, and this program may start none
 *
 * @example
 * ```ts
 * import { fn, hostApi, string } from "../../signature/mod.ts";
 * import { allow } from "./policy.ts";
 * import { startSandbox } from "./sandbox.ts";
 *
 * const names = hostApi("names", { of: fn([string], string) });
 * const script = `exports.greet = (who) => "Hello, " + host.names.of(who);`;
 * const lines: string[] = [];
 * await using sandbox = await startSandbox(`data:text/javascript,${encodeURIComponent(script)}`, {
 *   serve: (server) => server.serve(names, { of: (who) => who.toUpperCase() }),
 *   policy: [allow("names.of", (who) => who.length < 100)],
 *   audit: (line) => lines.push(line),
 * });
 * if (await sandbox.call("greet", "Ada") !== "Hello, ADA") throw new Error("its answer");
 * if (!lines.some((line) => line.includes('"names.of"'))) throw new Error("a line for the call");
 * ```
 */
export async function startSandbox(
  guestUrl: string | URL,
  options: SandboxOptions,
): Promise<Sandbox> {
  const { limits = {} } = options;
  const { startTimeoutSeconds = HANDLER_TIMEOUT_SECONDS, sourceBytes = 1 << 22 } = limits;
  checkTimeout("startTimeoutSeconds", startTimeoutSeconds);
  checkTimeout("timeoutSeconds", limits.timeoutSeconds ?? HANDLER_TIMEOUT_SECONDS);
  const source = await guestSource(guestUrl, sourceBytes);
  const name = options.name ?? String(guestUrl).split("/").at(-1)!;
  const sandbox = new Sandbox({ ...options, name, limits });
  await sandbox.start(source, startTimeoutSeconds);
  return sandbox;
}

/** A guest that runs. `await using` ends it with its block. */
export class Sandbox implements AsyncDisposable {
  readonly #channels: Channel[] = [];
  readonly #servers: Server[] = [];
  readonly #gate: Gate;
  readonly #log: AuditLog;
  readonly #place: GuestPlace;
  /** Where the guest runs. */
  readonly isolation: Isolation;
  #whyNoWall: string | undefined;
  readonly #timeoutSeconds: number;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #left = Promise.withResolvers<boolean>();
  #nextId = 1;
  #end: Error | undefined;

  /** @internal For {@linkcode startSandbox}. */
  constructor({ serve, policy, audit, isolation, name = "guest", limits = {} }: SandboxOptions) {
    const { callsInFlight = 4, callBytes = LIMIT_BYTES, handles = 64 } = limits;
    const { lineBytes = 2048, logBytes = 1 << 26, timeoutSeconds = HANDLER_TIMEOUT_SECONDS } =
      limits;
    const log = new AuditLog(name, audit, { lineBytes, logBytes });
    this.#log = log;
    this.#timeoutSeconds = timeoutSeconds;
    const gate = { limitBytes: callBytes, handlesMax: handles, timeoutSeconds, log };
    checkUse(limits);
    const whyNot = isolation === "worker" ? "its host wants none" : whyNoChild();
    if (isolation === "process" && whyNot) {
      throw new Error(
        `Cannot start a process for the guest as ${whyNot}: choose the isolation "worker"`,
      );
    }
    this.isolation = whyNot ? "worker" : "process";
    this.#whyNoWall = whyNot && `no process, as ${whyNot}`;
    this.#place = placeOf(this.isolation, limits, {
      onEnd: (error) => this.#stop(error),
      onLine: (stream, line) => this.#note(stream, { verdict: "refuse", arguments: [line] }),
    });
    this.#gate = this.#open({ ...CALL_SHAPE, portCount: callsInFlight }, { ...gate, policy });
    serve(this.#gate);
    checkPolicy(policy, this.#gate.names);
    // What its worker tells neither waits for the guest's calls nor takes ports of theirs.
    this.#open(GUEST_SHAPE, { ...gate, policy: [allow("sandbox.*")] }).serve(guestApi, {
      ready: (problem, missing) => {
        if (missing !== "") this.#whyNoWall = `no ${printable(missing)}`;
        this.#settle(READY, problem === "" ? undefined : new Error(printable(problem)));
      },
      answer: (id, isError, bytes) => this.#answer(id, isError, bytes),
      print: () => {}, // the line of the call tells it
      left: () => this.#left.resolve(true),
    });
  }

  /** A channel of the guest's own, as it can write every word of it, and the gate that serves it. */
  #open(shape: ChannelShape, options: GateOptions): Gate {
    const channel = this.#place.open(shape);
    const server = new Server(channel, {
      tellsStacks: false,
      onFault: (fault) => {
        gate.logFault(fault);
        if (this.#log.isFull) this.#stop(FULL);
      },
    });
    const gate: Gate = new Gate(server, options);
    this.#channels.push(channel);
    this.#servers.push(server);
    return gate;
  }

  /** @internal Runs the script; for {@linkcode startSandbox}. */
  async start(source: string, timeoutSeconds: number): Promise<void> {
    const apis = this.#gate.apis.map(packApi);
    for (const server of this.#servers) void this.#serve(server);
    try {
      const start = () => this.#place.start({ source, apis });
      await this.#ask(start, { id: READY, timeoutSeconds });
      const error = this.#whyNoWall;
      this.#note("isolation", { arguments: [this.isolation], ...(error && { error }) });
    } catch (error) {
      this.#stop(error as Error);
      await this.#place.ended;
      throw new Error(`Cannot start the guest: ${(error as Error).message}`, { cause: error });
    }
  }

  /**
   * Calls a function that the guest exports. The values, of the language alone, are copied to it as by
   * `postMessage`; the answer comes back as JSON. It is the guest's, so check it.
   *
   * @throws {DOMException} when a value is none that is copied: a function, or an object of the runtime's
   * @throws {Error} what the guest threw, by its text; or why it ended
   */
  async call(name: string, ...values: readonly unknown[]): Promise<unknown> {
    const id = this.#nextId++;
    const timeoutSeconds = this.#timeoutSeconds;
    const copies = cloneValue(values) as unknown[]; // nothing of the runtime's reaches the guest
    const post = () => this.#place.post({ kind: "call", id, name, values: copies });
    return await this.#ask(post, { id, timeoutSeconds });
  }

  /**
   * Ends the guest: asks it to leave, then its runtime to end its worker. What it is in the middle of is
   * not waited for longer than the time, in seconds; 1 when absent.
   *
   * @returns whether it left. Deno cannot end a guest that never comes back to its event loop: it can
   * do nothing any more but burn a core, until the program ends by `Deno.exit()`.
   */
  async terminate({ timeoutSeconds = LEAVE_TIMEOUT_SECONDS } = {}): Promise<boolean> {
    const { leftMilliseconds } = new Deadline({ timeoutSeconds });
    if (!this.#end) this.#place.post({ kind: "leave" });
    const timer = setTimeout(() => this.#left.resolve(false), leftMilliseconds);
    const hasLeft = await this.#left.promise;
    clearTimeout(timer);
    this.#stop(ASKED);
    return await this.#place.ended || hasLeft;
  }

  /** As {@linkcode terminate}, at the end of a block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.terminate();
  }

  /** Posts a request, and waits for its answer; a guest that is late is ended. */
  async #ask(post: () => void, { id, timeoutSeconds }: Question): Promise<unknown> {
    if (this.#end) throw this.#end;
    post(); // first: what cannot be copied is not asked
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    const { leftMilliseconds } = new Deadline({ timeoutSeconds });
    const timer = setTimeout(() => this.#stop(this.#late(timeoutSeconds)), leftMilliseconds);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #late(timeoutSeconds: number): Error {
    const why = this.#log.isFailing ? " as its log takes no lines: see what its sink throws" : "";
    return new Error(`Cannot wait longer than ${timeoutSeconds} s for the guest${why}`);
  }

  #answer(id: number, isError: boolean, bytes: Uint8Array): void {
    const value = jsonCodec.decode(bytes);
    const error = isError && new Error(`Cannot go on in the guest: ${printable(String(value))}`);
    this.#settle(id, error || undefined, value);
  }

  /** An answer to what nobody asked means nothing. */
  #settle(id: number, error: Error | undefined, value?: unknown): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error) asked?.reject(error);
    else asked?.resolve(value);
  }

  async #serve(server: Server): Promise<void> {
    try {
      while (await server.runAsync());
      this.#stop(new Error("Cannot go on with the guest as its channel has ended"));
    } catch (error) {
      this.#stop(error as Error);
    }
  }

  /** A line for what no call of the guest's tells. */
  #note(what: string, entry: Partial<Omit<AuditEntry, "guest">>): void {
    try {
      this.#log.write({
        time: this.#log.time(),
        call: `sandbox.${what}`,
        verdict: "allow",
        ...entry,
      });
    } catch (error) {
      if (!(error instanceof AuditError)) throw error; // the log counts what it loses
    }
    if (this.#log.isFull) this.#stop(FULL);
  }

  /** Ends everything, once; what was asked has this error. */
  #stop(cause: Error): void {
    if (this.#end) return;
    const text = printable(cause.message);
    const error = text === cause.message ? cause : new Error(text, { cause });
    this.#end = error;
    this.#note("end", error === ASKED ? {} : { verdict: "refuse", error: error.message });
    this.#left.resolve(false);
    for (const channel of this.#channels) channel.shutDown();
    this.#place.end();
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }
}

function placeOf(
  isolation: Isolation,
  { memoryBytes = MEMORY_BYTES, cpuSeconds = CPU_SECONDS }: SandboxLimits,
  listeners: PlaceListeners,
): GuestPlace {
  if (isolation === "worker") return new GuestWorker(listeners);
  return new GuestProcess({ memoryBytes, cpuSeconds }, listeners);
}

/** @throws {RangeError} when a limit of a process is none */
function checkUse({ memoryBytes = MEMORY_BYTES, cpuSeconds = CPU_SECONDS }: SandboxLimits): void {
  if (!(memoryBytes >= MEMORY_BYTES_MIN) || !Number.isSafeInteger(memoryBytes)) {
    throw new RangeError(
      `Cannot limit the memory of a guest as memoryBytes must be an integer from ${MEMORY_BYTES_MIN}: current value is ${memoryBytes}`,
    );
  }
  if (cpuSeconds > 0) return;
  throw new RangeError(
    `Cannot limit the time of a guest as cpuSeconds must be positive: current value is ${cpuSeconds}`,
  );
}

const MEMORY_BYTES = 1 << 29;
/** The runtime itself takes some of it as it goes. */
const MEMORY_BYTES_MIN = 1 << 26;
const CPU_SECONDS = 600;
const ASKED = new Error("Cannot go on with the guest as it was ended");
const FULL = new Error("Cannot go on with the guest as its log is full");

interface Question {
  readonly id: number;
  readonly timeoutSeconds: number;
}

/** Packets are long, as each takes a wake of both sides, which between processes is a tenth of a millisecond. */
const CALL_SHAPE = { laneCount: 1, laneBytes: 8192 };

/** The guest tells one thing at a time; packets are long, as answers are. */
const GUEST_SHAPE = { portCount: 1, laneCount: 64 };

/** The number of the question whether the guest is ready; calls begin at 1. */
const READY = 0;
