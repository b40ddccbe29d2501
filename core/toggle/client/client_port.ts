import { CallError } from "../../call/call_error.ts";
import { assert } from "../../memory/assert.ts";
import { Status } from "../../memory/status.ts";
import type { ClientSide } from "./client_side.ts";
import { readFault, readFaultAsync, readFirstFault } from "./fault_reader.ts";
import type { Form } from "../../memory/port_headers.ts";
import type { LaneMask } from "../../memory/lane_mask.ts";
import { type Holder, type PartSteps, Port, PortState } from "../port.ts";
import type { CallWork, PacketWork } from "../../memory/packet.ts";
import { Deadline, type WaitOptions } from "../../wait/deadline.ts";
import { WaitEnd } from "../../wait/wait_end.ts";

const CUT = "the stream ended before the length that it began with";

/** What a port is opened with. */
export interface CallHead {
  readonly opcode: number;
  readonly mask: LaneMask;
  readonly deadline: Deadline | undefined;
}

/**
 * A port that a client opened. Starts with `send`; after that any order of sends and receives that
 * the server's handler mirrors. Methods return the same object under its new type, so that a chain
 * `port.send(...).recv(...)` compiles only in an order that the protocol has.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `use` | yes | no | no |
 * | `send` | yes, after `open` or `recv` | after a `send`: until the server took it | no |
 * | `recv` | no | until the server gives the buffer back | no |
 * | `tryRecv`, `query` | yes | no | yes |
 * | `close` | yes | no | no |
 *
 * Waiting operations throw a `CallError` when the server refused the call, failed or went away;
 * only `close` is left then. Their deadline is that of `open`, of the whole call, unless they are
 * given one of their own; there they throw a `DOMException`, and may be tried again. Once the deadline of
 * the whole call is over, every operation without one of its own does. A callback that
 * throws leaves the port where it was: a packet that came is there for the next `recv`.
 */
export class ClientPort<H extends Holder = Holder> extends Port {
  /** There for the compiler only: keeps ports of different states apart. */
  declare readonly holder: H;
  readonly #side: ClientSide;
  #opcode = 0;
  /** Of the whole call, where `open` was given one. */
  #deadline: Deadline | undefined;
  #gaveAway = false;
  /** Ends the asynchronous wait that is under way. */
  #waitEnd: WaitEnd | undefined;

  /** @internal For `Client`, which holds the lock of the port. */
  constructor(side: ClientSide) {
    super(side);
    this.#side = side;
  }

  /** @internal Starts a call on a port whose lock was just taken; for `Client`. */
  begin(index: number, { opcode, mask, deadline }: CallHead): void {
    this.beginAt(index);
    this.packet.aim(index, mask.lo, mask.hi);
    this.#side.begin(index, opcode, mask);
    this.#opcode = opcode;
    this.#deadline = deadline;
    this.#gaveAway = false;
  }

  /** @internal Says what the first packet of the call begins; nothing after that. */
  declareForm(form: Form): void {
    if (this.state === PortState.fresh) this.#side.headers.setForm(this.index, form);
  }

  /** @internal Whether this object was made by the client that has this side. */
  isOf(side: ClientSide): boolean {
    return this.#side === side;
  }

  /** Fills the packet and gives it to the server. */
  send(fill: PacketWork, options?: WaitOptions): ClientPort<"theirs"> {
    this.assertUsable();
    const limit = this.#limit(options);
    if (this.state === PortState.theirs) this.#awaitBuffer(limit, true);
    this.work(fill);
    this.#giveAway();
    return this as unknown as ClientPort<"theirs">;
  }

  /** Waits until the server gives the packet back, and uses it. */
  recv(
    this: ClientPort<"mine" | "theirs">,
    use: PacketWork,
    options?: WaitOptions,
  ): ClientPort<"mine"> {
    const limit = this.#beginRecv(options);
    if (this.state === PortState.theirs) this.#awaitBuffer(limit);
    this.read(use);
    return this as unknown as ClientPort<"mine">;
  }

  /** As {@linkcode recv}, without blocking the event loop. */
  async recvAsync(
    this: ClientPort<"mine" | "theirs">,
    use: PacketWork,
    options?: WaitOptions,
  ): Promise<ClientPort<"mine">> {
    const limit = this.#beginRecv(options);
    const read = () => this.read(use);
    if (this.state === PortState.theirs) await this.#awaitBufferAsync(limit, { next: read });
    else read();
    return this as unknown as ClientPort<"mine">;
  }

  /** As {@linkcode send}, without blocking the event loop. */
  async sendAsync(fill: PacketWork, options?: WaitOptions): Promise<ClientPort<"theirs">> {
    this.assertUsable();
    const limit = this.#limit(options);
    const send = () => void this.send(fill, limit);
    if (this.state === PortState.theirs) {
      await this.#awaitBufferAsync(limit, { next: send, isSending: true });
    } else send();
    return this as unknown as ClientPort<"theirs">;
  }

  /**
   * Uses the packet if the server gave it back already; one bounded look. Of the error of a handler
   * it tells what is in the packet: to wait for the rest would not be bounded.
   */
  tryRecv(this: ClientPort<"theirs">, use: PacketWork): ClientPort<"mine"> | undefined {
    if (!this.query()) return undefined;
    if (!this.#takeBuffer()) throw readFirstFault(this.#side, this.packet, this.#opcode);
    this.read(use);
    return this as unknown as ClientPort<"mine">;
  }

  /**
   * Whether the server gave the packet back: one bounded look, nothing changes.
   *
   * @throws {CallError} when it never will, rather than saying no for ever
   */
  query(this: ClientPort<"theirs">): boolean {
    this.assertUsable();
    assert(this.state === PortState.theirs, "the packet was sent: an answer comes to nothing else");
    if (this.#side.mailboxes.owns(this.index)) return true;
    this.#side.checkReply(this.index, this.#opcode);
    return this.#side.mailboxes.owns(this.index);
  }

  /** `send`, then `recv`. */
  sendAndRecv(work: CallWork, options?: WaitOptions): ClientPort<"mine"> {
    const limit = Deadline.of(options);
    return this.send(work.fill, limit).recv(work.use, limit);
  }

  /**
   * Returns the port. After a `send` the call goes on without the client: an asynchronous call,
   * whose port is free again when the server has served it. A wait that is under way, the loser of a
   * `Promise.race` for example, ends with an `AbortError`.
   */
  close(): void {
    this.assertClosable();
    this.#waitEnd?.end(new DOMException("The port was closed", "AbortError"));
    this.#waitEnd = undefined;
    this.state = PortState.closed;
    this.#side.unlock(this.index);
  }

  /** Closes the port unless that was done; for `using`. */
  [Symbol.dispose](): void {
    if (this.isOpen) this.close();
  }

  #beginRecv(options: WaitOptions | undefined): Deadline | undefined {
    this.assertUsable();
    assert(this.state !== PortState.fresh, "a client starts with send: fill the packet first");
    const limit = this.#limit(options);
    if (this.state === PortState.mine) this.#giveAway();
    return limit;
  }

  /** @internal */
  protected override partSteps(options?: WaitOptions): PartSteps {
    const limit = this.#limit(options);
    return {
      awaitBuffer: () => this.#awaitBuffer(limit, true),
      giveAway: () => this.#giveAway(),
      // Else the port were free, and another client's request in the places that the server stores to.
      breakOff: () => this.#giveAway(),
      cutError: () => new CallError(Status.serverGone, { opcode: this.#opcode, detail: CUT }),
      guards: () => this.#side.partGuards(this.index, this.#opcode, limit),
    };
  }

  #giveAway(): void {
    if (this.#gaveAway) this.#side.giveAwayAgain(this.index);
    else this.#side.giveAwayAwake(this.index);
    this.#gaveAway = true;
    this.state = PortState.theirs;
  }

  /** The limits of an operation, checked where they have begun to run before it. */
  #limit(options: WaitOptions | undefined): Deadline | undefined {
    const own = Deadline.of(options);
    if (own !== undefined && own !== options) return own;
    const limit = own ?? this.#deadline;
    limit?.check(`go on with the call on port ${this.index}`);
    return limit;
  }

  #awaitBuffer(deadline: Deadline | undefined, isSending?: boolean): void {
    this.#side.awaitBuffer(this.index, this.#opcode, deadline);
    if (this.#takeBuffer(isSending)) return;
    throw readFault(this.#side, this.packet, { opcode: this.#opcode, deadline });
  }

  /** @param next what is done with the packet: at once, as whoever awaited it could find the port closed */
  async #awaitBufferAsync(
    deadline: Deadline | undefined,
    { next, isSending }: { readonly next: () => void; readonly isSending?: boolean },
  ): Promise<void> {
    const end = this.#waitEnd = new WaitEnd();
    const call = { opcode: this.#opcode, deadline, end };
    this.state = PortState.waiting;
    try {
      await this.#side.awaitBufferAsync(this.index, call.opcode, deadline, end);
      end.check();
      if (!this.#takeBuffer(isSending)) throw await readFaultAsync(this.#side, this.packet, call);
    } finally {
      if (!end.isOver) this.#endWait();
    }
    next();
  }

  #endWait(): void {
    this.#waitEnd = undefined;
    if (this.state === PortState.waiting) this.state = PortState.theirs;
  }

  /** Takes the packet that came; says no when it brings bad news. That there is no answer is none to a sender. */
  #takeBuffer(isSending = false): boolean {
    const status = this.#side.headers.status(this.index);
    const isGood = status === Status.ok || isSending && status === Status.noReply;
    this.state = isGood ? PortState.mine : PortState.failed;
    return isGood;
  }
}
