import { HEADER_WORDS } from "../../memory/port_headers.ts";
import type { ChannelLayout } from "../../toggle/layout.ts";
import { lockOwner } from "../../toggle/mailbox.ts";
import { ownsBuffer, type Side } from "../../toggle/side.ts";
import type { MemoryRules } from "../explorer/model.ts";

/** A channel in a model, whose threads are first the clients, then the servers. */
export interface ChannelSetting {
  readonly layout: ChannelLayout;
  readonly clientCount: number;
  readonly serverCount: number;
  /** Counts the clients that touch no port any more. */
  readonly doneWord: number;
  /** What the packets hold: one word a port. */
  readonly dataWord: number;
  /** Whether a hint that was set stays so. */
  readonly areHintsKept: boolean;
}

/** What a word is, if there are rules for it. */
interface Role {
  readonly kind: "outbox" | "lock" | "packet" | "hint";
  /** The side that alone writes it: an outbox or a lock. */
  readonly side: Side | undefined;
  /** The port. */
  readonly index: number;
}

/** The words of a channel that change: those with a role, and the named ones of its control region. */
export function channelWords(setting: ChannelSetting, controls: readonly number[]): number[] {
  const { layout: { controlWord }, doneWord } = setting;
  return [...controls.map((word) => controlWord + word), ...rolesOf(setting).keys(), doneWord];
}

/** The protocol's rules: who may touch what, and how long that stays so. */
export class ChannelRules implements MemoryRules {
  readonly #memory: Int32Array;
  readonly #setting: ChannelSetting;
  readonly #roles: (Role | undefined)[] = [];
  /** The hint word with every port's bit, of which there are at most 32 here. */
  readonly #allHints: number;

  constructor(memory: Int32Array, setting: ChannelSetting) {
    this.#memory = memory;
    this.#setting = setting;
    for (const [word, role] of rolesOf(setting)) this.#roles[word] = role;
    this.#allHints = -1 >>> (32 - setting.layout.portCount) | 0;
  }

  /** A packet and its header are the owner's to touch, an outbox its to flip, a lock its holder's. */
  objection(thread: number, word: number, next: number | undefined): string | undefined {
    const role = this.#roles[word];
    switch (role?.kind) {
      case "packet":
        if (this.#ownsPacket(thread, role.index)) return undefined;
        return `Packet ${role.index} is used by a ${this.#sideOf(thread)} that does not own it`;
      case "outbox":
        if (next === undefined || this.#mayFlip(thread, role)) return undefined;
        return `Outbox ${role.index} of the ${role.side} is written by a ${
          this.#sideOf(thread)
        } that does not own the packet`;
      case "lock":
        if (
          next === undefined ||
          this.#mayLock(thread, role.side!, { held: this.#memory[word]!, next })
        ) return undefined;
        return `Lock ${role.index} of the ${role.side} is taken from its holder`;
    }
  }

  /** What stays as it is while this thread holds its lock, owns the packet, or is the last that writes. */
  isSettled(thread: number, word: number): boolean {
    const role = this.#roles[word];
    switch (role?.kind) {
      case "packet":
        return this.#ownsPacket(thread, role.index);
      case "hint":
        return this.#setting.areHintsKept && this.#memory[word] === this.#allHints;
      case "lock":
        return this.#isLastOf(role.side!, thread);
      case "outbox":
        return this.#isLastOf(role.side!, thread) ||
          (role.side === this.#sideOf(thread)
            ? this.#holdsLock(thread, role.index)
            : this.#ownsPacket(thread, role.index));
      default:
        return false;
    }
  }

  /** A packet is its owner's, and a lock is its side's: the last of the side has it for itself. */
  isPrivate(thread: number, word: number): boolean {
    const role = this.#roles[word];
    if (role?.kind === "packet") return this.#ownsPacket(thread, role.index);
    return role?.kind === "lock" && role.side === this.#sideOf(thread) &&
      this.#isLastOf(role.side, thread);
  }

  #sideOf(thread: number): Side {
    return thread < this.#setting.clientCount ? "client" : "server";
  }

  /** Whether no other thread will do anything for the side. */
  #isLastOf(side: Side, thread: number): boolean {
    const { clientCount, serverCount, doneWord } = this.#setting;
    const count = side === "client" ? clientCount - this.#memory[doneWord]! : serverCount;
    return count === (side === this.#sideOf(thread) ? 1 : 0);
  }

  #mayFlip(thread: number, { side, index }: Role): boolean {
    return side === this.#sideOf(thread) && this.#ownsPacket(thread, index);
  }

  /** A lock is free or the thread's own, or keeps its owner, with the mark of one of either side who waits. */
  #mayLock(thread: number, side: Side, change: { held: number; next: number }): boolean {
    const owner = lockOwner(change.held);
    if (owner !== 0 && owner === lockOwner(change.next)) return true;
    return side === this.#sideOf(thread) && (owner === 0 || owner === thread + 1);
  }

  #holdsLock(thread: number, index: number): boolean {
    const { clientLockWord, serverLockWord } = this.#setting.layout;
    const lockWord = this.#sideOf(thread) === "client" ? clientLockWord : serverLockWord;
    return lockOwner(this.#memory[lockWord + index]!) === thread + 1;
  }

  #ownsPacket(thread: number, index: number): boolean {
    if (!this.#holdsLock(thread, index)) return false;
    const { clientOutboxWord, serverOutboxWord } = this.#setting.layout;
    const client = this.#memory[clientOutboxWord + index]!;
    const server = this.#memory[serverOutboxWord + index]!;
    return this.#sideOf(thread) === "client"
      ? ownsBuffer("client", { inbox: server, outbox: client })
      : ownsBuffer("server", { inbox: client, outbox: server });
  }
}

function rolesOf({ layout, dataWord }: ChannelSetting): Map<number, Role> {
  const roles = new Map<number, Role>();
  const add = (word: number, kind: Role["kind"], at: { side?: Side; index: number }) =>
    roles.set(word, { kind, side: at.side, index: at.index });
  add(layout.hintWord, "hint", { index: 0 });
  for (let index = 0; index < layout.portCount; index++) {
    add(layout.clientOutboxWord + index, "outbox", { side: "client", index });
    add(layout.serverOutboxWord + index, "outbox", { side: "server", index });
    add(layout.clientLockWord + index, "lock", { side: "client", index });
    add(layout.serverLockWord + index, "lock", { side: "server", index });
    add(dataWord + index, "packet", { index });
    const headerWord = layout.headersWord + index * HEADER_WORDS;
    for (let word = 0; word < HEADER_WORDS; word++) add(headerWord + word, "packet", { index });
  }
  return roles;
}
