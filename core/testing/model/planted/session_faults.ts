import type { SourceFault } from "../../explorer/changed_core.ts";

/** A defect of the originals, or one that is easily made, and the change that plants it here. */
export interface PlantedFault extends SourceFault {
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

const ONE_EACH = { clientCount: 1, serverCount: 1 } as const;
/** Where a fault does not say otherwise. */
const CALL = { ...ONE_EACH, operations: "sr" } as const;
const TWO_SENDS = { ...ONE_EACH, operations: "ss" } as const;
/** The smallest setting of all. */
export const SEND = { ...ONE_EACH, operations: "s" } as const;

export const PLANTED_FAULTS: readonly PlantedSessionFault[] = [
  {
    name: "a client flips before it has filled the packet",
    place: "toggle/client/client_port.ts ClientPort.send",
    from: "this.work(fill); this.#giveAway();",
    to: "this.#giveAway(); this.work(fill);",
  },
  {
    name: "a server does not look again after it took the lock",
    clientCount: 2,
    serverCount: 2,
    place: "toggle/port_side.ts PortSide.#stepsOfDesign",
    from: "return mailboxes.owns(index) ? index : FOREIGN_FOUND - index;",
    to:
      'return this.constructor.name === "ServerSide" || mailboxes.owns(index) ? index : FOREIGN_FOUND - index;',
  },
  {
    name: "a client does not look again after it took the lock",
    ...TWO_SENDS,
    clientCount: 2,
    place: "toggle/port_side.ts PortSide.#stepsOfDesign",
    from: "return mailboxes.owns(index) ? index : FOREIGN_FOUND - index;",
    to:
      'return this.constructor.name === "ClientSide" || mailboxes.owns(index) ? index : FOREIGN_FOUND - index;',
  },
  {
    name: "a server unlocks before it toggles",
    ...TWO_SENDS,
    serverCount: 2,
    place: "toggle/server/server_port.ts ServerPort.close",
    from:
      "if (this.state < PortState.theirs) this.#giveAway(); this.state = PortState.closed; this.#side.unlock(this.index);",
    to:
      "this.#side.unlock(this.index); if (this.state < PortState.theirs) this.#giveAway(); this.state = PortState.closed;",
  },
  {
    name: "a server closes while it owns the buffer without toggling",
    ...SEND,
    clientCount: 2,
    place: "toggle/server/server_port.ts ServerPort.close",
    from: "if (this.state < PortState.theirs) this.#giveAway(); this.state = PortState.closed;",
    to: "this.state = PortState.closed;",
  },
  {
    name: "a turn is written behind the flip",
    ...SEND,
    clientCount: 2,
    place: "toggle/mailbox.ts Mailboxes.flip",
    from: "this.words.store(this.outboxAt(place), this.turn(place, bits));",
    to:
      "this.words.store(this.outboxAt(place), this.words.peek(this.turnAt(place)) ^ bits); this.turn(place, bits);",
  },
  {
    name: "a turn is not written",
    ...SEND,
    place: "toggle/mailbox.ts Mailboxes.turn",
    from: "if (this.#hasTurns) this.words.plain[word] = value;",
  },
  {
    name: "a side looks at the turn of the other",
    place: "toggle/mailbox.ts Mailboxes.constructor",
    from: "this.inboxWord = isClient ? layout.serverOutboxWord : layout.clientOutboxWord;",
    to: "this.inboxWord = isClient ? layout.serverTurnWord : layout.clientTurnWord;",
  },
  {
    name: "an unhandled opcode is handed back as if it were the reply",
    isHandled: false,
    place: "toggle/server/dispatch.ts Dispatch.refuse",
    from: "this.#side.headers.setStatus(index, status);",
  },
  {
    name: "a hint is cleared after the look instead of before",
    isTidied: true,
    place: "wait/hint.ts Hints.#clearBits",
    from:
      "this.#words.and(this.#hintWord + word, ~bits); for (let rest = bits; rest !== 0; rest &= rest - 1) {",
    to:
      'this.#look(word, bits, ports); this.#words.and(this.#hintWord + word, ~bits); } #look(word: number, bits: number, ports: Pick<PortLook, "owns">): void { for (let rest = bits; rest !== 0; rest &= rest - 1) {',
  },
  {
    name: "a hint is cleared for a port that another server still holds",
    clientCount: 2,
    serverCount: 2,
    isTidied: true,
    place: "wait/hint.ts Hints.#clearBits",
    from: "if (ports.owns(index)) this.mark(index);",
    to: "if ((ports as PortLook).looksReady(index)) this.mark(index);",
  },
  {
    name: "a client marks its hint before it toggles",
    isTidied: true,
    place: "toggle/client/client_side.ts ClientSide.giveAway",
    from: "this.mailboxes.toggle(index); this.#mark(index);",
    to: "this.#mark(index); this.mailboxes.toggle(index);",
  },
].map((fault) => ({ ...CALL, ...fault }));
