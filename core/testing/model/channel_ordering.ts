import { type ChannelLayout } from "../../toggle/layout.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { holderIn, holderWord, turnWordOf } from "./channel_places.ts";
import type { ChannelSetting } from "./channel_rules.ts";
import type { Ordering } from "../explorer/model.ts";

/**
 * Where a look without order may be stale, and what confirms or makes up for what it saw. It is
 * explored only as a look that sees the newest value.
 */
export const STALE_PEEKS: Readonly<Record<string, string>> = {
  "Mailboxes.looksOwned": "a yes by owns() under the lock, a no by the next search",
  "Mailboxes.looksOwnedBits": "as looksOwned()",
  "Mailboxes.owns":
    "without the lock: the load of the inbox before it, which shows every flip so far",
  "Mailboxes.ownedBits": "as owns()",
  "ToldAccesses.read": "as Mailboxes.owns()",
  "Port.tryTake": "as looksOwned() and looksLocked(), by what it does next",
  "Port.#owns": "as Mailboxes.owns()",
  "Locks.looksLocked": "a no by tryLock(), a yes by the next search",
  "Locks.tryLockBits": "a no by or(), a yes by the next search",
  "WordBatch.get isAlone": "nothing: it decides who of the servers serves, and the locks hold",
  "Locks.holds":
    "nothing: its own id is written and taken away by this thread alone, which sees its own writes",
  "ServerSide.takeLate":
    "the lock, which whoever writes the word has, and which is taken before the look",
  "Locks.keep": "a mark that is missed by the exchange that drops the lock later",
  "Hints.find": "a set bit by the look under the lock, a clear one by the next search or scan",
  "Hints.clearIdle": "and(), which clears, and the look at the mailboxes behind it",
  "Channel.get stateGlance": "the look at the state in order that each wait takes",
};

/** Listed looks that must be ordered all the same when their thread has the lock of the port. */
const OWNS: readonly string[] = [
  "Mailboxes.owns",
  "Mailboxes.ownedBits",
  "Port.#owns",
  "ToldAccesses.read",
];

/**
 * Looks of who has the lock at its own bit of a word in which others change theirs. Its side wrote that bit
 * last, and every later value of the word has it as it is.
 */
export const OWN_BIT: readonly string[] = [...OWNS, "Mailboxes.outbox", "Mailboxes.turn"];

const PLACES_PER_PORT = 3;

/** What orders the accesses of a channel: packets, headers and turns are plain data. */
export class ChannelOrdering implements Ordering {
  readonly placeCount: number;
  readonly atomicWords: readonly number[];
  readonly #memory: Int32Array;
  readonly #setting: ChannelSetting;
  readonly #places: readonly (number | undefined)[];
  readonly #sharedWords: ReadonlySet<number>;
  readonly #firstPartPlace: number;
  readonly #hasTurns: boolean;
  readonly #allowances = new Map<string, Allowance>();

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
    this.#hasTurns = layout.mailboxRead === "turn";
    this.#sharedWords = sharedWords(layout);
    this.atomicWords = stateWords.filter((word) => !this.isPlain(word) && word < doneWord);
  }

  placeOf(word: number): number | undefined {
    return this.#places[word];
  }

  isPlain(word: number): boolean {
    const place = this.#places[word];
    if (place === undefined) return false;
    return this.#hasTurns || place >= this.#firstPartPlace || place % PLACES_PER_PORT === 0;
  }

  mayBeStale(thread: number, word: number, site = ""): boolean {
    let allowance = this.#allowances.get(site);
    if (!allowance) this.#allowances.set(site, allowance = allowanceOf(siteKind(site)));
    if (allowance.isOwnBit && this.#sharedWords.has(word)) return true;
    return allowance.isListed && !(allowance.isOwns && this.#holdsLock(thread, word));
  }

  #holdsLock(thread: number, turnWord: number): boolean {
    const { layout, actors, holdersWord } = this.#setting;
    const { side, ownerId } = actors[thread]!;
    const index = Math.floor(this.#places[turnWord]! / PLACES_PER_PORT);
    const word = holderWord(layout, side ?? "server", { index, holdersWord });
    return holderIn(this.#memory[word]!) === ownerId;
  }
}

/** What the lists above say of a site. */
interface Allowance {
  readonly isListed: boolean;
  readonly isOwns: boolean;
  readonly isOwnBit: boolean;
}

function allowanceOf(kind: string): Allowance {
  return {
    isListed: kind in STALE_PEEKS,
    isOwns: OWNS.includes(kind),
    isOwnBit: OWN_BIT.includes(kind),
  };
}

/** A site by its kind: the choices of a channel are classes whose names end alike. */
export function siteKind(site: string): string {
  return site.replace(/^\w*(Mailboxes|Locks)\./, "$1.");
}

/** The words that hold the mailboxes of several ports. */
function sharedWords(layout: ChannelLayout): ReadonlySet<number> {
  const { clientOutboxWord, serverOutboxWord, mailboxWidth, portCount } = layout;
  if (mailboxWidth !== "bit" || portCount === 1) return new Set();
  const places = Array.from({ length: Math.ceil(portCount / 32) }, (_, place) => place);
  return new Set(places.flatMap((place) => [clientOutboxWord + place, serverOutboxWord + place]));
}

function placesOf(layout: ChannelLayout, dataWord: number): (number | undefined)[] {
  const places: (number | undefined)[] = [];
  for (let index = 0; index < layout.portCount; index++) {
    const first = index * PLACES_PER_PORT;
    const headerWord = layout.headersWord + index * layout.headerStride;
    for (let word = 0; word < HEADER_WORDS; word++) places[headerWord + word] = first;
    places[dataWord + index] = first;
    places[turnWordOf(layout, "client", index)] ??= first + 1;
    places[turnWordOf(layout, "server", index)] ??= first + 2;
  }
  return places;
}
