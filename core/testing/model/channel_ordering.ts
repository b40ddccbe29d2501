import { type ChannelLayout } from "../../toggle/layout.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { lockOwner } from "../../toggle/lock/owner_locks.ts";
import type { ChannelSetting } from "./channel_rules.ts";
import type { Ordering } from "../explorer/model.ts";

/**
 * Where a look without order may be stale, and what confirms or makes up for what it saw. It is
 * explored only as a look that sees the newest value.
 */
export const STALE_PEEKS: Readonly<Record<string, string>> = {
  "Mailboxes.looksOwned": "a yes by owns() under the lock, a no by the next search",
  "OwnerLocks.looksLocked": "a no by tryLock(), a yes by the next search",
  "Mailboxes.owns":
    "without the lock: the load of the inbox before it, which shows every flip so far",
  "OwnerLocks.holds":
    "nothing: its own id is written and taken away by this thread alone, which sees its own writes",
  "Hints.find": "a set bit by the look under the lock, a clear one by the next search or scan",
  "Hints.clearIdle": "and(), which clears, and the look at the mailboxes behind it",
  "Channel.get stateGlance": "the look at the state in order that each wait takes",
};

/** A listed look that must be ordered all the same when its thread has the lock of the port. */
const OWNS = "Mailboxes.owns";

const PLACES_PER_PORT = 3;

/** What orders the accesses of a channel: packets and headers are plain data, mailboxes are looked at. */
export class ChannelOrdering implements Ordering {
  readonly placeCount: number;
  readonly atomicWords: readonly number[];
  readonly #memory: Int32Array;
  readonly #setting: ChannelSetting;
  readonly #places: readonly (number | undefined)[];
  readonly #firstPartPlace: number;

  /** @param stateWords the words of the channel that change */
  constructor(memory: Int32Array, setting: ChannelSetting, stateWords: readonly number[]) {
    const { layout, dataWord, doneWord, partWords = [] } = setting;
    this.#memory = memory;
    this.#setting = setting;
    const placeCount = layout.portCount * PLACES_PER_PORT;
    this.placeCount = placeCount + partWords.length;
    const places = placesOf(layout, dataWord);
    partWords.forEach((word, part) => places[word] = placeCount + part);
    this.#places = places;
    this.#firstPartPlace = placeCount;
    this.atomicWords = stateWords.filter((word) => !this.isPlain(word) && word < doneWord);
  }

  placeOf(word: number): number | undefined {
    return this.#places[word];
  }

  isPlain(word: number): boolean {
    const place = this.#places[word];
    if (place === undefined) return false;
    return place >= this.#firstPartPlace || place % PLACES_PER_PORT === 0;
  }

  mayBeStale(thread: number, word: number, site = ""): boolean {
    return site in STALE_PEEKS && !(site === OWNS && this.#holdsLock(thread, word));
  }

  #holdsLock(thread: number, outboxWord: number): boolean {
    const { layout: { clientLockWord, serverLockWord }, actors } = this.#setting;
    const { side, ownerId } = actors[thread]!;
    const port = Math.floor(this.#places[outboxWord]! / PLACES_PER_PORT);
    const lockWord = (side === "client" ? clientLockWord : serverLockWord) + port;
    return lockOwner(this.#memory[lockWord]!) === ownerId;
  }
}

function placesOf(layout: ChannelLayout, dataWord: number): (number | undefined)[] {
  const places: (number | undefined)[] = [];
  for (let index = 0; index < layout.portCount; index++) {
    const first = index * PLACES_PER_PORT;
    const headerWord = layout.headersWord + index * HEADER_WORDS;
    for (let word = 0; word < HEADER_WORDS; word++) places[headerWord + word] = first;
    places[dataWord + index] = first;
    places[layout.clientOutboxWord + index] = first + 1;
    places[layout.serverOutboxWord + index] = first + 2;
  }
  return places;
}
