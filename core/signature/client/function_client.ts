import { CallError } from "../../call/call_error.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { type LaneMask, laneMask } from "../../memory/lane_mask.ts";
import { FUNCTION_OPCODE_FIRST, Opcode, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { limitOf } from "../../call/limit.ts";
import type { MessageOptions } from "../../call/message.ts";
import type { Client } from "../../toggle/client/client.ts";
import type { CallOptions } from "../../toggle/client/client_call.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { ErrnoError } from "../declare/errno.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { type CallShape, callShape } from "../wire/call_shape.ts";
import { decodeReply, type HostReply, replyLimitBytes } from "../wire/reply.ts";
import { encodeRequest } from "../wire/request_encoder.ts";
import { FlatCaller } from "./flat_caller.ts";
import { jsonCodec } from "../../call/codec.ts";
import { Status } from "../../memory/status.ts";

/** How functions are called. */
export interface ConnectOptions extends WaitOptions {
  /** The longest text that a function may return, in bytes; a mebibyte when absent. */
  readonly limitBytes?: number;
}

const NOT_FOUND = -1;

/** The arguments of each lane; `undefined` for one that takes no part. */
type LaneCalls = readonly (readonly unknown[] | undefined)[];

/** A call as it is sent. */
interface Message {
  /** By parameter: what comes back is put into them. */
  readonly values: readonly unknown[];
  readonly request: Uint8Array;
  readonly options: MessageOptions;
}

export class FunctionClient {
  /** C's `errno` of the last call that ended. */
  errno = 0;
  /** For a function whose calls fit a packet. */
  readonly flat: FlatCaller | undefined;
  /** What its calls look like. */
  readonly shape: CallShape;
  readonly #client: Client;
  readonly #target: ApiFunction;
  readonly #waits: WaitOptions;
  readonly #textLimitBytes: number;
  /** Of calls by lane 0: one object for all. */
  readonly #laneOptions: CallOptions;
  #opcode = NOT_FOUND;

  constructor(client: Client, target: ApiFunction, options: ConnectOptions) {
    const { limitBytes: _, ...waits } = options;
    this.flat = FlatCaller.of(target);
    this.shape = callShape(target.signature);
    this.#client = client;
    this.#target = target;
    this.#waits = waits;
    this.#textLimitBytes = limitOf(options);
    this.#laneOptions = { ...waits, mask: laneMask(0) };
  }

  /** The opcode of its calls by lanes, which the server is asked for when it is not known. Blocks. */
  get opcode(): number {
    if (this.#opcode !== NOT_FOUND) return this.#opcode;
    return this.#opcode = findFunction(this.#client, this.#target, this.#waits);
  }

  /** Calls it. Blocks. */
  call(given: readonly unknown[]): unknown {
    checkCount(this.#target, this.shape, given);
    if (this.flat) {
      for (let index = 0; index < given.length; index++) this.flat.given[index] = given[index];
      return this.callFlat(this.flat);
    }
    try {
      return this.#finish(this.#callMessage(given));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Calls it by lane 0 with the arguments that the caller of {@linkcode flat} holds. Blocks. */
  callFlat(flat: FlatCaller): unknown {
    try {
      this.#client.call(this.opcode, flat.work, this.#laneOptions);
    } catch (error) {
      throw this.#explained(error);
    }
    this.errno = flat.errno;
    return flat.errno === 0 ? flat.result : this.#finish(flat);
  }

  /** As {@linkcode call}, without blocking the event loop. */
  async callAsync(given: readonly unknown[]): Promise<unknown> {
    const target = this.#target;
    checkCount(target, this.shape, given);
    const { flat } = this;
    // Before the first wait: the caller may change its arrays meanwhile.
    const message = flat ? undefined : this.#messageOf(given);
    try {
      if (this.#opcode === NOT_FOUND) {
        this.#opcode = await findFunctionAsync(this.#client, target, this.#waits);
      }
      if (flat) return this.#finish(await this.#callFlatAsync(flat, given));
      return this.#finish(await this.#callMessageAsync(message!));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Calls it by several lanes at once. Blocks. */
  callLanes(given: LaneCalls): unknown[] {
    const calls = Array.from(given); // without holes, which map() would keep
    for (const given of calls) if (given) checkCount(this.#target, this.shape, given);
    const mask = laneMask(...calls.flatMap((given, lane) => given ? [lane] : []));
    const { flat } = this;
    let replies: readonly (HostReply | undefined)[];
    try {
      replies = flat ? this.#lanesFlat(flat, calls, mask) : this.#lanesStream(calls, mask);
    } catch (error) {
      throw this.#explained(error);
    }
    this.errno = replies.find((reply) => reply?.errno)?.errno ?? 0;
    return calls.map((_, lane) => replies[lane]?.result);
  }

  #messageOf(given: readonly unknown[]): Message {
    const values = valuesByParameter(this.#target, this.shape, given);
    const request = encodeRequest(this.#target, values);
    return { values, request, options: { ...this.#waits, limitBytes: this.#limitBytes(values) } };
  }

  #callMessage(given: readonly unknown[]): HostReply {
    const { values, request, options } = this.#messageOf(given);
    const reply = this.#client.callMessage(this.opcode + 1, request, options);
    return decodeReply(this.#target, values, reply);
  }

  async #callMessageAsync({ values, request, options }: Message): Promise<HostReply> {
    const reply = await this.#client.callMessageAsync(this.#opcode + 1, request, options);
    return decodeReply(this.#target, values, reply);
  }

  async #callFlatAsync(flat: FlatCaller, given: readonly unknown[]): Promise<HostReply> {
    let reply: HostReply | undefined;
    await this.#client.callAsync(this.#opcode, {
      fill: (packet) => flat.write(packet, 0, given),
      use: (packet) => void (reply = flat.read(packet, 0)),
    }, this.#laneOptions);
    return reply!;
  }

  #lanesFlat(flat: FlatCaller, calls: LaneCalls, mask: LaneMask): readonly HostReply[] {
    const replies: HostReply[] = [];
    this.#client.call(this.opcode, {
      fill: (packet) => packet.forEachLane((lane) => flat.write(packet, lane, calls[lane]!)),
      use: (packet) => packet.forEachLane((lane) => void (replies[lane] = flat.read(packet, lane))),
    }, { ...this.#waits, mask });
    return replies;
  }

  #lanesStream(calls: LaneCalls, mask: LaneMask): readonly (HostReply | undefined)[] {
    const values = calls.map((given) =>
      given && valuesByParameter(this.#target, this.shape, given)
    );
    const requests = values.map((one) => one && encodeRequest(this.#target, one));
    const limitBytes = Math.max(...Array.from(values, (one) => one ? this.#limitBytes(one) : 0));
    using port = this.#client.open(this.opcode, { ...this.#waits, mask });
    sendStream(port, requests);
    const replies = recvStream(port, { limitBytes });
    return values.map((one, lane) => one && decodeReply(this.#target, one, replies[lane]!));
  }

  #limitBytes(values: readonly unknown[]): number {
    return replyLimitBytes(this.#target, values, this.#textLimitBytes);
  }

  #finish({ result, errno }: HostReply): unknown {
    const { failsWith, meaningOf } = this.#target.signature;
    this.errno = errno;
    // By Object.is(), too: NaN says that a call failed, and is not itself.
    const isFailure = result === failsWith || Object.is(result, failsWith);
    if (errno === 0 || failsWith === undefined || !isFailure) return result;
    throw new ErrnoError(errno, `call ${this.#target.name}`, meaningOf?.(errno));
  }

  /** What a caller is told; a function that is not what it was is looked for anew by the next call. */
  #explained(error: unknown): unknown {
    if (!(error instanceof CallError)) return error;
    const { status, opcode, cause } = error;
    const isOther = isOtherSignature(error);
    if (isOther || status === Status.unhandledOpcode) this.#opcode = NOT_FOUND;
    if (opcode === Opcode.findFunction) return error;
    const { name, text } = this.#target;
    if (!(cause instanceof Error)) return new CallError(status, { opcode, detail: name });
    const mine = isOther ? `, and for the caller ${text}` : "";
    // The words of the function are what its caller is to read: whose they are comes behind.
    const message = `${cause.message}${mine}${cause.message.includes(name) ? "" : ` (${name})`}`;
    return new CallError(status, { opcode, message, cause });
  }
}

/**
 * The values of a call by parameter: constants where they belong, variadic arguments as one list.
 *
 * @throws {TypeError} when there are too few or too many
 */
export function valuesByParameter(
  target: ApiFunction,
  shape: CallShape,
  given: readonly unknown[],
): unknown[] {
  checkCount(target, shape, given);
  let next = 0;
  return target.signature.parameters.map((parameter) => {
    if (parameter.kind === "constant") return parameter.value;
    return parameter.kind === "variadic" ? given.slice(next) : given[next++];
  });
}

/** Checks how many arguments there are; throws as {@linkcode valuesByParameter}. */
export function checkCount(
  { name }: ApiFunction,
  { argumentCount, isVariadic }: CallShape,
  given: readonly unknown[],
): void {
  if (given.length === argumentCount || (isVariadic && given.length > argumentCount)) return;
  const least = isVariadic ? "at least " : "";
  throw new TypeError(
    `Cannot call ${name} with ${given.length} arguments as it takes ${least}${argumentCount}`,
  );
}

const ANSWER_LIMIT_BYTES = 1 << 10;

/**
 * Asks a server for the opcode of a function, by its name and signature. Blocks.
 *
 * @throws {CallError} when there is none of the name, with the nearest one; when the signature is
 * another, with both; when the server has no functions at all
 */
export function findFunction(client: Client, target: ApiFunction, options: WaitOptions): number {
  try {
    return opcodeOf(client.callMessage(Opcode.findFunction, question(target), limited(options)));
  } catch (error) {
    throw explained(target, error);
  }
}

/** As {@linkcode findFunction}, without blocking the event loop. */
export async function findFunctionAsync(
  client: Client,
  target: ApiFunction,
  options: WaitOptions,
): Promise<number> {
  const asked = client.callMessageAsync(Opcode.findFunction, question(target), limited(options));
  return opcodeOf(await asked.catch((error) => Promise.reject(explained(target, error))));
}

/** Whether what serves the opcode has another signature. */
function isOtherSignature({ cause }: CallError): boolean {
  return (cause as Error | undefined)?.name === "SignatureError";
}

function question({ name, text }: ApiFunction): Uint8Array {
  return jsonCodec.encode({ name, text });
}

function limited(options: WaitOptions): MessageOptions {
  return { ...options, limitBytes: ANSWER_LIMIT_BYTES };
}

function opcodeOf(answer: Uint8Array): number {
  const opcode = (jsonCodec.decode(answer) as { readonly opcode?: unknown } | null | undefined)
    ?.opcode;
  const isFunction = Number.isInteger(opcode) && opcode as number >= FUNCTION_OPCODE_FIRST &&
    opcode as number < USER_OPCODE_FIRST;
  if (isFunction) return opcode as number;
  throw new RangeError(
    `Cannot use the server's answer as it is no opcode of a function: ${opcode}`,
  );
}

function explained({ name }: ApiFunction, error: unknown): unknown {
  if (!(error instanceof CallError)) return error;
  const { status, opcode, cause } = error;
  if (cause instanceof Error) {
    return new CallError(status, { opcode, message: cause.message, cause });
  }
  if (status !== Status.unhandledOpcode) return error;
  const detail = `it was asked for the function ${name}, and serves none by name`;
  return new CallError(status, { opcode, detail });
}
