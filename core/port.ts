import { assert } from "./assert.ts";
import { Headers } from "./header.ts";
import { Mailboxes, type Side } from "./mailbox.ts";
import { Packet, PacketViews } from "./packet.ts";
import type { Channel } from "./channel.ts";
import { InboxWaiter, type WaiterName } from "./wait.ts";

/**
 * Who holds a port's buffer, as far as types can tell. `fresh`: this side, and nothing was sent or
 * received yet.
 */
export type Holder = "fresh" | "mine" | "theirs";

/** Where a port is in its life. The first four mirror {@linkcode Holder} and the lock. */
export const PortState = {
  closed: 0,
  fresh: 1,
  mine: 2,
  theirs: 3,
  /** A callback of this port runs. */
  busy: 4,
  /** The call was refused or given up; only `close` is left. */
  failed: 5,
} as const;
export type PortState = typeof PortState[keyof typeof PortState];

/** Waits for a port's inbox; {@linkcode InboxWaiter} is the usual one. */
export interface PortWaiter {
  /** Returns when the inbox of the port is no longer `foreign`, or throws what `guard` throws. */
  wait(index: number, foreign: number, guard: () => void): void;
  waitAsync(index: number, foreign: number, guard: () => void): Promise<void>;
}

/** What all ports of one client or one server share. */
export class PortGround {
  readonly channel: Channel;
  readonly ownerId: number;
  readonly mailboxes: Mailboxes;
  readonly headers: Headers;
  readonly views: PacketViews;
  readonly waiter: PortWaiter;

  constructor(channel: Channel, side: Side, waiter: WaiterName | PortWaiter) {
    const { layout, words } = channel;
    this.channel = channel;
    this.ownerId = channel.takeOwnerId();
    this.mailboxes = new Mailboxes(words, { layout, side, ownerId: this.ownerId });
    this.headers = new Headers(words.plain, layout);
    this.views = new PacketViews(words.plain, layout);
    this.waiter = typeof waiter === "string"
      ? new InboxWaiter(words, this.mailboxes, waiter)
      : waiter;
  }
}

/** What a callback does with a packet, inside the call only. */
export type PacketWork = (packet: Packet) => void;

/**
 * The half of a port that both sides share: its state and its packet. Discipline, where
 * {@linkcode Mailboxes} is mechanism: no method touches an atomic.
 */
export abstract class Port {
  protected readonly ground: PortGround;
  protected readonly packet: Packet;
  protected state: PortState = PortState.closed;
  #index = 0;

  protected constructor(ground: PortGround) {
    this.ground = ground;
    this.packet = new Packet(ground.views);
  }

  /** Which port of the channel this is, 0 to `portCount - 1`. */
  get index(): number {
    return this.#index;
  }

  /** Whether the port was not closed yet. */
  get isOpen(): boolean {
    return this.state !== PortState.closed;
  }

  /** Starts a life of this object on a port whose lock was just taken; for clients and servers. */
  protected armAt(index: number, lo: number, hi: number): void {
    assert(this.state === PortState.closed, "a port object lives one port at a time");
    this.#index = index;
    this.packet.aim(index, lo, hi);
    this.state = PortState.fresh;
  }

  /**
   * Runs a callback on the packet. While it runs the port refuses every operation, so that a
   * callback that sends or closes its own port is caught; when it throws, the port is as before.
   */
  protected work(callback: PacketWork): void {
    const before = this.state;
    this.state = PortState.busy;
    try {
      callback(this.packet);
    } finally {
      this.state = before;
    }
  }

  protected assertOpen(): void {
    assert(this.state !== PortState.closed, "the port is open");
    assert(this.state !== PortState.busy, "the port is not inside one of its own callbacks");
    assert(this.state !== PortState.failed, "the call on this port has not failed");
  }
}
