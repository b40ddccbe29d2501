import { Deadline, type WaitOptions } from "../../wait/deadline.ts";
import { assert } from "../../memory/assert.ts";
import { writeErrorText } from "../../call/error_text.ts";
import { type Holder, Port, PortState } from "../port.ts";
import { type PacketWork } from "../../memory/packet.ts";
import type { ServerSide } from "./server_side.ts";
import type { Status } from "../../memory/status.ts";

/**
 * A port on which a server found a call. Starts with `recv`; after that it mirrors the client's
 * sends and receives in the same order. `send` and `recv` wait only when the client has the
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
 * returns.
 */
export class ServerPort<H extends Holder = Holder> extends Port {
  /** There for the compiler only: keeps ports of different states apart. */
  declare readonly holder: H;
  readonly #side: ServerSide;
  #opcode = 0;

  /** @internal For `Server`, which holds the lock of the port. */
  constructor(side: ServerSide) {
    super(side.views);
    this.#side = side;
  }

  /** @internal Starts serving a port whose lock was just taken; for `Server`. */
  begin(index: number): void {
    this.beginAt(index);
    this.#side.aim(this.packet, index);
    this.#opcode = this.#side.opcode(index);
  }

  /** This side's mailbox as it is now, 0 or 1. */
  override get outbox(): number {
    return this.#side.outbox(this.index);
  }

  /** What the client asked for. */
  get opcode(): number {
    return this.#opcode;
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
    if (this.state === PortState.mine) this.#giveAway();
    if (this.state === PortState.theirs) this.#awaitBuffer(options);
    this.read(use);
    return this as unknown as ServerPort<"mine">;
  }

  /** As {@linkcode recv}, without blocking the event loop; for callers that serve by hand. */
  async recvAsync(use: PacketWork, options?: WaitOptions): Promise<ServerPort<"mine">> {
    this.assertUsable();
    if (this.state === PortState.mine) this.#giveAway();
    if (this.state === PortState.theirs) {
      await this.#side.awaitBufferAsync(this.index, Deadline.of(options));
    }
    this.assertUsable();
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
    assert(this.state === PortState.theirs, "the packet was sent");
    return this.#side.hasBuffer(this.index);
  }

  /** Fills the packet and gives it back to the client. */
  send(
    this: ServerPort<"mine" | "theirs">,
    fill: PacketWork,
    options?: WaitOptions,
  ): ServerPort<"theirs"> {
    this.assertUsable();
    assert(this.state !== PortState.fresh, "a server starts with recv");
    if (this.state === PortState.theirs) this.#awaitBuffer(options);
    this.work(fill);
    this.#giveAway();
    return this as unknown as ServerPort<"theirs">;
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
  refuse(status: Status, message: string | undefined): void {
    if (this.state > PortState.unread) return;
    if (message !== undefined) writeErrorText(this.packet, message);
    this.#side.setStatus(this.index, status);
  }

  #giveAway(): void {
    this.#side.giveAway(this.index);
    this.state = PortState.theirs;
  }

  #awaitBuffer(options: WaitOptions | undefined): void {
    this.state = PortState.failed;
    this.#side.awaitBuffer(this.index, Deadline.of(options));
    this.state = PortState.mine;
  }
}
