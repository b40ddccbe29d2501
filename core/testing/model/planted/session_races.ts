import { type PlantedSessionFault, SEND } from "./session_faults.ts";

/** Accesses that order nothing where an order is needed: a processor or compiler may move them. */
export const PLANTED_RACES: readonly PlantedSessionFault[] = [
  {
    name: "who owns a packet is asked without order",
    place: "toggle/mailbox.ts Mailboxes.owns",
    from: "return (words.load(this.inboxAt(index)) ^",
    to: "return (words.peek(this.inboxAt(index)) ^",
  },
  {
    name: "an outbox is flipped by a plain write",
    place: "toggle/mailbox.ts Mailboxes.flip",
    from: "this.words.store(this.outboxAt(place), this.turn(place, bits));",
    to: "this.words.plain[this.outboxAt(place)] = this.turn(place, bits);",
  },
  {
    name: "a port is unlocked by a plain write",
    place: "toggle/lock/owner_locks.ts OwnerLocks.unlock",
    from: "const held = this.words.exchange(this.lockWord + index, 0);",
    to: "const held: number = this.words.plain[this.lockWord + index] = 0;",
  },
  {
    name: "a client looks at its hint without order",
    place: "wait/hint.ts Hints.mark",
    from: "if (this.#words.load(word) & bit) return false;",
    to: "if (this.#words.peek(word) & bit) return false;",
  },
  {
    name: "a side looks without order whether the other sleeps",
    place: "toggle/mailbox.ts Mailboxes.wakePeer",
    from: "if (this.words.load(word) !== 0) wakeParked(",
    to: "if (this.words.peek(word) !== 0) wakeParked(",
  },
].map((fault) => ({ ...SEND, ...fault }));
