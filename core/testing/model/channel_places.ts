import { placeValue, placeWord } from "../../memory/regions.ts";
import { isAnonymous, lockPlaces } from "../../toggle/design/channel_design.ts";
import { type ChannelLayout, mailboxPlaces } from "../../toggle/layout.ts";
import { lockOwner } from "../../toggle/lock/owner_locks.ts";
import type { Side } from "../../toggle/side.ts";

/** Where a mailbox or a lock is: the word, and what its value there is. */
export interface Place {
  readonly word: number;
  /** What a word that was read says of it. */
  valueIn(held: number): number;
}

/** The mailbox that a side writes. */
export function outboxPlace(layout: ChannelLayout, side: Side, index: number): Place {
  const places = mailboxPlaces(layout);
  const region = side === "client" ? layout.clientOutboxWord : layout.serverOutboxWord;
  return {
    word: region + placeWord(places, index),
    valueIn: (held) => placeValue(places, index, held),
  };
}

/** Where a side looks for what its own mailbox holds: its turn, or the mailbox itself. */
export function turnWordOf(layout: ChannelLayout, side: Side, index: number): number {
  if (layout.mailboxRead === "outbox") return outboxPlace(layout, side, index).word;
  const region = side === "client" ? layout.clientTurnWord : layout.serverTurnWord;
  return region + index;
}

/** Whether each side's turn of a port is what its outbox holds. */
export function areSettled(memory: Int32Array, layout: ChannelLayout, index: number): boolean {
  return (["client", "server"] as const).every((side) =>
    memory[turnWordOf(layout, side, index)] === memory[outboxPlace(layout, side, index).word]
  );
}

/** The lock of a side. */
export function lockPlace(layout: ChannelLayout, side: Side, index: number): Place {
  const places = lockPlaces(layout.portLock);
  const region = side === "client" ? layout.clientLockWord : layout.serverLockWord;
  return {
    word: region + placeWord(places, index),
    valueIn: (held) => placeValue(places, index, held),
  };
}

/** Whether nobody holds the lock of this side. */
export function isUnlocked(
  memory: Int32Array,
  { layout, side, index }: {
    readonly layout: ChannelLayout;
    readonly side: Side;
    readonly index: number;
  },
): boolean {
  // Without the objects of a Place, here and below: an exploration asks this millions of times.
  const places = lockPlaces(layout.portLock);
  const region = side === "client" ? layout.clientLockWord : layout.serverLockWord;
  return placeValue(places, index, memory[region + placeWord(places, index)]!) === 0;
}

/** Whether both mailboxes of a port hold the same. */
export function isBalanced(memory: Int32Array, layout: ChannelLayout, index: number): boolean {
  const places = mailboxPlaces(layout);
  const word = placeWord(places, index);
  return placeValue(places, index, memory[layout.clientOutboxWord + word]!) ===
    placeValue(places, index, memory[layout.serverOutboxWord + word]!);
}

/**
 * The word that says who holds a lock: the lock's own, or where that does not say it a word behind the
 * channel, which the model keeps and no thread of the channel knows of.
 *
 * @param holdersWord the first of those words: of the clients' locks, then of the servers'
 */
export function holderWord(
  layout: ChannelLayout,
  side: Side,
  place: { readonly index: number; readonly holdersWord: number },
): number {
  if (!isAnonymous(layout.portLock)) return lockPlace(layout, side, place.index).word;
  return place.holdersWord + place.index + (side === "client" ? 0 : layout.portCount);
}

/** The id in a word of {@linkcode holderWord}; 0 while nobody holds the lock. */
export function holderIn(held: number): number {
  return lockOwner(held);
}
