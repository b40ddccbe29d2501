import type * as Core from "../../../mod.ts";
import type { ChannelPlan } from "../channel_plan.ts";
import type { PlantedFault } from "./session_faults.ts";

/** A fault of one choice of a channel, and the smallest setting in which it shows. */
export interface PlantedDesignFault
  extends PlantedFault, Pick<ChannelPlan, "waiter" | "disturbance"> {
  readonly design: Partial<Core.ChannelDesign>;
  /** Of sessions with one call of each client, 2 clients and a server; or of a channel as it is. */
  readonly operations?: string;
  readonly clients?: ChannelPlan["clients"];
  readonly portCount: number;
}

const LOCKS = "toggle/lock/anonymous_locks.ts";
const MAILBOXES = "toggle/design/mailboxes_of.ts";
const BIT = { mailboxWidth: "bit", mailboxUpdate: "fetch-add" } as const;

export const PLANTED_DESIGN_FAULTS: readonly PlantedDesignFault[] = [
  {
    name: "fetch-or: a lock bit is looked at, and then set",
    design: { portLock: "fetch-or" },
    operations: "s",
    portCount: 1,
    file: LOCKS,
    from: "return (this.words.or(this.lockWord + (index >> 5), bit) & bit) === 0;",
    to:
      "const word = this.lockWord + (index >> 5);\n    const held = this.words.load(word);\n    return (held & bit) === 0 && (this.words.or(word, bit), true);",
  },
  {
    name: "fetch-or: a drop stores the word without its bit",
    design: { portLock: "fetch-or" },
    operations: "s",
    portCount: 2,
    file: LOCKS,
    from: "    this.words.and(this.lockWord + (index >> 5), ~(1 << (index & 31)));",
    to:
      "    const word = this.lockWord + (index >> 5);\n    this.words.store(word, this.words.load(word) & ~(1 << (index & 31)));",
  },
  {
    name: "cas: a lock is taken though the word was another",
    design: { portLock: "cas" },
    operations: "s",
    portCount: 1,
    file: LOCKS,
    from: "      if (found === held) return true;\n",
    to: "      if (found >= 0) return true;\n",
  },
  {
    name: "cas: a drop that failed is not tried again",
    design: { portLock: "cas" },
    operations: "s",
    portCount: 2,
    file: LOCKS,
    from:
      "      const found = this.words.compareExchange(word, held, held & ~bit);\n      if (found === held) return;",
    to: "      const found = this.words.compareExchange(word, held, held & ~bit);\n      return;",
  },
  {
    name: "fetch-add: what was added in vain is not taken back",
    design: { portLock: "fetch-add" },
    operations: "s",
    portCount: 1,
    file: LOCKS,
    from: "    this.drop(index);\n    this.wakeMarked(index);\n    return false;",
    to: "    return false;",
  },
  {
    name: "exchange: who finds the port taken puts back that it is free",
    design: { portLock: "exchange" },
    operations: "s",
    portCount: 1,
    file: LOCKS,
    from: "    return this.words.exchange(this.lockWord + index, 1) === 0;",
    to:
      "    if (this.words.exchange(this.lockWord + index, 1) === 0) return true;\n    this.words.store(this.lockWord + index, 0);\n    return false;",
  },
  {
    name: "held: a port that was kept is not dropped when the event loop turns",
    design: { portLock: "held" },
    clients: [["call"]],
    waiter: "park",
    portCount: 1,
    file: "toggle/lock/held_locks.ts",
    from: "    this.#isTurnAwaited = false;\n    this.release();",
    to: "    this.#isTurnAwaited = false;",
  },
  {
    name: "held: the second client or server takes itself for the only one",
    design: { portLock: "held" },
    clients: [["call"], ["call"]],
    waiter: "spin-pause",
    portCount: 1,
    file: "toggle/lock/held_locks.ts",
    from: "    if (index !== this.#kept) return super.tryLock(index);",
    to: "    if (!this.#isSole) return super.tryLock(index);",
  },
  {
    name: "a lock that is no id wakes before it is dropped",
    design: { portLock: "fetch-or" },
    clients: [["sr"], ["sr"]],
    waiter: "park",
    portCount: 1,
    file: LOCKS,
    from: "    this.drop(index);\n    this.wakeMarked(index);\n  }\n",
    to: "    this.wakeMarked(index);\n    this.drop(index);\n  }\n",
  },
  {
    name: "who waits for a lock that is no id looks before it marks",
    design: { portLock: "exchange" },
    clients: [["sr"], ["sr"]],
    waiter: "park",
    portCount: 1,
    file: LOCKS,
    from:
      "    this.#mark(this.#marksWord + index, WAITED);\n    return this.#isTaken(this.lockWord, index);",
    to:
      "    const isTaken = this.#isTaken(this.lockWord, index);\n    this.#mark(this.#marksWord + index, WAITED);\n    return isTaken;",
  },
  {
    name: "padded: a mailbox is flipped where one of a word would be",
    design: { mailboxWidth: "padded" },
    operations: "s",
    portCount: 2,
    file: MAILBOXES,
    from: "      super.toggle(index << LINE_SHIFT);",
    to: "      super.toggle(index);",
  },
  {
    name: "bit: a flip is a plain look and a store of the word",
    design: { mailboxWidth: "bit", mailboxUpdate: "fetch-xor" },
    operations: "s",
    portCount: 2,
    file: MAILBOXES,
    from: "    this.words.xor(word, bit);",
    to: "    this.words.store(word, this.words.peek(word) ^ bit);",
  },
  {
    name: "bit: the update by an exchange is not refused",
    design: { mailboxWidth: "bit", mailboxUpdate: "exchange" },
    operations: "s",
    portCount: 2,
    file: "toggle/design/channel_design.ts",
    from: ' && (mailboxUpdate === "store" || mailboxUpdate === "exchange")',
    to: ' && mailboxUpdate === "store"',
  },
  {
    name: "bit: the update by a store is not refused",
    design: { mailboxWidth: "bit", mailboxUpdate: "store" },
    operations: "s",
    portCount: 2,
    file: "toggle/design/channel_design.ts",
    from: ' && (mailboxUpdate === "store" || mailboxUpdate === "exchange")',
    to: ' && mailboxUpdate === "exchange"',
  },
  {
    name: "exchange: a flip puts the value that is there",
    design: { mailboxUpdate: "exchange" },
    operations: "sr",
    portCount: 1,
    file: MAILBOXES,
    from: "    this.words.exchange(word, this.words.peek(word) ^ bit);",
    to: "    this.words.exchange(word, this.words.peek(word));",
  },
  {
    name: "fetch-add: a flip adds to a bit that is set",
    design: BIT,
    operations: "ss",
    portCount: 2,
    file: MAILBOXES,
    from: "    this.words.add(word, (this.words.peek(word) & bit) === 0 ? bit : -bit);",
    to: "    this.words.add(word, bit);",
  },
  {
    name: "cas: a flip that failed is not tried again",
    design: { mailboxWidth: "bit", mailboxUpdate: "cas" },
    operations: "sr",
    portCount: 2,
    file: MAILBOXES,
    from: "      if (found === held) return;",
    to: "      return;",
  },
  {
    name: "scan: a client looks for sleeping servers before it flips",
    design: { discovery: "scan" },
    clients: [["call", "call"]],
    waiter: "park",
    portCount: 1,
    file: "toggle/client/client_side.ts",
    from:
      "    this.mailboxes.toggle(index);\n    if (this.#hints === undefined || this.#hints.mark(index)) this.#doorbell.ring();",
    to:
      "    if (this.#hints === undefined || this.#hints.mark(index)) this.#doorbell.ring();\n    this.mailboxes.toggle(index);",
  },
  {
    name: "scan: a server looks at all ports but the last before it sleeps",
    design: { discovery: "scan" },
    clients: [["call"]],
    waiter: "park",
    portCount: 1,
    file: "toggle/server/work_finder.ts",
    from: "  for (let index = 0; index < side.channel.layout.portCount; index++) {",
    to: "  for (let index = 0; index < side.channel.layout.portCount - 1; index++) {",
  },
  {
    name: "bitmap: a server reads the words of mailboxes before it arms, and then sleeps",
    design: { ...BIT, discovery: "bitmap" },
    clients: [["call"]],
    waiter: "park",
    portCount: 1,
    file: "toggle/server/work_search.ts",
    from:
      "    const armed = this.#doorbell.arm();\n    try {\n      if (this.#canSleep(seenState)) this",
    to:
      "    const canSleep = this.#canSleep(seenState);\n    const armed = this.#doorbell.arm();\n    try {\n      if (canSleep) this",
  },
  {
    name: "bitmap: a server takes no account of the word that was not full",
    design: { ...BIT, discovery: "bitmap" },
    clients: [["call"]],
    waiter: "park",
    portCount: 1,
    file: "toggle/server/work_finder.ts",
    from: "    this.#wordCount = placesWordCount(PORT_PLACES.bit, side.channel.layout.portCount);",
    to: "    this.#wordCount = side.channel.layout.portCount >> 5;",
  },
  {
    name: "rotating: a client goes on behind the last port",
    design: { start: "rotating" },
    clients: [["call", "call", "call"]],
    waiter: "spin-pause",
    portCount: 2,
    file: "toggle/client/port_claim.ts",
    from: "    this.#home = next === this.#portCount ? 0 : next;",
    to: "    this.#home = next;",
  },
  {
    name: "hashed: a client begins behind the last port",
    design: { start: "hashed" },
    operations: "s",
    portCount: 2,
    file: "toggle/client/port_claim.ts",
    from: "  return (spread + Math.floor(spread / portCount)) % portCount;",
    to: "  return spread + 2 * portCount;",
  },
  {
    name: "first: a client begins behind the last port",
    design: { start: "first" },
    operations: "s",
    portCount: 2,
    file: "toggle/client/port_claim.ts",
    from: 'start === "first" ? 0 :',
    to: 'start === "first" ? portCount :',
  },
];
