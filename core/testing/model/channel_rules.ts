import { HEADER_WORDS } from "../../memory/port_headers.ts";
import type { ChannelLayout } from "../../toggle/layout.ts";
import { lockOwner } from "../../toggle/lock/owner_locks.ts";
import { ownsBuffer, type Side } from "../../toggle/side.ts";
import type { MemoryRules } from "../explorer/model.ts";
import type { Actor } from "./channel_plan.ts";

/** A channel in a model, whose threads are first the clients, then the servers, then others. */
export interface ChannelSetting {
  readonly layout: ChannelLayout;
  /** Who each thread acts for: one that died and who acts for it then are one. */
  readonly actors: readonly Actor[];
  readonly clientCount: number;
  /** Has a bit for each client that touches no port any more. */
  readonly doneWord: number;
  /** What the packets hold: one word a port. */
  readonly dataWord: number;
  /** What the parts of packets hold, where streams are sent in parts. */
  readonly partWords?: readonly number[];
  /** Whether a hint that was set stays so. */
  readonly areHintsKept: boolean;
  /** Whether neither side touches the other's locks: no wait is in the middle of a call. */
  readonly areLocksApart: boolean;
}

/** What a word is, if there are rules for it. */
interface Role {
  readonly kind: "outbox" | "lock" | "packet" | "hint";
  /** The side that alone writes it: an outbox or a lock. */
  readonly side: Side | undefined;
  /** The port; of a hint word, its place among them. */
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
  readonly #sideCounts: Record<Side, number>;

  constructor(memory: Int32Array, setting: ChannelSetting) {
    this.#memory = memory;
    this.#setting = setting;
    for (const [word, role] of rolesOf(setting)) this.#roles[word] = role;
    const idsOf = (side: Side) =>
      new Set(setting.actors.filter((actor) => actor.side === side).map(({ ownerId }) => ownerId));
    this.#sideCounts = { client: idsOf("client").size, server: idsOf("server").size };
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
        return this.#setting.areHintsKept && this.#memory[word] === this.#allHints(role.index);
      case "lock":
        return this.#setting.areLocksApart && this.#isLastOf(role.side!, thread);
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
    return role?.kind === "lock" && this.#setting.areLocksApart &&
      role.side === this.#sideOf(thread) && this.#isLastOf(role.side!, thread);
  }

  #sideOf(thread: number): Side | undefined {
    return this.#setting.actors[thread]!.side;
  }

  /** The hint word with every port's bit. */
  #allHints(place: number): number {
    const rest = this.#setting.layout.portCount - 32 * place;
    return rest >= 32 ? -1 : -1 >>> (32 - rest) | 0;
  }

  /** Whether no other thread will do anything for the side. */
  #isLastOf(side: Side, thread: number): boolean {
    const { actors, clientCount, doneWord } = this.#setting;
    const done = this.#memory[doneWord]! & (2 ** clientCount - 1);
    const count = this.#sideCounts[side] - (side === "client" ? bitCount(done) : 0);
    const own = actors[thread]!;
    const isOfIt = side === own.side && !(side === "client" && done >> (own.ownerId - 1) & 1);
    return count === Number(isOfIt);
  }

  #mayFlip(thread: number, { side, index }: Role): boolean {
    return side === this.#sideOf(thread) && this.#ownsPacket(thread, index);
  }

  /** A lock is free or the thread's own, or keeps its owner, with the mark of one of either side who waits. */
  #mayLock(thread: number, side: Side, change: { held: number; next: number }): boolean {
    const owner = lockOwner(change.held);
    if (owner !== 0 && owner === lockOwner(change.next)) return true;
    const isOwn = owner === 0 || owner === this.#setting.actors[thread]!.ownerId;
    return side === this.#sideOf(thread) && isOwn;
  }

  #holdsLock(thread: number, index: number): boolean {
    const { layout: { clientLockWord, serverLockWord }, actors } = this.#setting;
    const lockWord = this.#sideOf(thread) === "client" ? clientLockWord : serverLockWord;
    return lockOwner(this.#memory[lockWord + index]!) === actors[thread]!.ownerId;
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

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function rolesOf({ layout, dataWord }: ChannelSetting): Map<number, Role> {
  const roles = new Map<number, Role>();
  const add = (word: number, kind: Role["kind"], at: { side?: Side; index: number }) =>
    roles.set(word, { kind, side: at.side, index: at.index });
  for (let word = 0; word < layout.hintWordCount; word++) {
    add(layout.hintWord + word, "hint", { index: word });
  }
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
