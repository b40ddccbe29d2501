import { Regions } from "../../memory/regions.ts";
import { SharedWords, type Words } from "../../memory/words.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { LETTER_BYTES, LETTER_WORDS } from "./mail.ts";
import type { RingPlace } from "./ring.ts";

/** Which end of a line. */
export type LineSide = "client" | "server";

/** Bytes of each ring: some hundred packets, and yet within the caches of two processors. */
const RING_BYTES = 1 << 21;
const MAGIC = 0x6e696c70;

/** Where everything is in the memory of a line. */
function layOut() {
  const regions = new Regions();
  const ring = (): RingPlace => {
    const writtenWord = regions.take(2);
    const readWord = regions.take(1);
    const dataWord = regions.take(RING_BYTES / 4);
    return {
      writtenWord,
      wantsRoomWord: writtenWord + 1,
      readWord,
      dataWord,
      ringBytes: RING_BYTES,
    };
  };
  const magicWord = regions.take(2);
  const [attachedWord, endWord] = [regions.take(1), regions.take(1)];
  // What a side tells of its sleep lies where the other one looks for its bell.
  const bells = { client: regions.take(2), server: regions.take(3) };
  const letters = { client: regions.take(LETTER_WORDS), server: regions.take(LETTER_WORDS) };
  const rings = { client: ring(), server: ring() };
  return {
    magicWord,
    ringsOnlyWord: magicWord + 1,
    attachedWord,
    endWord,
    bells,
    napWord: bells.server + 2,
    letters,
    rings,
    totalBytes: regions.nextByte,
  };
}

/** @internal What the model of a line looks at, and tests forge. */
export const LAYOUT = layOut();

/**
 * The memory between two threads that talk to each other: a letter and a ring of bytes each way, and a bell for
 * each side.
 */
export class Line {
  /** @internal */
  readonly words: Words;
  /** What travels to the other thread. */
  readonly buffer: SharedArrayBuffer;

  private constructor(words: SharedWords) {
    this.words = words;
    this.buffer = words.plain.buffer;
  }

  /** @throws {TypeError} on a page that is not isolated: it has no shared memory */
  static create(): Line {
    if (typeof SharedArrayBuffer === "undefined") {
      throw new TypeError(
        "Cannot connect as this page has no shared memory: it must be served with the headers " +
          "Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp",
      );
    }
    const words = new SharedWords(new SharedArrayBuffer(LAYOUT.totalBytes));
    words.store(LAYOUT.magicWord, MAGIC);
    return new Line(words);
  }

  /**
   * The same line in the other thread.
   *
   * @returns `undefined` when the worker has it already
   * @throws {TypeError} when the memory is none of a line
   */
  static attach(buffer: unknown): Line | undefined {
    const isFit = buffer instanceof SharedArrayBuffer && buffer.byteLength === LAYOUT.totalBytes;
    const words = isFit ? new SharedWords(buffer) : undefined;
    if (words?.load(LAYOUT.magicWord) !== MAGIC) {
      throw new TypeError("Cannot serve as what came is not the memory of a connection");
    }
    // Sync: one attempt finds 0: a line that was offered twice must not be served twice.
    return words.exchange(LAYOUT.attachedWord, 1) === 0 ? new Line(words) : undefined;
  }

  /** Whether one side has ended it. */
  get isEnded(): boolean {
    // Sync: pairs with end(): looked at after a bell was armed, so that no wake is missed.
    return this.words.load(LAYOUT.endWord) !== 0;
  }

  /** Ends it for both. May be repeated. */
  end(): void {
    // Sync: pairs with isEnded; before the bells, or the woken would sleep again.
    this.words.store(LAYOUT.endWord, 1);
    this.bellOf("client").wakeAll();
    this.bellOf("server").wakeAll();
  }

  /** Whether letters may be written: not where a side takes less than a letter can hold. */
  get hasLetters(): boolean {
    return this.words.load(LAYOUT.ringsOnlyWord) === 0;
  }

  /** Tells the other side what this one takes, before the first call. */
  limit(limitBytes: number): void {
    // Sync: pairs with hasLetters: before the worker says that it serves, and before the first call.
    if (limitBytes < LETTER_BYTES) this.words.store(LAYOUT.ringsOnlyWord, 1);
  }

  /** How the server sleeps: not at all, for a moment and as a thread, or for as long as it takes on its event loop. */
  get serverSleep(): "awake" | "naps" | "sleeps" {
    // Sync: with nothing: it says how long to look for an answer, and what it says may be over.
    if (this.words.load(LAYOUT.bells.server) === 0) return "awake";
    return this.words.load(LAYOUT.napWord) === 0 ? "sleeps" : "naps";
  }

  /** Tells the client that the server's next sleep is a nap, and when it is over. */
  setNaps(naps: boolean): void {
    // Sync: as serverSleep.
    this.words.store(LAYOUT.napWord, naps ? 1 : 0);
  }

  /** @internal What wakes a side. */
  bellOf(side: LineSide): Doorbell {
    const sleepersWord = LAYOUT.bells[side];
    return new Doorbell(this.words, { sleepersWord, bellWord: sleepersWord + 1 });
  }
}
