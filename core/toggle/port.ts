import { assert, InvariantError } from "../memory/assert.ts";
import { Packet, type PacketWork } from "../memory/packet.ts";
import type { PartsWork } from "../call/stream_parts.ts";
import type { WaitOptions } from "../wait/deadline.ts";
import type { PortSide } from "./port_side.ts";
import type { PartGuards } from "./stream/port_parts.ts";

/**
 * Who holds a port's buffer, as far as types can tell. `fresh`: this side, and nothing was sent or
 * received yet.
 */
export type Holder = "fresh" | "mine" | "theirs";

/** Where a port is in its life. Those above `theirs` take no operation but `close`. */
export const PortState = {
  fresh: 0,
  mine: 1,
  /** The packet came, and the callback that was to use it threw. */
  unread: 2,
  theirs: 3,
  /** An asynchronous wait of this port is under way. */
  waiting: 4,
  /** A callback of this port runs. */
  busy: 5,
  /** The call was refused or given up. */
  failed: 6,
  closed: 7,
} as const;
export type PortState = typeof PortState[keyof typeof PortState];

const MISUSES: Partial<Record<PortState, string>> = {
  [PortState.waiting]:
    "no other wait of the port is under way: await that first, or close the port to end it",
  [PortState.busy]:
    "the port is not inside one of its own callbacks: return, then send, receive or close",
  [PortState.failed]: "the call on this port has not failed: close it, and begin another call",
  [PortState.closed]: "the port is open: it was closed, which ended its call; begin another call",
};

/** What each side does in its own way while parts of a stream are under way. */
export interface PartSteps {
  /** Made behind the first flip, while the other side works. */
  guards(): PartGuards;
  /** Waits for the packet, as a `recv` does. */
  awaitBuffer(): void;
  giveAway(): void;
  /** Sees to it that nobody else uses the packet while the receiver may be behind its last part. */
  breakOff(): void;
  /** What a receiver throws when parts are missing. */
  cutError(): Error;
}

/**
 * The part of a port that both sides share: its packet, and the state by which it refuses operations out
 * of order. It touches no shared word; the sides do, through `Mailboxes`.
 */
export abstract class Port {
  /** @internal */
  protected packet: Packet;
  readonly #side: PortSide;
  /** @internal */
  protected state: PortState = PortState.closed;
  #index = 0;

  /** @internal For `ClientPort` and `ServerPort`. */
  protected constructor(side: PortSide) {
    this.#side = side;
    this.packet = new Packet(side.views);
  }

  /** Which port of the channel this is, 0 to `portCount - 1`. */
  get index(): number {
    return this.#index;
  }

  /** This side's mailbox as it is now, 0 or 1. */
  get outbox(): number {
    return this.#side.mailboxes.outbox(this.#index);
  }

  /** Whether the port was not closed yet. */
  get isOpen(): boolean {
    return this.state !== PortState.closed;
  }

  /** Works on the packet while this side has it; nothing changes hands. Bounded, cannot say no. */
  use(work: PacketWork): void {
    this.assertUsable();
    assert(this.state !== PortState.theirs, "the packet is on this side: receive it first");
    this.work(work);
  }

  /** @internal Starts a life of this object on a port whose lock was just taken. */
  protected beginAt(index: number): void {
    assert(this.state === PortState.closed, "a port object lives one port at a time");
    this.#index = index;
    this.state = PortState.fresh;
  }

  /**
   * Runs a callback on the packet. While it runs the port refuses every operation, so that a
   * callback that sends or closes its own port is caught; when it throws, the port is as before.
   *
   * @internal
   */
  protected work(callback: PacketWork): void {
    const before = this.state;
    this.state = PortState.busy;
    try {
      const result: unknown = callback(this.packet);
      if (result !== undefined) this.packet.checkSync(result, "a callback");
    } finally {
      this.state = before;
      if (this.packet.isDetached) this.#renewPacket();
    }
  }

  /** In place of a packet object that an asynchronous callback may still write to. */
  #renewPacket(): void {
    const { index } = this;
    const { lo, hi } = this.packet.mask;
    this.packet = new Packet(this.#side.views);
    this.packet.aim(index, lo | 0, hi | 0);
  }

  /** @internal Uses a packet that came; until that went well, a next receive finds the same packet. */
  protected read(use: PacketWork): void {
    this.state = PortState.unread;
    this.work(use);
    this.state = PortState.mine;
  }

  /** @internal */
  protected abstract partSteps(options?: WaitOptions): PartSteps;

  /** @internal Offers to send what follows in parts; for `sendStream`, while it fills the first packet. */
  offerParts(): boolean {
    this.#side.parts?.offer(this.index);
    return this.#side.parts !== undefined;
  }

  /** @internal Sends parts; returns whether the receiver takes any. For `sendStream`. */
  sendParts(work: PartsWork, options?: WaitOptions): boolean {
    this.assertUsable();
    const parts = this.#side.parts!;
    const steps = this.partSteps(options);
    const { sending } = steps.guards();
    if (this.state === PortState.theirs) steps.awaitBuffer();
    if (!parts.isAccepted(this.index)) return false;
    try {
      this.work((packet) => {
        parts.produce(this.index, work, sending, (part) => work.use(packet, part));
      });
    } catch (error) {
      steps.breakOff();
      throw error;
    }
    steps.giveAway();
    return true;
  }

  /**
   * Receives parts, unless this side takes none; returns whether it did. For `recvStream`.
   *
   * @internal
   * @param partsWork called behind the first flip, while the sender fills the first part
   */
  recvParts(partsWork: () => PartsWork, options?: WaitOptions): boolean {
    this.assertUsable();
    const { packet } = this;
    const { parts } = this.#side;
    if (!parts) return false;
    const steps = this.partSteps(options);
    parts.accept(this.index);
    steps.giveAway();
    const { receiving } = steps.guards();
    const work = partsWork();
    const take = (part: number) => work.use(packet, part);
    const isWhole = parts.drain(this.index, work, receiving, take);
    try {
      steps.awaitBuffer();
    } catch (error) {
      // The sender may have left, and what was taken be the offer of the next: it is not accepted.
      parts.end(this.index);
      throw error;
    }
    if (isWhole) return true;
    // Not given back as if it were answered: who goes on with the call learns that nobody serves it.
    this.state = PortState.failed;
    throw steps.cutError();
  }

  /** @internal */
  protected assertUsable(): void {
    if (this.state > PortState.theirs) throw new InvariantError(MISUSES[this.state]!);
  }

  /** @internal */
  protected assertClosable(): void {
    assert(this.state !== PortState.closed, MISUSES[PortState.closed]!);
    assert(this.state !== PortState.busy, MISUSES[PortState.busy]!);
  }
}
