import { CallError } from "../../call/call_error.ts";
import { recvBytes, sendBytes } from "../../call/stream.ts";
import { type LaneMask, maskOf } from "../../memory/lane_mask.ts";
import { Opcode } from "../../memory/opcode.ts";
import type { CallBytesOptions, CallOptions, Client } from "../../toggle/client/client.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { ErrnoError } from "../declare/errno.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { type CallShape, callShape } from "../wire/call_shape.ts";
import { decodeReply, type HostReply, replyLimitBytes } from "../wire/reply.ts";
import { encodeRequest } from "../wire/request_encoder.ts";
import { checkCount, valuesByParameter } from "./arguments.ts";
import { findFunction, findFunctionAsync, isElsewhere, isOtherSignature } from "./find_function.ts";
import { FlatCaller } from "./flat_caller.ts";

/** How functions are called. */
export interface ConnectOptions extends WaitOptions {
  /** The longest text that a function may return, in bytes; 1 MiB when absent. */
  readonly limitBytes?: number;
}

const TEXT_LIMIT_BYTES = 1 << 20;
const NOT_FOUND = -1;

/** The arguments of each lane; `undefined` for one that takes no part. */
type LaneCalls = readonly (readonly unknown[] | undefined)[];

/** A call as it is sent. */
interface Message {
  /** By parameter: what comes back is put into them. */
  readonly values: readonly unknown[];
  readonly request: Uint8Array;
  readonly options: CallBytesOptions;
}

/** The calls of one function by one client. */
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
    const { limitBytes = TEXT_LIMIT_BYTES, ...waits } = options;
    this.flat = FlatCaller.of(target);
    this.shape = callShape(target.signature);
    this.#client = client;
    this.#target = target;
    this.#waits = waits;
    this.#textLimitBytes = limitBytes;
    this.#laneOptions = { ...waits, mask: maskOf(0) };
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
    const mask = maskOf(...calls.flatMap((given, lane) => given ? [lane] : []));
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
    const reply = this.#client.callBytes(this.opcode + 1, request, options);
    return decodeReply(this.#target, values, reply);
  }

  async #callMessageAsync({ values, request, options }: Message): Promise<HostReply> {
    const reply = await this.#client.callBytesAsync(this.#opcode + 1, request, options);
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
    const limitBytes = Math.max(...values.map((one) => one ? this.#limitBytes(one) : 0));
    using port = this.#client.open(this.opcode, { ...this.#waits, mask });
    sendBytes(port, requests);
    const replies = recvBytes(port, { limitBytes });
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
    if (isElsewhere(error)) this.#opcode = NOT_FOUND;
    if (opcode === Opcode.findFunction) return error;
    const mine = isOtherSignature(error) ? `, and for the caller ${this.#target.text}` : "";
    const detail = `${this.#target.name}${cause ? `: ${(cause as Error).message}` : ""}${mine}`;
    return new CallError(status, { opcode, detail, ...(cause ? { cause: cause as Error } : {}) });
  }
}
