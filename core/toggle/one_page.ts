/**
 * The port protocol on one page, to be read from top to bottom: the memory, the rule, why it works, then
 * a port, a client and a server. Whoever waits here spins; nobody sleeps or looks at a clock. The library's
 * `Client` and `Server`, of which `PROTOCOL.md` tells, do the same in the same memory, and more: both
 * kinds may share a channel.
 *
 * **The memory** is an array of 32-bit words. Each port has, in regions of the channel's layout:
 * ```text
 * outbox  a word for each side: 0 or 1                          written by that side
 * turn    a word for each side: what its outbox holds           written by that side, and read by it alone
 * lock    a word for each side: 0, or the number of its holder  written by that side
 * header  4 words: lane mask (2), opcode, status                written by the owner
 * packet  16 words or more for each lane                        written by the owner
 * ```
 *
 * **The rule.** My outbox is your inbox. While the two are equal, the client owns header and packet;
 * while they differ, the server does. The owner gives both away by flipping its outbox. Nobody takes.
 *
 * **The invariant.** A header and a packet are touched by one thread at a time: the one that holds its
 * side's lock while its side owns them. It holds, because
 *
 * 1. at first all words are 0: the client owns every packet, and nobody holds a lock;
 * 2. an outbox is flipped by the holder of its side's lock, and only while that side owns the packet. So
 *    nobody else ends my turn: the other side does not own the packet, my side does not have the lock;
 * 3. I touch the packet before my flip only, and the other side after it has seen the flip;
 * 4. I drop the lock after my flip, so that its next holder sees the flip, and whose the packet is.
 *
 * **Every call ends** as long as threads go on: a client that waits has flipped, and servers look at all
 * ports in turn. Then the mailboxes are equal again: (1, 1) is as good as (0, 0), the next call flips back.
 *
 * @module
 */
import { CallError } from "../call/call_error.ts";
import { fullMask, type LaneMask } from "../memory/lane_mask.ts";
import { type CallWork, Packet, type PacketWork } from "../memory/packet.ts";
import { PacketViews } from "../memory/packet_views.ts";
import { CONTINUES, OPCODE_FLAGS, PortHeaders } from "../memory/port_headers.ts";
import { Status } from "../memory/status.ts";
import type { Words } from "../memory/words.ts";
import type { Channel } from "./channel.ts";
import { otherChoice } from "./design/channel_design.ts";
import { type ChannelLayout, ChannelState } from "./layout.ts";
import { Sleepers } from "./lock/sleepers.ts";

/** How often a wait looks before it gives up: for seconds, where microseconds should do. */
const LOOKS_MAX = 2 ** 30;

/** What all ports of one client or server have in common. */
interface Member {
  readonly words: Words;
  readonly isClient: boolean;
  /** Not 0, and nobody else's. */
  readonly id: number;
  readonly layout: ChannelLayout;
  readonly turnWord: number;
  readonly lockWord: number;
  readonly headers: PortHeaders;
  readonly views: PacketViews;
  readonly allLanes: LaneMask;
  readonly sleepers: Sleepers;
}

function memberOf(channel: Channel, isClient: boolean): Member {
  const { words, layout } = channel;
  const other = otherChoice(layout);
  if (other) throw new TypeError(`Cannot use the channel from the one page as ${other}`);
  return {
    words,
    isClient,
    id: channel.takeOwnerId(),
    layout,
    turnWord: isClient ? layout.clientTurnWord : layout.serverTurnWord,
    lockWord: isClient ? layout.clientLockWord : layout.serverLockWord,
    headers: new PortHeaders(words.plain, layout),
    views: new PacketViews(words.plain, layout),
    allLanes: fullMask(layout.laneCount),
    sleepers: new Sleepers(words, layout, isClient),
  };
}

/**
 * A port, as one client or server has it. What one side sends, the other receives in its turn. What waits
 * throws a `CallError` when the server refuses the call, and a `DOMException` after some seconds.
 */
export class Port {
  /** Below `portCount`. */
  readonly index: number;
  readonly #my: Member;
  readonly #outboxWord: number;
  readonly #inboxWord: number;
  readonly #packet: Packet;
  #packetIs: "first" | "unread" | "read" | "away" = "away";

  private constructor(member: Member, index: number) {
    this.index = index;
    this.#my = member;
    const { clientOutboxWord, serverOutboxWord, mailboxStride } = member.layout;
    const boxes = [clientOutboxWord, serverOutboxWord].map((word) => word + index * mailboxStride);
    [this.#outboxWord, this.#inboxWord] = (member.isClient ? boxes : boxes.toReversed()) as [
      number,
      number,
    ];
    this.#packet = new Packet(member.views);
  }

  /** @internal All ports, for a client or a server that is new. */
  static all(channel: Channel, isClient: boolean): Port[] {
    const member = memberOf(channel, isClient);
    return Array.from({ length: channel.layout.portCount }, (_, index) => new Port(member, index));
  }

  /** What is asked for; in the middle of a call it is nothing that a server knows. */
  get opcode(): number {
    return this.#my.headers.opcodeWord(this.index) & (~OPCODE_FLAGS | CONTINUES);
  }

  /** The rule. With the lock held, a yes is true until we flip. */
  #owns(inbox = this.#my.words.load(this.#inboxWord)): boolean {
    // Sync: pairs with #give() of the other side: who sees its flip sees the packet as it was then. After
    // a plain read we could find an older packet. Our turn is nobody else's to write: no order needed.
    return (inbox === this.#my.words.peek(this.#my.turnWord + this.index)) === this.#my.isClient;
  }

  /** @internal Takes the lock, if nobody has it and this side owns the packet: with an opcode to call. */
  tryTake(opcode?: number, mask: LaneMask = this.#my.allLanes): boolean {
    const { words, id, headers, lockWord } = this.#my;
    const { index } = this;
    // A glance without order, as it is cheap: a wrong yes is found out below, a wrong no next time.
    if (!this.#owns(words.peek(this.#inboxWord))) return false;
    if (words.peek(lockWord + index) !== 0) return false;
    // Sync: pairs with #drop(): one of us gets the lock, and sees what its last holder did. A look and
    // then a store would let two of us in, who both fill the packet.
    if (words.compareExchange(lockWord + index, 0, id) !== 0) return false;
    // Since the glance another of our side may have had the port, and have flipped.
    if (!this.#owns()) {
      this.#drop();
      return false;
    }
    this.#packetIs = "first";
    if (opcode !== undefined) headers.begin(index, opcode, mask);
    this.#packet.aim(index, headers.maskLo(index), headers.maskHi(index));
    return true;
  }

  /** Fills the packet, once it is here, and gives it away. */
  send(fill: PacketWork): this {
    this.#await();
    fill(this.#packet);
    this.#give();
    return this;
  }

  /** Waits for the next packet and uses it; after another `recv` gives the last one back first. */
  recv(use: PacketWork): this {
    if (this.#packetIs === "read") this.#give();
    this.#await();
    this.#packetIs = "read";
    use(this.#packet);
    return this;
  }

  /** Returns the port. A client need not wait for an answer that it does not want. */
  close(): void {
    // A packet that a server keeps would look like another call.
    if (!this.#my.isClient && this.#packetIs !== "away") this.#give();
    this.#drop();
  }

  /** Tells the client that there is no answer, and why; for a server, while the packet is here. */
  refuse(status: Status): void {
    this.#my.headers.setStatus(this.index, status);
  }

  #give(): void {
    const { words, headers, isClient, sleepers, turnWord } = this.#my;
    // Tells the rest of a call from the beginning of another.
    if (isClient && this.#packetIs !== "first") headers.markContinued(this.index);
    this.#packetIs = "away";
    // Noted apart for #owns(), as the other side looks at our outbox all the time, and reading it would
    // take its line away from there.
    const turn = words.peek(turnWord + this.index) ^ 1;
    words.plain[turnWord + this.index] = turn;
    // Sync: pairs with #owns() of the other side, which touches the packet from here on. Flipped before
    // our last access, it would be read half filled. A store will do: nobody else writes the word.
    words.store(this.#outboxWord, turn);
    sleepers.wakeAfterFlip(this.index);
  }

  #await(): void {
    if (this.#packetIs !== "away") return;
    for (let looks = 0; !this.#owns(); looks++) {
      if (looks === LOOKS_MAX) {
        throw new DOMException("The other side did not answer", "TimeoutError");
      }
    }
    this.#packetIs = "unread";
    const status = this.#my.headers.status(this.index);
    if (status !== Status.ok && this.#my.isClient) throw new CallError(status, this);
  }

  #drop(): void {
    const { words, id, sleepers } = this.#my;
    // Sync: pairs with tryTake(), and comes after the flip. Dropped before it, the lock would go to
    // another of our side, which finds the packet still ours and uses it together with the other side.
    const held = words.exchange(this.#my.lockWord + this.index, 0);
    if (held !== id) sleepers.wakeAfterDrop(this.index, held);
  }
}

/** The side that starts. */
export class Client {
  readonly #channel: Channel;
  readonly #ports: readonly Port[];

  /** Takes a number of its own on the channel, which has to be of the default design. */
  constructor(channel: Channel) {
    this.#channel = channel;
    this.#ports = Port.all(channel, true);
  }

  /** Opens a port, as soon as one is free. */
  open(opcode: number, options?: { readonly mask?: LaneMask }): Port {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      for (const port of this.#ports) if (port.tryTake(opcode, options?.mask)) return port;
      // In order, so that the next glances see what others have done since.
      if (this.#channel.state !== ChannelState.running) break;
    }
    throw new DOMException("No port gets free", "TimeoutError");
  }

  /** One packet there, and one back. */
  call(opcode: number, { fill, use }: CallWork, options?: { readonly mask?: LaneMask }): void {
    const port = this.open(opcode, options);
    try {
      port.send(fill).recv(use);
    } finally {
      port.close();
    }
  }
}

/** The side that answers. */
export class Server {
  readonly #channel: Channel;
  readonly #ports: readonly Port[];

  /** Takes a number of its own on the channel, which has to be of the default design. */
  constructor(channel: Channel) {
    this.#channel = channel;
    this.#ports = Port.all(channel, false);
  }

  /** Looks at each port once and answers each call, by what mirrors its sends and receives; counts them. */
  runAll(answer: (port: Port) => void): number {
    let count = 0;
    for (const port of this.#ports) {
      if (!port.tryTake()) continue;
      try {
        answer(port);
      } finally {
        port.close();
      }
      count++;
    }
    return count;
  }

  /** Serves until the channel is shut down, and what was sent before is answered. */
  run(answer: (port: Port) => void): void {
    for (let isOver = false; !isOver;) {
      // Before the search, which so finds all that was sent before the shutdown.
      isOver = this.#channel.state !== ChannelState.running;
      while (this.runAll(answer) > 0);
    }
  }
}
