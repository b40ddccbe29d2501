import { Deadline, type WaitOptions } from "../../wait/deadline.ts";
import { WaitEnd } from "../../wait/wait_end.ts";
import { assert } from "../../memory/assert.ts";
import { hasErrorText } from "../../call/error_text.ts";
import { type Holder, type PartSteps, Port, PortState } from "../port.ts";
import type { Packet, PacketWork } from "../../memory/packet.ts";
import { type Form, NO_REPLY, OPCODE_FLAGS } from "../../memory/port_headers.ts";
import { checkForm } from "./service_table.ts";
import { CallAbandonedError, type ServerSide } from "./server_side.ts";
import { Status } from "../../memory/status.ts";

/**
 * A port on which a server found a call. It mirrors the client's sends and receives in the same order;
 * a `send` at first answers without a look at the packet. `send` and `recv` wait only when the client has the
 * buffer, that is after a `send`, and for a second `recv` in a row. They throw `CallAbandonedError` when
 * the client left the call, or did not go on in time; a handler lets that pass.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `use` | yes | no | no |
 * | `recv` | yes, at first | after a `send` or `recv`: until the client gives the buffer back | no |
 * | `send` | yes, after `recv` | after a `send`: until the client took it | no |
 * | `tryRecv`, `query` | yes | no | yes |
 * | `close` | yes | no | no |
 *
 * A handler must not keep the port: it is closed, which hands the buffer back, when the handler
 * returns. What `recv` or `use` worked on is the answer then, as if it had been sent; of a packet that
 * nothing looked at the client is told that there is none, by status `noReply`.
 */
export class ServerPort<H extends Holder = Holder> extends Port {
  /** There for the compiler only: keeps ports of different states apart. */
  declare readonly holder: H;
  readonly #side: ServerSide;
  #opcodeWord = 0;
  /** What the client is told with the buffer. */
  #status: Status = Status.noReply;
  #lacksReply = false;
  /** The wait under way, if there is one, and how to end it. */
  #wait: Promise<void> | undefined;
  #waitEnd: WaitEnd | undefined;
  /** The handler's time is over; what is left of it begins no other wait. */
  #hasEnded = false;

  /** @internal For `Server`, which holds the lock of the port. */
  constructor(side: ServerSide) {
    super(side);
    this.#side = side;
  }

  /** @internal Whether the client hears of a status and of errors. */
  get tellsFaults(): boolean {
    return this.#side.headers.tellsFaults;
  }

  /**
   * Starts serving a port whose lock was just taken, with what was read of its header: the client may
   * have changed that since. For `Server`.
   *
   * @internal
   */
  begin(packet: Packet, opcodeWord: number): void {
    this.beginAt(packet.index);
    this.packet.aimAs(packet);
    this.#opcodeWord = opcodeWord;
    this.#status = Status.noReply;
    this.#lacksReply = false;
  }

  /** What the client asked for. */
  get opcode(): number {
    return this.#opcodeWord & ~OPCODE_FLAGS;
  }

  /** @internal Whether the client is told how the call ends: it has not said that it never looks. */
  get isAwaited(): boolean {
    return (this.#opcodeWord & NO_REPLY) === 0;
  }

  /** @internal Compares what the client said it sends with what the handler does. */
  declareForm(form: Form): void {
    checkForm(this.#opcodeWord, form);
  }

  /** Works on the packet while the server has it, which is its answer unless more is done. */
  override use(work: PacketWork): void {
    super.use(work);
    this.#status = Status.ok;
  }

  /** Begins without a first look at the packet, which is here already. */
  accept(): ServerPort<"mine"> {
    assert(this.state === PortState.fresh, "nothing was sent or received yet");
    this.state = PortState.mine;
    return this as unknown as ServerPort<"mine">;
  }

  /** Uses the packet that the client sent. */
  recv(use: PacketWork, options?: WaitOptions): ServerPort<"mine"> {
    this.assertUsable();
    if (this.state === PortState.mine) this.#askForMore();
    if (this.state === PortState.theirs) this.#awaitBuffer(options);
    this.read(use);
    return this as unknown as ServerPort<"mine">;
  }

  /** As {@linkcode recv}, without blocking the event loop; for asynchronous handlers. */
  async recvAsync(use: PacketWork, options?: WaitOptions): Promise<ServerPort<"mine">> {
    this.assertUsable();
    if (this.state === PortState.mine) this.#askForMore();
    if (this.state === PortState.theirs) await this.#awaitBufferAsync(options);
    this.read(use);
    return this as unknown as ServerPort<"mine">;
  }

  /** Uses the packet if the client gave it back already; one bounded look. */
  tryRecv(this: ServerPort<"theirs">, use: PacketWork): ServerPort<"mine"> | undefined {
    return this.query() ? this.recv(use) : undefined;
  }

  /** Whether the client gave the packet back: one bounded look, nothing changes. */
  query(this: ServerPort<"theirs">): boolean {
    this.assertUsable();
    assert(this.state === PortState.theirs, "the packet was sent: the client answers nothing else");
    return this.#side.hasBuffer(this.index);
  }

  /** Fills the packet and gives it back to the client. */
  send(fill: PacketWork, options?: WaitOptions): ServerPort<"theirs"> {
    this.assertUsable();
    if (this.state === PortState.theirs) this.#awaitBuffer(options);
    this.work(fill);
    this.#status = Status.ok;
    this.#giveAway();
    return this as unknown as ServerPort<"theirs">;
  }

  /** As {@linkcode send}, without blocking the event loop; for asynchronous handlers. */
  async sendAsync(fill: PacketWork, options?: WaitOptions): Promise<ServerPort<"theirs">> {
    this.assertUsable();
    if (this.state === PortState.theirs) await this.#awaitBufferAsync(options);
    return this.send(fill);
  }

  /** Works on the packet in place and gives it back: `recv` and `send` in one. */
  recvAndSend(work: PacketWork): ServerPort<"theirs"> {
    this.recv(work);
    this.#giveAway();
    return this as unknown as ServerPort<"theirs">;
  }

  /** Returns the port, and the buffer with it if the server has it: else it would be served again. */
  close(): void {
    this.assertClosable();
    assert(
      this.state !== PortState.waiting,
      "no wait of the port is under way: await it before you close",
    );
    this.#lacksReply = this.hasBuffer && this.#status === Status.noReply;
    if (this.state < PortState.theirs) this.#giveAway();
    this.state = PortState.closed;
    this.#side.unlock(this.index);
  }

  /** Closes the port unless that was done; for `using`. */
  [Symbol.dispose](): void {
    if (this.isOpen) this.close();
  }

  /**
   * Ends the call with bad news, if the server has the buffer; else the client learns of it when it
   * goes on with the call. For `Server`.
   *
   * @internal
   */
  refuse(status: Status, cause?: unknown): void {
    if (!this.hasBuffer) return;
    if (hasErrorText(status)) this.#side.writeError(this.packet, cause, true);
    this.#status = status;
  }

  /** Whether the port was closed, and the client told that there is no answer. For `Server`. */
  get lacksReply(): boolean {
    return this.#lacksReply;
  }

  /** Whether the packet is on this side, and the call has not failed. */
  get hasBuffer(): boolean {
    return this.state <= PortState.unread;
  }

  /** Ends the life of this object while its port goes on: somebody else returns that. For `Server`. */
  release(): void {
    this.assertClosable();
    this.state = PortState.closed;
  }

  /** Ends a wait that is under way with an error, and takes no other operation. For `Server`. */
  async endWaits(): Promise<void> {
    this.#hasEnded = true;
    if (this.#wait === undefined) return;
    this.#waitEnd!.end(new CallAbandonedError("The handler has ended"));
    await this.#wait.catch(() => {});
  }

  /** Takes the packet from whoever has kept it; for good. For `Server`. */
  detach(): void {
    this.packet.detach();
  }

  /** @internal */
  protected override partSteps(options?: WaitOptions): PartSteps {
    return {
      awaitBuffer: () => this.#awaitBuffer(options),
      giveAway: () => this.#giveAway(),
      // The packet stays this call's: the client has the port until it gives the packet back.
      breakOff: () => {},
      cutError: () => new CallAbandonedError("The client ended its stream before its length"),
      guards: () => this.#side.partGuards(this.index, () => this.#limit(options)),
    };
  }

  /** @internal A packet that was not read to the end, as `use` threw, is no answer. */
  protected override read(use: PacketWork): void {
    this.#status = Status.noReply;
    super.read(use);
    this.#status = Status.ok;
  }

  /** Gives the packet back, for the client to go on sending: who wants its answer is told that there is none. */
  #askForMore(): void {
    this.#status = this.#side.statusForMore(this.index);
    this.#giveAway();
  }

  #giveAway(): void {
    this.#side.headers.setStatus(this.index, this.#status);
    this.#side.giveAway(this.index);
    this.state = PortState.theirs;
  }

  async #awaitBufferAsync(options: WaitOptions | undefined): Promise<void> {
    if (this.#hasEnded) throw new CallAbandonedError("The handler has ended");
    const end = this.#waitEnd = new WaitEnd();
    const limit = this.#limit(options);
    this.state = PortState.waiting;
    try {
      await (this.#wait = this.#side.awaitBufferAsync(this.index, limit, end));
      this.state = PortState.mine;
    } finally {
      this.#wait = undefined;
      if (this.state === PortState.waiting) this.state = PortState.failed;
    }
  }

  /** The limits of an operation, checked where they have begun to run before it. */
  #limit(options: WaitOptions | undefined): Deadline {
    const limit = Deadline.of(options);
    if (limit === undefined) return this.#side.stepDeadline();
    if (limit === options) this.#side.checkTime(limit);
    return limit;
  }

  #awaitBuffer(options: WaitOptions | undefined): void {
    this.state = PortState.failed;
    this.#side.awaitBuffer(this.index, this.#limit(options));
    this.state = PortState.mine;
  }
}
