import { jsonCodec } from "../../call/codec.ts";
import { limitOf, type LimitOptions } from "../../call/limit.ts";
import {
  type CodecOptions,
  type MessageOptions,
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import {
  recvStream,
  recvStreamAsync,
  sendStream,
  sendStreamAsync,
  type SendStreamOptions,
} from "../../call/stream.ts";
import { assert } from "../../memory/assert.ts";
import type { Channel } from "../channel.ts";
import { type CallOptions, type ClientCall, clientCall } from "./client_call.ts";
import { CallBatch } from "./call_batch.ts";
import { ClientSide } from "./client_side.ts";
import { type CallHead, ClientPort } from "./client_port.ts";
import { fullMask, type LaneMask, maskProblem, maskText } from "../../memory/lane_mask.ts";
import { checkOpcode } from "../../memory/opcode.ts";
import { type CallWork, Packet, type PacketWork } from "../../memory/packet.ts";
import { Form, NO_REPLY } from "../../memory/port_headers.ts";
import { mayBlock } from "../../memory/words.ts";
import { refuseToBlock } from "../../wait/async_only_waiter.ts";
import { Deadline, type WaitOptions } from "../../wait/deadline.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { GatheredCalls } from "./gathered_calls.ts";
import { PortClaim } from "./port_claim.ts";
import { type PortWaiter } from "../../wait/inbox_waiter.ts";
import { type WaiterName } from "../../wait/strategy.ts";

interface FormedMessage extends MessageOptions {
  readonly form: Form;
}

/**
 * The side that starts. One per worker; any number of workers may have one on the same channel.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `tryOpen` | yes: one look at each port | no | yes |
 * | `open` | no | until a port is free | no |
 * | `call` | no | until a port is free, then until the reply | no |
 * | `callMany` | no | as `call`, until all have ended | no |
 * | `cast` | no | until a port is free | no |
 *
 * @example One synchronous call
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Client } from "./client.ts";
 * import { Server } from "../server/server.ts";
 *
 * const channel = Channel.create({ portCount: 1, laneCount: 1 });
 * const server = new Server(channel); // usually in another worker, see startServer()
 * server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 *
 * const client = new Client(channel);
 * const sent = client.open(40_000).send((packet) => packet.setUint32(0, 0, 41));
 * server.runOnce();
 * sent.recv((packet) => {
 *   if (packet.getUint32(0, 0) !== 42) throw new Error("41 + 1");
 * }).close();
 * ```
 */
export class Client {
  readonly #side: ClientSide;
  readonly #claim: PortClaim;
  readonly #gathered: GatheredCalls;
  readonly #fullMask: LaneMask;
  readonly #call: ClientCall;
  /** An opcode that was checked already: most clients ask for the same thing again. */
  #goodOpcode = 0;
  /** The packet object of `cast`, used again; absent while one runs. */
  #spare: Packet | undefined;
  /** As `#spare`, for `callMany`. */
  #spareBatch: CallBatch | undefined;

  /**
   * Takes a number of its own on the channel.
   *
   * @param options `waiter`: how it waits; `adaptive` when absent
   */
  constructor(channel: Channel, options: { readonly waiter?: WaiterName | PortWaiter } = {}) {
    const { waiter = "adaptive" } = options;
    this.#side = new ClientSide(channel, waiter);
    this.#claim = new PortClaim(this.#side);
    this.#gathered = new GatheredCalls(this.#side, this.#claim);
    // As signed words, which fit into a tagged small integer: 0xffffffff would be a number on the
    // heap, made anew for each call that is not inlined.
    const { lo, hi } = fullMask(channel.layout.laneCount);
    this.#fullMask = { lo: lo | 0, hi: hi | 0 };
    // Here, so that no call pays for the question, and none is sent that could not be waited for.
    const mayCall = typeof waiter !== "string" || mayBlock();
    this.#call = mayCall
      ? clientCall(this.#side, this.#claim, (...head) => this.#headOf(...head))
      : refuseToBlock;
    if (!mayCall) this.callMany = refuseToBlock;
  }

  /** This client's number on the channel: what `reclaimClient` takes. */
  get id(): number {
    return this.#side.ownerId;
  }

  /**
   * Opens a port if one is free. Bounded: one pass over the ports. May say no while ports are
   * free, when other workers were quicker.
   *
   * @throws {RangeError} when the opcode or the mask is not one of this channel, or a timeout no time
   * @throws {CallError} when the channel was shut down
   */
  tryOpen(
    opcode: number,
    options: { readonly mask?: LaneMask } = {},
  ): ClientPort<"fresh"> | undefined {
    const mask = this.#checkHead(opcode, options.mask);
    const index = this.#claim.tryClaim(opcode);
    if (index === NO_PORT) return undefined;
    return this.#openAt(index, { opcode, mask, deadline: undefined });
  }

  /**
   * Opens a port, waiting until one is free. Blocks. On the main thread of a page, where no blocking
   * operation may wait, it throws a `TypeError` instead.
   *
   * @throws as {@linkcode tryOpen}, at the deadline a `DOMException` named `TimeoutError`, and the
   * reason of a signal that was aborted
   */
  open(opcode: number, options?: CallOptions): ClientPort<"fresh"> {
    const head = this.#headOf(opcode, options);
    return this.#openAt(this.#claim.claim(opcode, head.deadline), head);
  }

  /** As {@linkcode open}, with the object of a port of this client that was closed. */
  reopen(port: ClientPort, opcode: number, options?: CallOptions): ClientPort<"fresh"> {
    assert(!port.isOpen, "a port object lives one port at a time");
    assert(port.isOf(this.#side), "a port object stays with the client that made it");
    const head = this.#headOf(opcode, options);
    port.begin(this.#claim.claim(opcode, head.deadline), head);
    return port as ClientPort<"fresh">;
  }

  /** As {@linkcode open}, without blocking the event loop. */
  async openAsync(opcode: number, options?: CallOptions): Promise<ClientPort<"fresh">> {
    const head = this.#headOf(opcode, options);
    return this.#openAt(await this.#claim.claimAsync(opcode, head.deadline), head);
  }

  /**
   * A synchronous call: open, send, recv, close, with no port object between. Blocks. Allocates
   * nothing unless it must wait for a port. The callbacks may call, too, if there are ports left.
   *
   * @throws {CallError} when the server refused, failed or is gone
   * @throws {TypeError} on the main thread of a page, which may not block: see {@linkcode callAsync}
   */
  call(opcode: number, work: CallWork, options?: CallOptions): void {
    this.#call(opcode, work, options);
  }

  /**
   * Many calls of one opcode at once: on as many ports as are free, and round by round where there are more
   * calls. Blocks until each has ended, and allocates nothing where all went well. A call costs a fraction
   * of {@linkcode call} on a channel with `mailboxWidth: "bit"`, where up to 32 are sent with one flip.
   *
   * @param works the callbacks of each; one object may be there many times. They run one at a time, `fill` in
   * order, `use` as the answers come
   * @param options of each of the calls; the time is that of all of them
   * @throws {AggregateError} when some failed, once all have ended: `errors` has in the place of each of the
   * `works` what {@linkcode call} would have thrown, or `undefined` where it went well
   * @throws {RangeError} when the opcode, the mask or the timeout is none
   */
  callMany(opcode: number, works: readonly CallWork[], options?: CallOptions): void {
    const head = this.#headOf(opcode, options);
    const batch = this.#spareBatch ?? new CallBatch(this.#side, this.#claim);
    this.#spareBatch = undefined;
    try {
      batch.run(works, head);
    } finally {
      this.#spareBatch = batch;
    }
  }

  /** As {@linkcode callMany}, without blocking the event loop. */
  async callManyAsync(
    opcode: number,
    works: readonly CallWork[],
    options?: CallOptions,
  ): Promise<void> {
    const head = this.#headOf(opcode, options);
    await new CallBatch(this.#side, this.#claim).runAsync(works, head);
  }

  /** An asynchronous call: open, send, close. Nobody learns how it ended. Waits for a free port. */
  cast(opcode: number, fill: PacketWork, options?: CallOptions): void {
    const side = this.#side;
    const mask = this.#checkHead(opcode, options?.mask);
    const index = this.#claim.claim(opcode, Deadline.of(options));
    const packet = this.#takePacket();
    try {
      side.headers.begin(index, opcode | NO_REPLY, mask);
      packet.aim(index, mask.lo, mask.hi);
      const filled: unknown = fill(packet);
      if (filled !== undefined) packet.checkSync(filled, "a fill");
      side.giveAway(index);
    } finally {
      side.unlock(index);
      if (!packet.isDetached) this.#spare = packet;
    }
  }

  /**
   * As {@linkcode call}, without blocking the event loop for more than a microsecond or two. On a channel with
   * `mailboxWidth: "bit"` the calls of one turn of the event loop are sent together when the turn ends.
   */
  async callAsync(opcode: number, work: CallWork, options?: CallOptions): Promise<void> {
    await this.#gathered.call(work, this.#headOf(opcode, options));
  }

  /**
   * A synchronous call with a message there and one back, bytes of any length: one packet each way where
   * it fits (`laneCount` x 64 - 8 bytes), more where not, over all lanes. Blocks.
   *
   * @param options `limitBytes`: the longest answer that is taken; a mebibyte when absent
   * @returns memory of its own
   * @throws {RangeError} when the limit is not a number of at least 0
   * @throws {LengthRefusedError} when the answer is longer than `limitBytes`, before it is allocated
   * @throws {CallError} as {@linkcode call}; with status `lengthRefused` for what the server refuses
   */
  callMessage(
    opcode: number,
    bytes: Uint8Array,
    options: LimitOptions & WaitOptions = {},
  ): Uint8Array {
    return this.#callMessage(opcode, bytes, { ...options, form: Form.message });
  }

  #callMessage(opcode: number, bytes: Uint8Array, options: FormedMessage): Uint8Array {
    const { form } = options;
    const limitBytes = limitOf(options);
    using port = this.open(opcode, { ...options, mask: this.#fullMask });
    sendMessage(port, bytes, { form });
    return recvMessage(port, { limitBytes });
  }

  /** As {@linkcode callMessage}, without blocking the event loop. */
  async callMessageAsync(
    opcode: number,
    bytes: Uint8Array,
    options: LimitOptions & WaitOptions = {},
  ): Promise<Uint8Array> {
    return await this.#callMessageAsync(opcode, bytes, { ...options, form: Form.message });
  }

  async #callMessageAsync(
    opcode: number,
    bytes: Uint8Array,
    options: FormedMessage,
  ): Promise<Uint8Array> {
    const { form } = options;
    const limitBytes = limitOf(options);
    using port = await this.openAsync(opcode, { ...options, mask: this.#fullMask });
    await sendMessageAsync(port, bytes, { form });
    return await recvMessageAsync(port, { limitBytes });
  }

  /**
   * A synchronous call with a payload of each lane there, and one back; see {@linkcode sendStream}. Blocks.
   *
   * @param bytesByLane the payloads; what is missing counts as empty
   * @param options `limitBytes`: the longest answer of one lane
   * @returns the answers by lane; `undefined` for lanes that do not take part
   * @throws as {@linkcode callMessage}
   */
  callStream(
    opcode: number,
    bytesByLane: readonly (Uint8Array | undefined)[],
    options: CallOptions & LimitOptions & SendStreamOptions = {},
  ): (Uint8Array | undefined)[] {
    const limitBytes = limitOf(options);
    const port: ClientPort = this.open(opcode, options);
    try {
      sendStream(port, bytesByLane, { window: options.window ?? 1 });
      return recvStream(port as ClientPort<"theirs">, { limitBytes });
    } finally {
      port.close();
    }
  }

  /** As {@linkcode callStream}, without blocking the event loop, and without a window. */
  async callStreamAsync(
    opcode: number,
    bytesByLane: readonly (Uint8Array | undefined)[],
    options: CallOptions & LimitOptions = {},
  ): Promise<(Uint8Array | undefined)[]> {
    const limitBytes = limitOf(options);
    using port: ClientPort = await this.openAsync(opcode, options);
    await sendStreamAsync(port, bytesByLane);
    return await recvStreamAsync(port as ClientPort<"theirs">, { limitBytes });
  }

  /**
   * A synchronous call with a value there and another one back: a message that a codec writes. Blocks.
   *
   * @returns what the server returned, as the codec brought it here: check it as you would check a file
   * @throws as {@linkcode callMessage}, and what the codec throws
   *
   * @example
   * ```ts
   * import { Channel } from "../channel.ts";
   * import { Server } from "../server/server.ts";
   * import { Client } from "./client.ts";
   *
   * const channel = Channel.create({ portCount: 1, laneCount: 1 });
   * const server = new Server(channel);
   * server.operateValue(40_000, (value) => ({ got: value }));
   * const served = server.runAsync();
   * const answer = await new Client(channel).callValueAsync(40_000, [1, 2]);
   * if (JSON.stringify(answer) !== '{"got":[1,2]}') throw new Error("the server's answer");
   * channel.shutDown();
   * await served;
   * ```
   */
  callValue(opcode: number, value: unknown, options: CodecOptions & WaitOptions = {}): unknown {
    const { codec = jsonCodec } = options;
    const bytes = codec.encode(value);
    return codec.decode(this.#callMessage(opcode, bytes, { ...options, form: Form.value }));
  }

  /** As {@linkcode callValue}, without blocking the event loop. */
  async callValueAsync(
    opcode: number,
    value: unknown,
    options: CodecOptions & WaitOptions = {},
  ): Promise<unknown> {
    const { codec = jsonCodec } = options;
    const message = { ...options, form: Form.value };
    return codec.decode(await this.#callMessageAsync(opcode, codec.encode(value), message));
  }

  #takePacket(): Packet {
    const packet = this.#spare ?? new Packet(this.#side.views);
    this.#spare = undefined;
    return packet;
  }

  #openAt(index: number, call: CallHead): ClientPort<"fresh"> {
    const port = new ClientPort<"fresh">(this.#side);
    port.begin(index, call);
    return port;
  }

  #headOf(opcode: number, options: CallOptions | undefined): CallHead {
    const mask = this.#checkHead(opcode, options?.mask);
    return { opcode, mask, deadline: Deadline.of(options) };
  }

  #checkHead(opcode: number, mask: LaneMask | undefined): LaneMask {
    if (opcode !== this.#goodOpcode) this.#checkOpcode(opcode);
    if (mask === undefined) return this.#fullMask;
    const fault = maskProblem(mask, this.#side.channel.layout.laneCount);
    if (fault === undefined) return mask;
    throw new RangeError(`Cannot open a port with the lane mask ${maskText(mask)} as ${fault}`);
  }

  #checkOpcode(opcode: number): void {
    checkOpcode(opcode);
    this.#goodOpcode = opcode;
  }
}
