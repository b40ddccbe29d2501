import { PORT_PLACES } from "../../../memory/regions.ts";
import type { Words } from "../../../memory/words.ts";
import { lockPlaces } from "../../../toggle/design/channel_design.ts";
import type { Channel } from "../../../toggle/channel.ts";
import type { Side } from "../../../toggle/side.ts";

/**
 * Finds who sleeps although its packet has come back, or a server whose client has left in the middle of a
 * call; for the host of waves, which cannot notify. Asking costs a wave nothing, then, and no look of a wave
 * has to come behind its flip, which not every device promises.
 */
export class SleeperWatch {
  readonly #words: Words;
  readonly #portCount: number;
  readonly #parkedWord: number;
  readonly #ownOutboxWord: number;
  readonly #inboxWord: number;
  readonly #ownedXor: number;
  /** Words of a mailbox, as a shift. */
  readonly #up: number;
  /** Clients' locks of a word each, for servers that wait for them. */
  readonly #peerLockWord: number | undefined;

  /** @param side whose sleepers are looked for: the side that waves answer */
  constructor({ words, layout }: Channel, side: Side) {
    const isClient = side === "client";
    this.#words = words;
    this.#portCount = layout.portCount;
    this.#parkedWord = isClient ? layout.clientParkedWord : layout.serverParkedWord;
    this.#ownOutboxWord = isClient ? layout.clientOutboxWord : layout.serverOutboxWord;
    this.#inboxWord = isClient ? layout.serverOutboxWord : layout.clientOutboxWord;
    this.#ownedXor = isClient ? 0 : 1;
    this.#up = PORT_PLACES[layout.mailboxWidth].up;
    const hasWords = lockPlaces(layout.portLock) === PORT_PLACES.word;
    this.#peerLockWord = !isClient && hasWords ? layout.clientLockWord : undefined;
  }

  /** Whether somebody should be woken: one look at each port. */
  hasMissed(): boolean {
    for (let index = 0; index < this.#portCount; index++) {
      // A glance: who sleeps has written its word long before, or is seen the next time.
      if (this.#words.peek(this.#parkedWord + index) === 0) continue;
      const isLeft = this.#peerLockWord !== undefined &&
        this.#words.load(this.#peerLockWord + index) === 0;
      if (isLeft) return true;
      const place = index << this.#up;
      const [own, inbox] = [this.#ownOutboxWord, this.#inboxWord].map((word) =>
        this.#words.load(word + place)
      );
      if ((own! ^ inbox!) === this.#ownedXor) return true;
    }
    return false;
  }
}
