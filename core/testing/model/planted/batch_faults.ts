import { BY_WORDS } from "../design_settings.ts";
import type { PlantedDesignFault } from "./design_faults.ts";

const LOCKS = "toggle/lock/anonymous_locks.ts OrLocks";
const SIDE = "toggle/client/client_side.ts ClientSide";
const SPINNING = { isBatch: true, design: BY_WORDS, portCount: 2, waiter: "spin-pause" } as const;
const ASLEEP = { ...SPINNING, clients: [["call", "call"]], waiter: "park" } as const;
/** Beside one that makes its calls at once. */
const BESIDE = { ...SPINNING, clients: [["call", "call"], ["call"]] } as const;

/** Faults of what is done for the ports of a word at once. */
export const PLANTED_BATCH_FAULTS: readonly PlantedDesignFault[] = [
  {
    name: "many: locks that another took meanwhile count as taken",
    ...BESIDE,
    place: `${LOCKS}.tryLockBits`,
    from: "const taken = free & ~this.words.or(this.lockWord + place, free);",
    to: "this.words.or(this.lockWord + place, free); const taken = free;",
  },
  {
    name: "many: the locks of other ports of the word are dropped, too",
    ...BESIDE,
    place: `${LOCKS}.unlockBits`,
    from: "this.words.and(this.lockWord + place, ~bits);",
    to: "this.words.store(this.lockWord + place, 0);",
  },
  {
    name: "many: ports that were locked are not looked at again",
    ...BESIDE,
    place: "toggle/port_side.ts PortSide.tryLockOwnedBits",
    from: "const owned = this.mailboxes.ownedBits(place, locked);",
    to: "const owned = locked;",
  },
  {
    name: "many: a flip is that of one port only",
    ...SPINNING,
    clients: [["call", "call"]],
    place: "toggle/design/mailboxes_of.ts packed",
    from: "this.flip(place, bits);",
    to: "this.flip(place, bits & -bits);",
  },
  {
    name: "many: a client looks for sleeping servers before it flips",
    ...ASLEEP,
    place: `${SIDE}.giveAwayBits`,
    from: "this.mailboxes.toggleBits(place, bits); let mayRing",
    to: "this.#doorbell.ring(); this.mailboxes.toggleBits(place, bits); return; let mayRing",
  },
  {
    name: "many: a client looks for what came back before it asks to be woken",
    ...ASLEEP,
    clients: [["call"]],
    place: "toggle/mailbox.ts Mailboxes.watchUntilOwned",
    from: "this.words.or(this.parkedWord + index, WANTED); return !this.owns(index);",
    to:
      "const isOwned = this.owns(index); this.words.or(this.parkedWord + index, WANTED); return !isOwned;",
  },
  {
    name: "many: a client that waits for any of its calls does not look whether it may",
    ...ASLEEP,
    disturbance: "stopped",
    place: `${SIDE}.#arm`,
    from: "guard.check();",
  },
  {
    name: "many: a server looks for a sleeping client before it answers",
    ...ASLEEP,
    place: "toggle/server/server_side.ts ServerSide.handBackBits",
    from: "this.mailboxes.toggleBits(place, bits);",
    to:
      "for (let rest = bits; rest !== 0; rest &= rest - 1) this.mailboxes.wakePeer(31 - Math.clz32(rest & -rest)); this.mailboxes.toggleBits(place, bits); return this.unlockBits(place, bits);",
  },
  {
    name: "many: a server drops the locks before it answers",
    ...BESIDE,
    place: "toggle/server/server_side.ts ServerSide.handBackBits",
    from: "this.mailboxes.toggleBits(place, bits);",
    to: "this.unlockBits(place, bits); this.mailboxes.toggleBits(place, bits);",
  },
  {
    name: "many: a server answers what it has locked and not yet served",
    ...SPINNING,
    clients: [["call", "call"]],
    place: "toggle/server/word_batch.ts WordBatch.takeAnswer",
    from: "this.#served |= 1 << (index & 31);",
    to: "this.#served |= 1 << (index & 31) | this.#claimed; this.answer();",
  },
  {
    name: "many: a server forgets the answers of a word",
    ...SPINNING,
    clients: [["call", "call"]],
    place: "toggle/server/word_batch.ts WordBatch.end",
    from: "this.answer();",
  },
];
