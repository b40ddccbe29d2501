import type * as Core from "../../explorer/whole_core.ts";
import type { ChannelPlan } from "../channel_plan.ts";
import type { PlantedFault } from "./session_faults.ts";

/** A fault of one choice of a channel, and the smallest setting in which it shows. */
export interface PlantedDesignFault
  extends PlantedFault, Pick<ChannelPlan, "waiter" | "disturbance" | "portCount" | "isBatch"> {
  readonly design: Partial<Core.ChannelDesign>;
  /** Of sessions with one call of each client, 2 clients and a server; or of a channel as it is. */
  readonly operations?: string;
  readonly clients?: ChannelPlan["clients"];
}

const LOCKS = "toggle/lock/anonymous_locks.ts";
const MAILBOXES = "toggle/design/mailboxes_of.ts";
const SEND_ON_ONE = { operations: "s", portCount: 1 } as const;
const SEND_ON_TWO = { operations: "s", portCount: 2 } as const;
const ASLEEP = { waiter: "park", portCount: 1 } as const;
const BIT = { mailboxWidth: "bit", mailboxUpdate: "fetch-add" } as const;

export const PLANTED_DESIGN_FAULTS: readonly PlantedDesignFault[] = [
  {
    name: "fetch-or: a lock bit is looked at, and then set",
    design: { portLock: "fetch-or" },
    ...SEND_ON_ONE,
    place: `${LOCKS} OrLocks.take`,
    from: "return (this.words.or(this.lockWord + (index >> 5), bit) & bit) === 0;",
    to:
      "const word = this.lockWord + (index >> 5); const held = this.words.load(word); return (held & bit) === 0 && (this.words.or(word, bit), true);",
  },
  {
    name: "cas: a lock is taken though the word was another",
    design: { portLock: "cas" },
    ...SEND_ON_ONE,
    place: `${LOCKS} CasLocks.take`,
    from: "if (found === held) return true;",
    to: "if (found >= 0) return true;",
  },
  {
    name: "cas: a drop that failed is not tried again",
    design: { portLock: "cas" },
    ...SEND_ON_TWO,
    place: `${LOCKS} CasLocks.drop`,
    from: "if (found === held) return;",
    to: "return;",
  },
  {
    name: "fetch-add: what was added in vain is not taken back",
    design: { portLock: "fetch-add" },
    ...SEND_ON_ONE,
    place: `${LOCKS} CountLocks.take`,
    from: "this.drop(index); this.wakeMarked(index); return false;",
    to: "return false;",
  },
  {
    name: "exchange: who finds the port taken puts back that it is free",
    design: { portLock: "exchange" },
    ...SEND_ON_ONE,
    place: `${LOCKS} ExchangeLocks.take`,
    from: "return this.words.exchange(this.lockWord + index, 1) === 0;",
    to:
      "return this.words.exchange(this.lockWord + index, 1) === 0 || (this.words.store(this.lockWord + index, 0), false);",
  },
  {
    name: "held: a port that was kept is not dropped when the event loop turns",
    design: { portLock: "held" },
    clients: [["call"]],
    ...ASLEEP,
    place: "toggle/lock/held_locks.ts HeldLocks.#takeTurn",
    from: "this.#isTurnAwaited = false; this.release();",
    to: "this.#isTurnAwaited = false;",
  },
  {
    name: "held: the second client or server takes itself for the only one",
    design: { portLock: "held" },
    clients: [["call"], ["call"]],
    waiter: "spin-pause",
    portCount: 1,
    place: "toggle/lock/held_locks.ts HeldLocks.tryLock",
    from: "if (index !== this.#kept) return super.tryLock(index);",
    to: "if (!this.#isSole) return super.tryLock(index);",
  },
  {
    name: "a lock that is no id wakes before it is dropped",
    design: { portLock: "fetch-or" },
    clients: [["sr"], ["sr"]],
    ...ASLEEP,
    place: `${LOCKS} AnonymousLocks.unlock`,
    from: "this.drop(index); this.wakeMarked(index);",
    to: "this.wakeMarked(index); this.drop(index);",
  },
  {
    name: "who waits for a lock that is no id looks before it marks",
    design: { portLock: "exchange" },
    clients: [["sr"], ["sr"]],
    ...ASLEEP,
    place: `${LOCKS} AnonymousLocks.watch`,
    from:
      "this.#mark(this.#marksWord + index, WAITED); return this.#isTaken(this.lockWord, index);",
    to:
      "const isTaken = this.#isTaken(this.lockWord, index); this.#mark(this.#marksWord + index, WAITED); return isTaken;",
  },
  {
    name: "padded: a mailbox is flipped where one of a word would be",
    design: { mailboxWidth: "padded" },
    ...SEND_ON_TWO,
    place: "toggle/mailbox.ts Mailboxes.outboxAt",
    from: "Math.imul(place, this.#stride)",
    to: "place",
  },
  {
    name: "beside: the blocks of two ports overlap",
    design: { mailboxWidth: "beside" },
    ...SEND_ON_TWO,
    place: "toggle/layout.ts stridesOf",
    from: "mailboxStride: blockWords, headerStride: blockWords, packetStride: blockWords",
    to: "mailboxStride: 1, headerStride: blockWords, packetStride: blockWords",
  },
  {
    name: "beside: a side writes its flip where the other does",
    design: { mailboxWidth: "beside" },
    ...SEND_ON_TWO,
    place: "toggle/layout.ts blockPlaces",
    from: "serverOutboxWord: blockWord + 1",
    to: "serverOutboxWord: blockWord",
  },
  {
    name: "bit: a flip is a plain look and a store of the word",
    design: { mailboxWidth: "bit", mailboxUpdate: "fetch-xor" },
    ...SEND_ON_TWO,
    place: `${MAILBOXES} XorMailboxes.flip`,
    from: "this.turn(place, bits); this.words.xor(this.outboxAt(place), bits);",
    to: "this.words.store(this.outboxAt(place), this.turn(place, bits));",
  },
  {
    name: "bit: the update by an exchange is not refused",
    design: { mailboxWidth: "bit", mailboxUpdate: "exchange" },
    ...SEND_ON_TWO,
    place: "toggle/design/channel_design.ts designFault",
    from: '&& (mailboxUpdate === "store" || mailboxUpdate === "exchange")',
    to: '&& mailboxUpdate === "store"',
  },
  {
    name: "bit: the update by a store is not refused",
    design: { mailboxWidth: "bit", mailboxUpdate: "store" },
    ...SEND_ON_TWO,
    place: "toggle/design/channel_design.ts designFault",
    from: '&& (mailboxUpdate === "store" || mailboxUpdate === "exchange")',
    to: '&& mailboxUpdate === "exchange"',
  },
  {
    name: "exchange: a flip puts the value that is there",
    design: { mailboxUpdate: "exchange" },
    operations: "sr",
    portCount: 1,
    place: `${MAILBOXES} ExchangeMailboxes.flip`,
    from: "this.words.exchange(this.outboxAt(place), this.turn(place, bits));",
    to: "this.words.exchange(this.outboxAt(place), this.turn(place, bits) ^ bits);",
  },
  {
    name: "fetch-add: a flip adds to a bit that is set",
    design: BIT,
    operations: "ss",
    portCount: 2,
    place: `${MAILBOXES} AddMailboxes.flip`,
    from: "2 * (this.turn(place, bits) & bits) - bits | 0",
    to: "bits",
  },
  {
    name: "cas: a flip that failed is not tried again",
    design: { mailboxWidth: "bit", mailboxUpdate: "cas" },
    operations: "sr",
    portCount: 2,
    place: `${MAILBOXES} CasMailboxes.flip`,
    from: "if (found === held) return;",
    to: "return;",
  },
  {
    name: "scan: a client looks for sleeping servers before it flips",
    design: { discovery: "scan" },
    clients: [["sr", "sr"]],
    ...ASLEEP,
    place: "toggle/client/client_side.ts ClientSide.giveAway",
    from: "this.mailboxes.toggle(index); this.#mark(index);",
    to: "this.#mark(index); this.mailboxes.toggle(index);",
  },
  {
    name: "scan: a server looks at all ports but the last before it sleeps",
    design: { discovery: "scan" },
    clients: [["call"]],
    ...ASLEEP,
    place: "toggle/server/work_finder.ts scanPorts",
    from: "for (let index = 0; index < side.channel.layout.portCount; index++) {",
    to: "for (let index = 0; index < side.channel.layout.portCount - 1; index++) {",
  },
  {
    name: "bitmap: a server reads the words of mailboxes before it arms, and then sleeps",
    design: { ...BIT, discovery: "bitmap" },
    clients: [["call"]],
    ...ASLEEP,
    place: "toggle/server/work_search.ts WorkSearch.sleep",
    from: "const armed = this.#doorbell.arm(); try { if (this.#canSleep(seenState)) this",
    to:
      "const canSleep = this.#canSleep(seenState); const armed = this.#doorbell.arm(); try { if (canSleep) this",
  },
  {
    name: "bitmap: a server takes no account of the word that was not full",
    design: { ...BIT, discovery: "bitmap" },
    clients: [["call"]],
    ...ASLEEP,
    place: "toggle/server/work_finder.ts BitmapFinder.constructor",
    from: "this.#wordCount = placesWordCount(PORT_PLACES.bit, side.channel.layout.portCount);",
    to: "this.#wordCount = side.channel.layout.portCount >> 5;",
  },
  {
    name: "rotating: a client goes on behind the last port",
    design: { start: "rotating" },
    clients: [["call", "call", "call"]],
    waiter: "spin-pause",
    portCount: 2,
    place: "toggle/client/port_claim.ts PortClaim.#claimed",
    from: "this.#home = next === this.#portCount ? 0 : next;",
    to: "this.#home = next;",
  },
  {
    name: "hashed: a client begins behind the last port",
    design: { start: "hashed" },
    ...SEND_ON_TWO,
    place: "toggle/client/port_claim.ts homeOf",
    from: "return (spread + Math.floor(spread / portCount)) % portCount;",
    to: "return spread + 2 * portCount;",
  },
  {
    name: "first: a client begins behind the last port",
    design: { start: "first" },
    ...SEND_ON_TWO,
    place: "toggle/client/port_claim.ts PortClaim.constructor",
    from: 'start === "first" ? 0 :',
    to: 'start === "first" ? portCount :',
  },
];
