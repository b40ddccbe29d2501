import type { Words } from "../../memory/words.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { Hints } from "../../wait/hint.ts";
import { type ChannelLayout, ControlWord, doorbellPlace } from "../layout.ts";
import { PEER_WAITS, ringFree, WAITED, wakeParked } from "./port_locks.ts";

/**
 * What a side of the one page owes to others on its channel that sleep, or that search by hints, as it
 * does neither. The sides of the library do both, and so have the same steps among theirs.
 */
export class Sleepers {
  readonly #words: Words;
  readonly #hints: Hints | undefined;
  readonly #doorbell: Doorbell;
  readonly #peerParkedWord: number;
  readonly #freeBellWord: number;
  /** What others of the same side sleep on. */
  readonly #idleBellWord: number;

  constructor(words: Words, layout: ChannelLayout, isClient: boolean) {
    this.#words = words;
    this.#hints = isClient ? new Hints(words, layout) : undefined;
    this.#doorbell = new Doorbell(words, doorbellPlace(layout));
    this.#peerParkedWord = isClient ? layout.serverParkedWord : layout.clientParkedWord;
    this.#freeBellWord = layout.controlWord + ControlWord.freeBell;
    this.#idleBellWord = layout.controlWord + (isClient ? ControlWord.freeBell : ControlWord.bell);
  }

  /** Call behind the flip. Bounded. */
  wakeAfterFlip(index: number): void {
    if (this.#hints?.mark(index)) this.#doorbell.ring();
    const word = this.#peerParkedWord + index;
    // Sync: pairs with the sleeper's mark in this word, which comes before its last look at the inbox.
    // Read before the flip, the mark and the flip could both be missed, and the sleep have no end.
    if (this.#words.load(word) !== 0) wakeParked(this.#words, word, this.#freeBellWord);
  }

  /** Call with what the exchange that dropped the lock found in it. Bounded. */
  wakeAfterDrop(index: number, held: number): void {
    if (held & WAITED) ringFree(this.#words, this.#idleBellWord);
    if (held & PEER_WAITS) {
      wakeParked(this.#words, this.#peerParkedWord + index, this.#freeBellWord);
    }
  }
}
