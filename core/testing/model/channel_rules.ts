import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { bitCount } from "../../memory/regions.ts";
import type { ChannelLayout } from "../../toggle/layout.ts";
import { isAnonymous } from "../../toggle/design/channel_design.ts";
import type { Side } from "../../toggle/side.ts";
import type { MemoryRules } from "../explorer/model.ts";
import type { Actor } from "./channel_plan.ts";
import {
  holderIn,
  holderWord,
  isBalanced,
  lockPlace,
  outboxPlace,
  turnWordOf,
} from "./channel_places.ts";

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
  /** See `holderWord`: two words a port. */
  readonly holdersWord: number;
  /** What the parts of packets hold, where streams are sent in parts. */
  readonly partWords?: readonly number[];
  /** Whether a hint that was set stays so. */
  readonly areHintsKept: boolean;
  /** Whether neither side touches the other's locks: no wait is in the middle of a call. */
  readonly areLocksApart: boolean;
}

/** What a word is, if there are rules for it. */
interface Role {
  readonly kind: "outbox" | "turn" | "lock" | "packet" | "hint";
  /** The side that alone writes it: an outbox, a turn or a lock. */
  readonly side: Side | undefined;
  /** The ports whose value is in the word; of a hint word, its place among them. */
  readonly indexes: readonly number[];
}

/** A write of a word. */
interface Change {
  readonly held: number;
  readonly next: number;
}

/** The words of a channel that change: those with a role, and the named ones of its control region. */
export function channelWords(setting: ChannelSetting, controls: readonly number[]): number[] {
  const { layout: { controlWord, portCount, portLock }, doneWord, holdersWord } = setting;
  const holders = isAnonymous(portLock)
    ? Array.from({ length: 2 * portCount }, (_, place) => holdersWord + place)
    : [];
  return [
    ...controls.map((word) => controlWord + word),
    ...rolesOf(setting).keys(),
    doneWord,
    ...holders,
  ];
}

/** The protocol's rules: who may touch what, and how long that stays so. */
export class ChannelRules implements MemoryRules {
  readonly #memory: Int32Array;
  readonly #setting: ChannelSetting;
  readonly #roles: (Role | undefined)[] = [];
  readonly #sideCounts: Record<Side, number>;
  /** Where it is written who holds which port. */
  readonly #holderWords: Record<Side, number[]>;

  constructor(memory: Int32Array, setting: ChannelSetting) {
    this.#memory = memory;
    this.#setting = setting;
    for (const [word, role] of rolesOf(setting)) this.#roles[word] = role;
    const idsOf = (side: Side) =>
      new Set(setting.actors.filter((actor) => actor.side === side).map(({ ownerId }) => ownerId));
    const { layout, holdersWord } = setting;
    const holdersOf = (side: Side) =>
      Array.from(
        { length: layout.portCount },
        (_, index) => holderWord(layout, side, { index, holdersWord }),
      );
    this.#holderWords = { client: holdersOf("client"), server: holdersOf("server") };
    this.#sideCounts = { client: idsOf("client").size, server: idsOf("server").size };
  }

  /**
   * A packet and its header are the owner's to touch, an outbox and its turn its to flip, a lock its
   * holder's. Turns are nothing to the other side.
   */
  objection(thread: number, word: number, next: number | undefined): string | undefined {
    const role = this.#roles[word];
    if (role === undefined) return undefined;
    const { kind, side, indexes } = role;
    if (kind === "packet") {
      if (this.#ownsPacket(thread, indexes[0]!)) return undefined;
      return `Packet ${indexes[0]} is used by a ${this.#sideOf(thread)} that does not own it`;
    }
    if (kind === "turn" && side !== this.#sideOf(thread)) {
      return `Turn ${indexes[0]} of the ${side} is looked at by a ${this.#sideOf(thread)}`;
    }
    if (kind === "hint" || next === undefined) return undefined;
    const change = { held: this.#memory[word]!, next };
    for (const index of indexes) {
      const isMailbox = kind === "outbox" || kind === "turn";
      if (isMailbox && !this.#mayFlip(thread, { kind, side: side!, index }, change)) {
        return `The ${kind} ${index} of the ${side} is written by a ${
          this.#sideOf(thread)
        } that does not own the packet, or as it is`;
      }
      if (kind === "lock" && !this.#mayLock(thread, { side: side!, index }, change)) {
        return `Lock ${index} of the ${side} is taken from its holder`;
      }
    }
  }

  /** Writes down who takes a lock that does not say it, and that it was dropped. */
  note(thread: number, word: number, change: Change): void {
    const role = this.#roles[word];
    if (role?.kind !== "lock" || !isAnonymous(this.#setting.layout.portLock)) return;
    const { ownerId } = this.#setting.actors[thread]!;
    for (const index of role.indexes) {
      const { before, after } = this.#lockValues(role.side!, index, change);
      const at = this.#holderWord(role.side!, index);
      if (before === 0 && after !== 0) this.#memory[at] = ownerId;
      else if (after < before && this.#memory[at] === ownerId) this.#memory[at] = 0;
    }
  }

  /** What stays as it is while this thread holds its lock, owns the packet, or is the last that writes. */
  isSettled(thread: number, word: number): boolean {
    const role = this.#roles[word];
    switch (role?.kind) {
      case "packet":
        return this.#ownsPacket(thread, role.indexes[0]!);
      case "hint":
        return this.#setting.areHintsKept &&
          this.#memory[word] === this.#allHints(role.indexes[0]!);
      case "lock":
        return this.#setting.areLocksApart && this.#isLastOf(role.side!, thread);
      case "turn":
        return this.#isLastOf(role.side!, thread) ||
          (role.side === this.#sideOf(thread) && this.#holdsLock(thread, role.indexes[0]!));
      case "outbox":
        return this.#isLastOf(role.side!, thread) ||
          role.indexes.every((index) =>
            role.side === this.#sideOf(thread)
              ? this.#holdsLock(thread, index)
              : this.#ownsPacket(thread, index)
          );
      default:
        return false;
    }
  }

  /** A packet is its owner's; locks and turns are a side's: the last of the side has them for itself. */
  isPrivate(thread: number, word: number): boolean {
    const role = this.#roles[word];
    if (role?.kind === "packet") return this.#ownsPacket(thread, role.indexes[0]!);
    const isOfSide = role?.kind === "turn" ||
      (role?.kind === "lock" && this.#setting.areLocksApart);
    return isOfSide && role.side === this.#sideOf(thread) && this.#isLastOf(role.side!, thread);
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

  /** A flip changes the outbox, unless the word was written for another port; a turn may be settled as it is. */
  #mayFlip(
    thread: number,
    { kind, side, index }: PortOfSide & Pick<Role, "kind">,
    { held, next }: Change,
  ): boolean {
    const { layout } = this.#setting;
    const { valueIn } = outboxPlace(layout, side, index);
    if (valueIn(held) === valueIn(next)) return kind === "turn" || layout.mailboxWidth === "bit";
    return side === this.#sideOf(thread) && this.#ownsPacket(thread, index);
  }

  /** A lock is free or the thread's own, or keeps its owner, with the mark of one of either side who waits. */
  #mayLock(thread: number, { side, index }: PortOfSide, change: Change): boolean {
    const { layout, actors } = this.#setting;
    const { ownerId } = actors[thread]!;
    const isOfSide = side === this.#sideOf(thread);
    if (!isAnonymous(layout.portLock)) {
      const holder = holderIn(change.held);
      if (holder !== 0 && holder === holderIn(change.next)) return true;
      return isOfSide && (holder === 0 || holder === ownerId);
    }
    const { before, after } = this.#lockValues(side, index, change);
    if (after === before) return true;
    if (after > before) return isOfSide;
    const holder = this.#memory[this.#holderWord(side, index)];
    // Who added to a count that was not 0 takes that back.
    const isUndone = layout.portLock === "fetch-add" && (after > 0 || holder === 0);
    return isOfSide && (holder === ownerId || isUndone);
  }

  #lockValues(side: Side, index: number, { held, next }: Change) {
    const { valueIn } = lockPlace(this.#setting.layout, side, index);
    return { before: valueIn(held), after: valueIn(next) };
  }

  #holderWord(side: Side, index: number): number {
    return this.#holderWords[side][index]!;
  }

  #holdsLock(thread: number, index: number): boolean {
    const { side, ownerId } = this.#setting.actors[thread]!;
    if (side === undefined) return false;
    return holderIn(this.#memory[this.#holderWord(side, index)]!) === ownerId;
  }

  #ownsPacket(thread: number, index: number): boolean {
    if (!this.#holdsLock(thread, index)) return false;
    const isClients = isBalanced(this.#memory, this.#setting.layout, index);
    return isClients === (this.#sideOf(thread) === "client");
  }
}

/** A port, as one side has it. */
interface PortOfSide {
  readonly side: Side;
  readonly index: number;
}

function rolesOf({ layout, dataWord }: ChannelSetting): Map<number, Role> {
  const roles = new Map<number, Role>();
  const add = (word: number, kind: Role["kind"], at: { side?: Side; index: number }) => {
    const indexes = [...roles.get(word)?.indexes ?? [], at.index];
    roles.set(word, { kind, side: at.side, indexes });
  };
  for (let word = 0; word < layout.hintWordCount; word++) {
    add(layout.hintWord + word, "hint", { index: word });
  }
  for (let index = 0; index < layout.portCount; index++) {
    for (const side of ["client", "server"] as const) {
      add(outboxPlace(layout, side, index).word, "outbox", { side, index });
      add(lockPlace(layout, side, index).word, "lock", { side, index });
      if (layout.mailboxRead === "turn") {
        add(turnWordOf(layout, side, index), "turn", { side, index });
      }
    }
    add(dataWord + index, "packet", { index });
    const headerWord = layout.headersWord + index * layout.headerStride;
    for (let word = 0; word < HEADER_WORDS; word++) add(headerWord + word, "packet", { index });
  }
  return roles;
}
