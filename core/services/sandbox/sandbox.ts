import type { ApiServer } from "../../signature/mod.ts";
import { type AuditEntry, AuditError, AuditLog, type AuditSink, printable } from "./audit_log.ts";
import { allow, checkPolicy, checkRules, type Policy } from "./policy.ts";
import { jsonCodec } from "../../call/codec.ts";
import { LANE_BYTES } from "../../memory/packet.ts";
import { packApi } from "../../signature/declare/packed_api.ts";
import type { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { checkOptionNames } from "../../text/nearest.ts";
import { Deadline, LEAVE_TIMEOUT_SECONDS } from "../../wait/deadline.ts";
import { whyNoChild } from "../../system/child.ts";
import { hasFilter } from "../../system/process_use.ts";
import { Gate } from "./gate.ts";
import { guestApi, type GuestRequest } from "./guest/guest_api.ts";
import { type GuestProcess, startGuestProcess } from "./guest_process.ts";
import { type Limits, limitsOf, type SandboxLimits } from "./sandbox_limits.ts";

/** What a sandbox is made of. */
export interface SandboxOptions {
  /** Serves what there is for a guest, by `serveFiles(server)` for example; where it is a promise, the guest waits. */
  readonly serve: (server: ApiServer) => unknown;
  /** Which of it the guest may call, and how; without a rule for it, a function does not exist. */
  readonly policy: Policy;
  /** Takes each line of the log; see `auditTo`. While it throws, no call is made. */
  readonly audit: AuditSink;
  /** How the log calls the guest; the end of its URL when absent. */
  readonly name?: string;
  /** What the guest may use up. */
  readonly limits?: SandboxLimits;
}

/**
 * Runs a script that is not trusted in a process without permissions, whose only way out is a channel:
 * each call is judged by a policy and has a line in a log. The script is one in the CommonJS form,
 * `exports.format = (text) => ...`; it finds what it may call in `host`, as
 * `host.files.fopen("rules.txt", "r")`. Calls are served on the event loop of the caller.
 *
 * Deno on Linux, with `--allow-run --allow-ffi --allow-read`.
 *
 * @param guestUrl where the script is, loaded with the permissions of the caller
 * @throws {TypeError} when there is no such option, or it is none of its kind
 * @throws {RangeError} when a rule means no function that is served, or a limit is out of its bounds
 * @throws what `serve` throws
 * @throws {Error} when the guest is no script, throws, or takes too long; and where this program may start no
 * process
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
  checkOptions(options);
  const limits = limitsOf(options.limits ?? {});
  const source = await loaded(guestUrl, limits.sourceBytes);
  const sandbox = new Sandbox(options, options.name ?? String(guestUrl).split("/").at(-1)!, limits);
  await sandbox.start(source, options);
  return sandbox;
}

function checkOptions(options: SandboxOptions): void {
  checkOptionNames("start a guest", options, ["serve", "policy", "audit", "name", "limits"]);
  for (const name of ["serve", "audit"] as const) {
    if (typeof options[name] === "function") continue;
    throw new TypeError(
      `Cannot start a guest as ${name} must be a function: current value is ${options[name]}`,
    );
  }
  checkRules(options.policy);
}

async function loaded(url: string | URL, limitBytes: number): Promise<string> {
  const name = String(url).slice(0, 200); // of a `data:` URL, not all
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Cannot load the guest ${name}: ${response.statusText}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length <= limitBytes) return new TextDecoder().decode(bytes);
  throw new RangeError(
    `Cannot load the guest ${name} as it may have ${limitBytes} bytes: current value is ${bytes.length}`,
  );
}

/** A guest that runs. `await using` ends it with its block. */
export class Sandbox implements AsyncDisposable {
  readonly #servers: Server[] = [];
  readonly #gate: Gate;
  readonly #log: AuditLog;
  readonly #process: GuestProcess;
  readonly #limits: Limits;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #left = Promise.withResolvers<void>();
  /** How often the guest has rung since the log had so many entries. */
  #rung = { entryCount: 0, count: 0 };
  #nextId = READY + 1;
  #end: Error | undefined;

  /** @internal For {@linkcode startSandbox}. */
  constructor({ policy, audit }: SandboxOptions, name: string, limits: Limits) {
    this.#limits = limits;
    this.#log = new AuditLog(name, audit, limits);
    const whyNot = whyNoChild();
    if (whyNot) throw new Error(`Cannot start a process for the guest as ${whyNot}`);
    this.#process = startGuestProcess({
      shapes: [{ ...CALL_SHAPE, portCount: limits.callsInFlight }, GUEST_SHAPE],
      limits,
      onEnd: (error) => this.#stop(error),
      onLine: (stream, line) => {
        if (!this.#log.isFull) this.#note(stream, { verdict: "refuse", arguments: [line] });
      },
      onRing: (count) => this.#countRings(count),
    });
    const [calls, own] = this.#process.channels;
    this.#gate = this.#gateOf(calls!, policy);
    // What its process tells neither waits for the guest's calls nor takes ports of theirs.
    this.#gateOf(own!, [allow("sandbox.*")]).serve(guestApi, {
      ready: (problem) =>
        this.#settle(READY, problem === "" ? undefined : new Error(printable(problem))),
      answer: (id, isError, bytes) => {
        const value = jsonCodec.decode(bytes);
        const error = `Cannot go on in the guest: ${printable(String(value))}`;
        this.#settle(id, isError ? new Error(error) : undefined, value);
      },
      print: () => {}, // the line of the call tells it
      left: () => this.#left.resolve(),
    });
  }

  /** Serves a channel of the guest's own, as it can write every word of it. */
  #gateOf(channel: Channel, policy: Policy): Gate {
    const { callBytes: limitBytes, handles: handlesMax, timeoutSeconds } = this.#limits;
    const server = new Server(channel, {
      tellsStacks: false,
      onFault: (fault) => {
        gate.logFault(fault);
        if (this.#log.isFull) this.#stop(FULL);
      },
    });
    const options = { policy, log: this.#log, limitBytes, handlesMax, timeoutSeconds };
    const gate: Gate = new Gate(server, options);
    this.#servers.push(server);
    return gate;
  }

  /** Each call is an entry of the log, which is bounded, and rings for each of its packets, there and back. */
  #countRings(count: number): void {
    const { entryCount } = this.#log;
    if (entryCount !== this.#rung.entryCount) this.#rung = { entryCount, count: 0 };
    const { callsInFlight, callBytes } = this.#limits;
    const most = (callsInFlight + 1) * (2 * Math.ceil(callBytes / PACKET_BYTES) + RINGS_BESIDE);
    if ((this.#rung.count += count) > most) this.#stop(RINGS);
  }

  /** @internal Runs the script; for {@linkcode startSandbox}. */
  async start(source: string, { serve, policy }: SandboxOptions): Promise<void> {
    try {
      await serve(this.#gate);
      checkPolicy(policy, this.#gate.names);
    } catch (error) {
      this.#stop(NOT_SERVED);
      await this.#process.ended;
      throw error;
    }
    const apis = this.#gate.apis.map(packApi);
    for (const server of this.#servers) void this.#serve(server);
    try {
      const { startTimeoutSeconds: timeoutSeconds, ...limits } = this.#limits;
      await this.#ask(
        READY,
        () => this.#post({ kind: "start", source, apis, limits }),
        timeoutSeconds,
      );
      const error = hasFilter(this.#process.child.pid)
        ? {}
        : { error: "no filter of system calls" };
      this.#note("isolation", { arguments: ["process"], ...error });
    } catch (error) {
      this.#stop(error as Error);
      await this.#process.ended;
      throw new Error(`Cannot start the guest: ${(error as Error).message}`, { cause: error });
    }
  }

  /**
   * Calls a function that the guest exports. The values are copied to it as by `cloneCodec`; the answer comes back
   * as JSON. It is the guest's, so check it.
   *
   * @throws {TypeError} when a value is none that is copied, such as a function
   * @throws {Error} what the guest threw, by its text; or why it ended
   */
  async call(name: string, ...values: readonly unknown[]): Promise<unknown> {
    const id = this.#nextId++;
    const post = () => this.#post({ kind: "call", id, name, values });
    return await this.#ask(id, post, this.#limits.timeoutSeconds);
  }

  /** Ends the guest: asks it to leave, and ends its process after a time, in seconds; 1 when absent. */
  async terminate(options: { readonly timeoutSeconds?: number } = {}): Promise<void> {
    checkOptionNames("end a guest", options, ["timeoutSeconds"]);
    const { timeoutSeconds = LEAVE_TIMEOUT_SECONDS } = options;
    const { leftMilliseconds } = new Deadline({ timeoutSeconds });
    if (!this.#end) this.#post({ kind: "leave" });
    const timer = setTimeout(() => this.#left.resolve(), leftMilliseconds);
    await this.#left.promise;
    clearTimeout(timer);
    this.#stop(ASKED);
    await this.#process.ended;
  }

  /** As {@linkcode terminate}, at the end of a block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.terminate();
  }

  /** @throws {TypeError} when a value cannot be copied */
  #post(request: GuestRequest): void {
    this.#process.child.post(request);
  }

  /** Posts a request, and waits for its answer; a guest that is late is ended. */
  async #ask(id: number, post: () => void, timeoutSeconds: number): Promise<unknown> {
    if (this.#end) throw this.#end;
    post(); // first: what cannot be copied is not asked
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    const timer = setTimeout(() => {
      const { isFailing } = this.#log;
      const why = isFailing ? " as its log takes no lines: see what its sink throws" : "";
      this.#stop(new Error(`Cannot wait longer than ${timeoutSeconds} s for the guest${why}`));
    }, new Deadline({ timeoutSeconds }).leftMilliseconds);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
    }
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
      await server.runAsync();
      this.#stop(new Error("Cannot go on with the guest as its channel has ended"));
    } catch (error) {
      this.#stop(error as Error);
    }
  }

  /** A line for what no call of the guest's tells. */
  #note(what: string, entry: Partial<AuditEntry>): void {
    try {
      this.#log.write({ call: `sandbox.${what}`, verdict: "allow", ...entry });
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
    this.#left.resolve();
    for (const channel of this.#process.channels) channel.shutDown();
    this.#process.child.kill();
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }
}

const ASKED = new Error("Cannot go on with the guest as it was ended");
const NOT_SERVED = new Error("Cannot go on with the guest as nothing is served to it");
const FULL = new Error("Cannot go on with the guest as its log is full");
const RINGS = new Error("Cannot go on with the guest as it rings more often than its calls do");

/** Packets are long, as each takes a wake of both sides, which between processes is a tenth of a millisecond. */
const CALL_SHAPE = { laneCount: 1, laneBytes: 8192 };
/** The guest tells one thing at a time; packets are long, as answers are. */
const GUEST_SHAPE = { portCount: 1, laneCount: 64 };
/** The shorter of the two. */
const PACKET_BYTES = 64 * LANE_BYTES;
/** Of a call beside its packets: to begin, to end, and to be told of it. */
const RINGS_BESIDE = 64;

/** The number of the question whether the guest is ready; calls have those above. */
const READY = 0;
