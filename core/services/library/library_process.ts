import { CallError } from "../../call/call_error.ts";
import { cloneCodec } from "../../call/codec.ts";
import { errorReport } from "../../call/error_report.ts";
import { refusePromise } from "../../memory/sync_result.ts";
import { LIMIT_BYTES, limitOf } from "../../call/limit.ts";
import { checkOptionNames } from "../../text/nearest.ts";
import { functionsOf } from "../../signature/declare/signature.ts";
import { packApi } from "../../signature/declare/packed_api.ts";
import { innerKind } from "../../signature/declare/kind.ts";
import type {
  ApiFunction,
  Callback,
  CallbackParameter,
  Functions,
  Parameter,
} from "../../signature/declaration_types.ts";
import * as s from "../../signature/mod.ts";
import { Child, type ChildEnd, whyNoChild } from "../../system/child.ts";
import { openLibc } from "../../system/libc.ts";
import { processStart } from "../../system/process_start.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { checkTimeout, HANDLER_TIMEOUT_SECONDS } from "../../wait/deadline.ts";
import type { ForeignCall, LibraryFiles } from "./foreign_library.ts";
import {
  CALLBACK_ANSWER_BYTES,
  callbackApi,
  CHANNEL_SHAPE,
  crossBack,
  crossResult,
  crossValues,
  libraryApi,
  type LibraryRequest,
  RUNG_NAPS,
  wireApi,
} from "./library_wire.ts";

/** How the process of a library is looked after. */
export interface LibraryProcessOptions {
  /**
   * How long a call may take that is not `blocking`, in seconds; 30 when absent. Then its process is ended, as
   * it serves nobody else meanwhile.
   */
  readonly timeoutSeconds?: number;
  /** The most bytes that the arguments of one call take, there and back; a mebibyte when absent. */
  readonly limitBytes?: number;
}

/** How long a new process may take until its library is open. */
const START_TIMEOUT_SECONDS = 60;

/**
 * A library in a process of its own, and the next one after that has ended. Calls go there one by one, so that it
 * is known in which one it ended; those that are `blocking`, beside them.
 */
export class LibraryProcess {
  /** The functions of the API, by their names. */
  readonly calls: Readonly<Record<string, ForeignCall>>;
  readonly #api: s.HostApi;
  readonly #files: LibraryFiles;
  readonly #options: Required<LibraryProcessOptions>;
  readonly #callbacks = new Callbacks();
  #run: LibraryRun;
  /** The last of the calls that wait for each other. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /**
   * Starts the process, and waits until the library is open there.
   *
   * @throws {Error} when no process can be started, or what it says of the library
   */
  constructor(api: s.HostApi, files: LibraryFiles, options: LibraryProcessOptions) {
    const { timeoutSeconds = HANDLER_TIMEOUT_SECONDS, limitBytes = LIMIT_BYTES } = options;
    checkOptionNames("start a process for the library", options, ["timeoutSeconds", "limitBytes"]);
    checkTimeout("timeoutSeconds", timeoutSeconds);
    limitOf({ limitBytes });
    const whyNot = whyNoChild();
    if (whyNot) throw new Error(`Cannot start a process for the library as ${whyNot}`);
    this.#api = api;
    const { files: names, packageHint, symbols } = files; // a caller's object may have more
    this.#files = {
      files: names,
      ...(packageHint !== undefined && { packageHint }),
      ...(symbols && { symbols }),
    };
    this.#options = { timeoutSeconds, limitBytes };
    this.#run = this.#begin(1);
    this.#run.openNow();
    this.calls = Object.fromEntries(
      functionsOf(api).map(([key, target]) => [key, (values) => this.#call(key, target, values)]),
    );
  }

  /** Ends the process: its calls fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#run.close();
  }

  #begin(generation: number): LibraryRun {
    const { limitBytes } = this.#options;
    const request = { api: packApi(this.#api), files: this.#files, limitBytes };
    return new LibraryRun(this.#api, request, { generation, callbacks: this.#callbacks });
  }

  /** The process that is there, or a new one in place of one that has ended. */
  async #current(): Promise<LibraryRun> {
    if (this.#run.end && !this.#isClosed) this.#run = this.#begin(this.#run.generation + 1);
    await this.#run.opened();
    return this.#run;
  }

  #call(key: string, target: ApiFunction, values: readonly unknown[]): Promise<unknown> {
    const { timeoutSeconds } = this.#options;
    const isBlocking = target.signature.blocking ?? false;
    const limit = isBlocking ? Infinity : timeoutSeconds;
    const call = async () => await (await this.#current()).call(key, { target, values, limit });
    if (isBlocking) return call();
    const answer = this.#last.then(call, call);
    this.#last = answer.catch(() => {});
    return answer;
  }
}

interface RunParts {
  /** Which process of the library this is, from 1. */
  readonly generation: number;
  readonly callbacks: Callbacks;
}

interface RunCall {
  readonly target: ApiFunction;
  readonly values: readonly unknown[];
  /** In seconds. */
  readonly limit: number;
}

/** One process of a library, from its start to its end. */
class LibraryRun {
  readonly generation: number;
  /** How it ended; absent while it runs. */
  end: ChildEnd | undefined;
  readonly #request: LibraryRequest;
  readonly #child: Child;
  readonly #callbacks: Callbacks;
  readonly #stubs: s.HostStubs<Functions>;
  readonly #opener: s.HostStubs<LibraryFunctions>;
  readonly #served: Promise<unknown>;
  #opened: Promise<void> | undefined;
  /** Why this side ended it. */
  #why = "";

  constructor(api: s.HostApi, request: LibraryRequest, { generation, callbacks }: RunParts) {
    this.generation = generation;
    this.#request = request;
    this.#callbacks = callbacks;
    this.#child = new Child({
      program: new URL("./deno_library_process.ts", import.meta.url),
      flags: ["--allow-ffi"],
      shapes: [CHANNEL_SHAPE, CHANNEL_SHAPE],
      inherits: true,
      onLine: (stream, line) => Deno[stream].writeSync(new TextEncoder().encode(`${line}\n`)),
    });
    const [calls, back] = this.#child.channels;
    for (const { words } of this.#child.channels) words.onNotify = () => this.#child.ring();
    const client = new Client(calls!.channel);
    this.#opener = s.connectApi(client, libraryApi, { timeoutSeconds: START_TIMEOUT_SECONDS });
    const { limitBytes } = request;
    this.#stubs = s.connectApi(client, wireApi(api), { timeoutSeconds: Infinity, limitBytes });
    const server = new Server(back!.channel);
    new s.ApiServer(server).serve(callbackApi, {
      call: (...given) =>
        callbacks.answer(given, {
          taken: (address) => address === 0n ? null : this.#tagged(address),
          given: (value) => this.#address("a callback", value),
        }),
    });
    this.#served = server.runAsync();
    void this.#child.ended.then((end) => this.#onEnd(end));
  }

  /**
   * Opens the library. Blocks, so that who serves it knows whether it is there.
   *
   * @throws {Error} when it cannot be opened
   */
  openNow(): void {
    const { channel, words } = this.#child.channels[0]!;
    using stack = new DisposableStack();
    const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
    // Nobody hears of its end meanwhile.
    words.onNap = () => processStart(libc, this.#child.pid) === undefined && channel.stop();
    try {
      this.#checkOpened(this.#opener.open(cloneCodec.encode(this.#request)));
    } catch (error) {
      this.#child.kill();
      if (error instanceof CallError) throw this.#crash("open the library");
      throw error;
    } finally {
      words.onNap = () => {};
    }
    this.#opened = Promise.resolve();
    this.#rest();
  }

  /** That the library is open. */
  opened(): Promise<void> {
    return this.#opened ??= this.#openLater();
  }

  async #openLater(): Promise<void> {
    const problem = await this.#orEnd(
      "open the library",
      this.#opener.open.async(cloneCodec.encode(this.#request)),
    );
    this.#checkOpened(problem);
    this.#rest();
  }

  #checkOpened(problem: string): void {
    if (problem === "") return;
    this.#child.kill();
    throw new Error(problem);
  }

  /** From now on the process tells of each change. */
  #rest(): void {
    for (const { words } of this.#child.channels) words.naps = RUNG_NAPS;
  }

  /** Calls a function, with what stands behind its arguments. */
  async call(key: string, { target, values, limit }: RunCall): Promise<unknown> {
    const { name } = target;
    const given = crossValues(target, values, {
      address: (value) => this.#address(name, value),
      callback: (value, kind) => this.#callbacks.numberOf(value as Work | null, kind),
    });
    const constants = target.signature.parameters.map(({ kind }) => kind === "constant");
    const arguments_ = given.filter((_, index) => !constants[index]);
    const timer = Number.isFinite(limit)
      ? setTimeout(() => this.#giveUp(`longer than ${limit} s`), limit * 1000)
      : undefined;
    const stub = this.#stubs[key]! as { async(...given: unknown[]): Promise<unknown> };
    try {
      const result = await this.#orEnd(`answer ${name}`, stub.async(...arguments_));
      const handle = (value: unknown) => value === 0n ? null : this.#tagged(value as bigint);
      crossBack(target, { from: given, to: values }, handle);
      return crossResult(target, result, handle);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks it to end, and ends it where it does not. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#child.kill(), CLOSE_MILLISECONDS);
    this.#child.close();
    await this.#child.ended;
    await this.#served;
    clearTimeout(timer);
  }

  #giveUp(why: string): void {
    this.#why = `: it took ${why}`;
    this.#child.kill();
  }

  /** What comes of a question to the process, or why it ended. */
  async #orEnd<Answer>(what: string, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.cause) throw new Error((error.cause as Error).message);
      await this.#child.ended; // what ends calls without a cause is the end of the process
      throw this.#crash(what);
    }
  }

  #crash(what: string): Error {
    const { signal, code } = this.end ?? {};
    const how = signal ? `${signal} ended` : `code ${code ?? "none"} was the end of`;
    return new Error(`Cannot ${what} as ${how} the process of its library${this.#why}`);
  }

  #onEnd(end: ChildEnd): void {
    this.end = end;
    for (const { channel } of this.#child.channels) channel.stop();
  }

  /** An address of this process's, told apart from those of others. */
  #tagged(address: bigint): bigint {
    return BigInt(this.generation) << ADDRESS_BITS | address;
  }

  #address(name: string, value: unknown): bigint {
    if (value === null) return 0n;
    const [tagged, mask] = [value as bigint, (1n << ADDRESS_BITS) - 1n];
    if (tagged >> ADDRESS_BITS === BigInt(this.generation)) return tagged & mask;
    throw new Error(
      `Cannot call ${name} as the handle is of process ${
        tagged >> ADDRESS_BITS
      } of the library, which has ended: this is process ${this.generation}`,
    );
  }
}

type LibraryFunctions = typeof libraryApi extends s.HostApi<infer Fs> ? Fs : never;
type Work = (...values: unknown[]) => unknown;

const ADDRESS_BITS = 64n;
/** How long a process may take to write what its library keeps in memory. */
const CLOSE_MILLISECONDS = 1000;

/** What becomes of addresses that a callback takes and gives. */
interface CallbackAddresses {
  readonly taken: (address: bigint) => unknown;
  readonly given: (value: unknown) => bigint;
}

/** The callbacks that a library has got, by number. */
class Callbacks {
  readonly #known: { readonly work: Work; readonly kind: Callback }[] = [];

  /** From 1; 0 for none. The same for the same function, as a library may compare or keep what it got. */
  numberOf(work: Work | null, parameter: Parameter): number {
    if (work === null) return 0;
    const kind = innerKind(parameter) as Callback;
    const known = this.#known.findIndex((one) => one.work === work && one.kind === kind);
    return known < 0 ? this.#known.push({ work, kind }) : known + 1;
  }

  /** Calls one for the library's process; returns how many bytes the answer has. */
  answer(
    [number, values, answer]: readonly [number, Uint8Array, Uint8Array],
    addresses: CallbackAddresses,
  ): number {
    const bytes = cloneCodec.encode(this.#outcome(number, values, addresses));
    answer.set(bytes.subarray(0, CALLBACK_ANSWER_BYTES));
    return bytes.length;
  }

  #outcome(number: number, values: Uint8Array, { taken, given }: CallbackAddresses): Outcome {
    try {
      const known = this.#known[number - 1];
      if (!known) throw new RangeError(`Cannot call back number ${number} as there is none`);
      const { parameters, result } = known.kind;
      const decoded = (cloneCodec.decode(values) as unknown[]).map((value, index) =>
        isHandle(parameters[index]!) ? taken(value as bigint) : value
      );
      const value = known.work(...decoded);
      refusePromise(value, "a callback of serveLibrary");
      return { value: isHandle(result) ? given(value) : value };
    } catch (error) {
      return { error: errorReport(error).message.slice(0, ERROR_LETTERS) };
    }
  }
}

interface Outcome {
  readonly error?: string;
  readonly value?: unknown;
}

function isHandle(kind: CallbackParameter | Callback["result"]): boolean {
  return innerKind(kind).kind === "handle";
}

/** Of the error of a callback, so that it fits. */
const ERROR_LETTERS = 500;
