import { PORT_PLACES } from "../../../memory/regions.ts";
import type { Words } from "../../../memory/words.ts";
import { lockPlaces } from "../../../toggle/design/channel_design.ts";
import type { Channel } from "../../../toggle/channel.ts";
import type { ChannelLayout } from "../../../toggle/layout.ts";

/**
 * Finds a server that sleeps although its client's packet is there, or its client has left in the middle of a
 * call; for the host of waves, which cannot notify. Asking costs a wave nothing, then, and no look of a wave
 * has to come behind its flip, which not every device promises.
 */
export class SleeperWatch {
  readonly #words: Words;
  readonly #layout: ChannelLayout;
  /** Clients' locks of a word each, for servers that wait for them. */
  readonly #peerLockWord: number | undefined;

  constructor({ words, layout }: Channel) {
    this.#words = words;
    this.#layout = layout;
    const hasWords = lockPlaces(layout.portLock) === PORT_PLACES.word;
    this.#peerLockWord = hasWords ? layout.clientLockWord : undefined;
  }

  /** Whether somebody should be woken: one look at each port. */
  hasMissed(): boolean {
    const { portCount, mailboxStride, clientOutboxWord, serverOutboxWord, serverParkedWord } =
      this.#layout;
    for (let index = 0; index < portCount; index++) {
      // A glance: who sleeps has written its word long before, or is seen the next time.
      if (this.#words.peek(serverParkedWord + index) === 0) continue;
      const isLeft = this.#peerLockWord !== undefined &&
        this.#words.load(this.#peerLockWord + index) === 0;
      if (isLeft) return true;
      const place = index * mailboxStride;
      const isOdd = this.#words.load(clientOutboxWord + place) !==
        this.#words.load(serverOutboxWord + place);
      if (isOdd) return true;
    }
    return false;
  }
}
