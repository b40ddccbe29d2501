import type { SourceChange } from "../explorer/changed_core.ts";

/** A defect of the originals, or one that is easily made, and the change that plants it here. */
export interface PlantedFault extends SourceChange {
  readonly name: string;
}

/** A planted fault, and the smallest setting in which it shows. */
export interface PlantedSessionFault extends PlantedFault {
  readonly operations: string;
  readonly clientCount: number;
  readonly serverCount: number;
  /** When the fault is one of tidying, or of refusing. */
  readonly isTidied?: boolean;
  readonly isHandled?: boolean;
}

export const PLANTED_FAULTS: readonly PlantedSessionFault[] = [
  {
    name: "a client flips before it has filled the packet",
    operations: "sr",
    clientCount: 1,
    serverCount: 1,
    file: "toggle/client/client_port.ts",
    from: "    this.work(fill);\n    this.#giveAway();",
    to: "    this.#giveAway();\n    this.work(fill);",
  },
  {
    name: "a server does not look again after it took the lock",
    operations: "sr",
    clientCount: 2,
    serverCount: 2,
    file: "toggle/port_side.ts",
    from: "    if (this.mailboxes.owns(index)) return true;",
    to:
      '    if (this.constructor.name === "ServerSide" || this.mailboxes.owns(index)) return true;',
  },
  {
    name: "a client does not look again after it took the lock",
    operations: "ss",
    clientCount: 2,
    serverCount: 1,
    file: "toggle/port_side.ts",
    from: "    if (this.mailboxes.owns(index)) return true;",
    to:
      '    if (this.constructor.name === "ClientSide" || this.mailboxes.owns(index)) return true;',
  },
  {
    name: "a server unlocks before it toggles",
    operations: "ss",
    clientCount: 1,
    serverCount: 2,
    file: "toggle/server/server_port.ts",
    from:
      "    if (this.state < PortState.theirs) this.#giveAway();\n    this.state = PortState.closed;\n    this.#side.unlock(this.index);",
    to:
      "    this.#side.unlock(this.index);\n    if (this.state < PortState.theirs) this.#giveAway();\n    this.state = PortState.closed;",
  },
  {
    name: "a server closes while it owns the buffer without toggling",
    operations: "s",
    clientCount: 2,
    serverCount: 1,
    file: "toggle/server/server_port.ts",
    from:
      "    if (this.state < PortState.theirs) this.#giveAway();\n    this.state = PortState.closed;",
    to: "    this.state = PortState.closed;",
  },
  {
    name: "an unhandled opcode is handed back as if it were the reply",
    operations: "sr",
    clientCount: 1,
    serverCount: 1,
    isHandled: false,
    file: "toggle/server/dispatch.ts",
    from: "    this.#side.setStatus(index, status);\n",
    to: "",
  },
  {
    name: "a hint is cleared after the look instead of before",
    operations: "sr",
    clientCount: 1,
    serverCount: 1,
    isTidied: true,
    file: "wait/hint.ts",
    from:
      "    this.#words.and(this.#hintWord + word, ~bits);\n    for (let rest = bits; rest !== 0; rest &= rest - 1) {",
    to:
      '    this.#look(word, bits, ports);\n    this.#words.and(this.#hintWord + word, ~bits);\n  }\n\n  #look(word: number, bits: number, ports: Pick<PortLook, "owns">): void {\n    for (let rest = bits; rest !== 0; rest &= rest - 1) {',
  },
  {
    name: "a hint is cleared for a port that another server still holds",
    operations: "sr",
    clientCount: 2,
    serverCount: 2,
    isTidied: true,
    file: "wait/hint.ts",
    from: "        if (ports.owns(index)) this.mark(index);",
    to: "        if ((ports as PortLook).looksReady(index)) this.mark(index);",
  },
  {
    name: "a client marks its hint before it toggles",
    operations: "sr",
    clientCount: 1,
    serverCount: 1,
    isTidied: true,
    file: "toggle/client/client_side.ts",
    from:
      "    this.mailboxes.toggle(index);\n    if (this.#hints.mark(index)) this.#doorbell.ring();",
    to:
      "    if (this.#hints.mark(index)) this.#doorbell.ring();\n    this.mailboxes.toggle(index);",
  },
];

/** Faults of sleeping and waking, for the model that sleeps. */
export const PLANTED_SLEEP_FAULTS: readonly PlantedFault[] = [
  {
    name: "a bell rings without changing its value",
    file: "wait/doorbell.ts",
    from: "    this.#words.add(this.#bellWord, 1);\n",
    to: "",
  },
  {
    name: "a server sleeps without a look after it armed",
    file: "toggle/server/work_search.ts",
    from: "    if (this.#scanAll() !== NO_PORT) return false;\n",
    to: "",
  },
  {
    name: "a server sleeps without a look at the channel's state",
    file: "toggle/server/work_search.ts",
    from: "    return this.#side.channel.stateWord === seenState;",
    to: "    return seenState >= 0;",
  },
  {
    name: "a server sleeps with the hints still set",
    file: "toggle/server/work_search.ts",
    from: "    this.#hints.clearAll();\n",
    to: "",
  },
  {
    name: "a waiter looks before it announces that it parks",
    file: "wait/inbox_waiter.ts",
    from:
      "    const before = this.#words.or(this.#parkedWord + index, PARKED);\n    guard.check();\n    return this.#words.load(this.#inboxWord + index) === foreign ? before | PARKED : AWAKE;",
    to:
      "    guard.check();\n    const isForeign = this.#words.load(this.#inboxWord + index) === foreign;\n    const before = this.#words.or(this.#parkedWord + index, PARKED);\n    return isForeign ? before | PARKED : AWAKE;",
  },
  {
    name: "a server looks for a sleeping client before it flips",
    file: "toggle/server/server_side.ts",
    from: "    this.mailboxes.toggle(index);\n    this.mailboxes.wakePeer(index);",
    to: "    this.mailboxes.wakePeer(index);\n    this.mailboxes.toggle(index);",
  },
];

/** Accesses that order nothing where an order is needed: a processor or compiler may move them. */
export const PLANTED_RACES: readonly PlantedSessionFault[] = [
  {
    name: "who owns a packet is asked without order",
    operations: "s",
    clientCount: 1,
    serverCount: 1,
    file: "toggle/mailbox.ts",
    from: "return (words.load(this.inboxWord + index) ^",
    to: "return (words.peek(this.inboxWord + index) ^",
  },
  {
    name: "an outbox is flipped by a plain write",
    operations: "s",
    clientCount: 1,
    serverCount: 1,
    file: "toggle/mailbox.ts",
    from: "this.#words.store(word, this.#words.peek(word) ^ 1);",
    to: "this.#words.plain[word] = this.#words.peek(word) ^ 1;",
  },
  {
    name: "a port is unlocked by a plain write",
    operations: "s",
    clientCount: 1,
    serverCount: 1,
    file: "toggle/mailbox.ts",
    from: "const held = this.#words.exchange(word, 0);",
    to: "const held: number = this.#words.plain[word] = 0;",
  },
  {
    name: "a client looks at its hint without order",
    operations: "s",
    clientCount: 1,
    serverCount: 1,
    file: "wait/hint.ts",
    from: "if (this.#words.load(word) & bit) return false;",
    to: "if (this.#words.peek(word) & bit) return false;",
  },
  {
    name: "a side looks without order whether the other sleeps",
    operations: "s",
    clientCount: 1,
    serverCount: 1,
    file: "toggle/mailbox.ts",
    from: "if (this.#words.load(this.#peerParkedWord + index) !== 0)",
    to: "if (this.#words.peek(this.#peerParkedWord + index) !== 0)",
  },
];

/** The same, where threads sleep. */
export const PLANTED_SLEEP_RACES: readonly PlantedFault[] = [
  {
    name: "a waiter looks for the flip without order",
    file: "wait/inbox_waiter.ts",
    from: "if (this.#words.load(word) !== foreign) return;",
    to: "if (this.#words.peek(word) !== foreign) return;",
  },
  {
    name: "the channel's state is looked at without order",
    file: "toggle/channel.ts",
    from: "return this.words.load(this.#stateIndex);",
    to: "return this.words.peek(this.#stateIndex);",
  },
];

/** Makes every search tidy the hints, which is otherwise once in a thousand: for the explorer. */
export const TIDY_ALWAYS: SourceChange = {
  file: "toggle/server/work_search.ts",
  from: "const TIDY_SEARCHES = 1 << 10;",
  to: "const TIDY_SEARCHES = 1;",
};

/** Makes an idle server watch its last port for one glance instead of many: for the explorer. */
export const WATCH_ONCE: SourceChange = {
  file: "toggle/server/work_search.ts",
  from: "const WATCH_GLANCES = 48;",
  to: "const WATCH_GLANCES = 1;",
};
