import { PORT_PLACES } from "../../../memory/regions.ts";
import type { Words } from "../../../memory/words.ts";
import { lockPlaces } from "../../../toggle/design/channel_design.ts";
import type { Channel } from "../../../toggle/channel.ts";
import type { ChannelLayout } from "../../../toggle/layout.ts";
import type { Side } from "../../../toggle/side.ts";

/**
 * Finds who sleeps although its packet has come back, or a server whose client has left in the middle of a
 * call; for the host of waves, which cannot notify. Asking costs a wave nothing, then, and no look of a wave
 * has to come behind its flip, which not every device promises.
 */
export class SleeperWatch {
  readonly #words: Words;
  readonly #layout: ChannelLayout;
  readonly #isClient: boolean;
  readonly #parkedWord: number;
  /** Clients' locks of a word each, for servers that wait for them. */
  readonly #peerLockWord: number | undefined;

  /** @param side whose sleepers are looked for: the side that waves answer */
  constructor({ words, layout }: Channel, side: Side) {
    this.#words = words;
    this.#layout = layout;
    this.#isClient = side === "client";
    this.#parkedWord = this.#isClient ? layout.clientParkedWord : layout.serverParkedWord;
    const hasWords = lockPlaces(layout.portLock) === PORT_PLACES.word;
    this.#peerLockWord = !this.#isClient && hasWords ? layout.clientLockWord : undefined;
  }

  /** Whether somebody should be woken: one look at each port. */
  hasMissed(): boolean {
    const { portCount, mailboxStride, clientOutboxWord, serverOutboxWord } = this.#layout;
    for (let index = 0; index < portCount; index++) {
      // A glance: who sleeps has written its word long before, or is seen the next time.
      if (this.#words.peek(this.#parkedWord + index) === 0) continue;
      const isLeft = this.#peerLockWord !== undefined &&
        this.#words.load(this.#peerLockWord + index) === 0;
      if (isLeft) return true;
      const place = index * mailboxStride;
      const isEven = this.#words.load(clientOutboxWord + place) ===
        this.#words.load(serverOutboxWord + place);
      if (isEven === this.#isClient) return true;
    }
    return false;
  }
}
