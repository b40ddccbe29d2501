import { CallError } from "../../call/call_error.ts";
import { recvBytes, sendBytes } from "../../call/stream.ts";
import { type LaneMask, maskOf } from "../../memory/lane_mask.ts";
import type { CallWork, Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import type { Client } from "../../toggle/client/client.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { ErrnoError } from "../declare/errno.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { type CallShape, callShape } from "../wire/call_shape.ts";
import { decodeReply, type HostReply, replyLimitBytes } from "../wire/reply.ts";
import { encodeRequest } from "../wire/request_encoder.ts";
import { checkCount, valuesByParameter } from "./arguments.ts";
import { findFunction, findFunctionAsync } from "./find_function.ts";
import { FlatWriter } from "./flat_writer.ts";

/** How functions are called. */
export interface ConnectOptions extends WaitOptions {
  /** The longest text that a function may return, in bytes; 1 MiB when absent. */
  readonly limitBytes?: number;
}

const TEXT_LIMIT_BYTES = 1 << 20;
const NOT_FOUND = -1;
const FIRST_LANE = { mask: maskOf(0) };

/** The calls of one function by one client. */
export class FunctionClient {
  /** C's `errno` of the last call that ended. */
  errno = 0;
  readonly #client: Client;
  readonly #target: ApiFunction;
  readonly #options: ConnectOptions;
  readonly #shape: CallShape;
  readonly #flat: FlatWriter | undefined;
  /** The options of calls that fit a packet; without limits the same object for all. */
  readonly #laneOptions: WaitOptions & { readonly mask: LaneMask };
  #opcode = NOT_FOUND;
  /** Arguments and reply of the synchronous call that is under way: nothing else runs meanwhile. */
  #given: readonly unknown[] = [];
  #reply: HostReply = { result: undefined, errno: 0 };
  readonly #work: CallWork;
  #first: unknown;
  #second: unknown;
  #errno2 = 0;
  #result2: unknown;
  readonly #work2: CallWork;

  constructor(client: Client, target: ApiFunction, options: ConnectOptions) {
    const flat = FlatWriter.of(target);
    this.#client = client;
    this.#target = target;
    this.#options = options;
    this.#shape = callShape(target.signature);
    this.#flat = flat;
    const { timeoutSeconds, signal } = options;
    this.#laneOptions = timeoutSeconds === undefined && !signal ? FIRST_LANE : {
      ...FIRST_LANE,
      ...options,
    };
    this.#work2 = {
      fill: (packet) => flat!.write2(packet, this.#first, this.#second),
      use: (packet) => {
        this.#result2 = flat!.read2(packet);
        this.#errno2 = flat!.errno;
      },
    };
    this.#work = {
      fill: (packet) => flat!.write(packet, 0, this.#given),
      use: (packet) => void (this.#reply = flat!.read(packet, 0)),
    };
  }

  /** The opcode of its calls, which the server is asked for when it is not known yet. Blocks. */
  get opcode(): number {
    if (this.#opcode === NOT_FOUND) {
      this.#opcode = findFunction(this.#client, this.#target, this.#options);
    }
    return this.#opcode;
  }

  get argumentCount() { return this.#shape.argumentCount; }
  get isFlat() { return this.#flat !== undefined; }
  /** Calls it. Blocks. */
  call(given: readonly unknown[]): unknown {
    checkCount(this.#target, this.#shape, given);
    try {
      return this.#finish(this.#flat ? this.#callFlat(given) : this.#callMessage(given));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** As {@linkcode call}, without blocking the event loop. */
  async callAsync(given: readonly unknown[]): Promise<unknown> {
    const target = this.#target;
    checkCount(target, this.#shape, given);
    try {
      if (this.#opcode === NOT_FOUND) {
        this.#opcode = await findFunctionAsync(this.#client, target, this.#options);
      }
      return this.#finish(await this.#replyAsync(given));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /**
   * Calls it by several lanes at once. Blocks.
   *
   * @param calls the arguments of each lane; `undefined` for one that takes no part
   */
  callLanes(calls: readonly (readonly unknown[] | undefined)[]): unknown[] {
    const lanes = calls.flatMap((given, lane) => given ? [lane] : []);
    for (const given of calls) if (given) checkCount(this.#target, this.#shape, given);
    const mask = maskOf(...lanes);
    let replies: (HostReply | undefined)[];
    try {
      replies = this.#flat ? this.#lanesFlat(calls, mask) : this.#lanesStream(calls, mask);
    } catch (error) {
      throw this.#explained(error);
    }
    this.errno = replies.find((reply) => reply?.errno)?.errno ?? 0;
    return calls.map((_, lane) => replies[lane]?.result);
  }

  call2(first: unknown, second: unknown): unknown {
    this.#first = first;
    this.#second = second;
    if (this.#opcode === NOT_FOUND) this.#opcode = this.opcode;
    try {
      this.#client.call(this.#opcode, this.#work2, this.#laneOptions);
    } catch (error) {
      throw this.#explained(error);
    }
    if (this.#errno2 !== 0) return this.#finish({ result: this.#result2, errno: this.#errno2 });
    this.errno = 0;
    return this.#result2;
  }

  #callFlat(given: readonly unknown[]): HostReply {
    this.#given = given;
    this.#client.call(this.opcode, this.#work, this.#laneOptions);
    return this.#reply;
  }

  #callMessage(given: readonly unknown[]): HostReply {
    const values = valuesByParameter(this.#target, this.#shape, given);
    const request = encodeRequest(this.#target, values);
    const options = { ...this.#options, limitBytes: this.#limitBytes(values) };
    const reply = this.#client.callBytes(this.opcode + 1, request, options);
    return decodeReply(this.#target, values, reply);
  }

  async #replyAsync(given: readonly unknown[]): Promise<HostReply> {
    const flat = this.#flat;
    if (flat) {
      let reply: HostReply | undefined;
      await this.#client.callAsync(this.#opcode, {
        fill: (packet) => flat.write(packet, 0, given),
        use: (packet) => void (reply = flat.read(packet, 0)),
      }, this.#laneOptions);
      return reply!;
    }
    const values = valuesByParameter(this.#target, this.#shape, given);
    const options = { ...this.#options, limitBytes: this.#limitBytes(values) };
    const request = encodeRequest(this.#target, values);
    const bytes = await this.#client.callBytesAsync(this.#opcode + 1, request, options);
    return decodeReply(this.#target, values, bytes);
  }

  #lanesFlat(
    calls: readonly (readonly unknown[] | undefined)[],
    mask: LaneMask,
  ): HostReply[] {
    const flat = this.#flat!;
    const replies: HostReply[] = [];
    this.#client.call(this.opcode, {
      fill: (packet: Packet) =>
        packet.forEachLane((lane) => flat.write(packet, lane, calls[lane]!)),
      use: (packet) =>
        packet.forEachLane((lane) => {
          replies[lane] = flat.read(packet, lane);
        }),
    }, { ...this.#options, mask });
    return replies;
  }

  #lanesStream(
    calls: readonly (readonly unknown[] | undefined)[],
    mask: LaneMask,
  ): (HostReply | undefined)[] {
    const values = calls.map((given) =>
      given && valuesByParameter(this.#target, this.#shape, given)
    );
    const requests = values.map((one) => one && encodeRequest(this.#target, one));
    const limits = values.map((one) => one ? this.#limitBytes(one) : 0);
    using port = this.#client.open(this.opcode, { ...this.#options, mask });
    sendBytes(port, requests);
    const replies = recvBytes(port, { limitBytes: Math.max(...limits) });
    return values.map((one, lane) => one && decodeReply(this.#target, one, replies[lane]!));
  }

  #limitBytes(values: readonly unknown[]): number {
    return replyLimitBytes(this.#target, values, this.#options.limitBytes ?? TEXT_LIMIT_BYTES);
  }

  #finish({ result, errno }: HostReply): unknown {
    const { failsWith } = this.#target.signature;
    this.errno = errno;
    if (errno === 0 || failsWith === undefined || result !== failsWith) return result;
    throw new ErrnoError(errno, `call ${this.#target.name}`);
  }

  /** An error of a call as a reader can use it; a function that is gone is looked for anew next time. */
  #explained(error: unknown): unknown {
    if (!(error instanceof CallError)) return error;
    const { status, opcode, cause } = error;
    const isOther = (cause as Error | undefined)?.name === "SignatureError";
    if (status !== Status.unhandledOpcode && !isOther) return error;
    this.#opcode = NOT_FOUND;
    if (!isOther) return error;
    const detail = `${(cause as Error).message}, and for the caller ${this.#target.text}`;
    return new CallError(status, { opcode, detail, cause: cause as Error });
  }
}
