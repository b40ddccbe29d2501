import type { Words } from "../../memory/words.ts";

/** Where a ring of bytes lies. Written by one thread and read by another one. */
export interface RingPlace {
  /** How many bytes were written in all, modulo 2^32; the writer's. */
  readonly writtenWord: number;
  /** How many were read; the reader's. */
  readonly readWord: number;
  /** 1 while the writer waits for room; the reader clears it. */
  readonly wantsRoomWord: number;
  /** The first of the bytes. */
  readonly dataWord: number;
  /** A power of two. */
  readonly ringBytes: number;
}

/** Up to so many bytes are copied one by one: `set` makes an object of each piece first. */
const FEW_BYTES = 48;

/** The bytes of a ring, and how far one side has come. */
abstract class RingEnd {
  protected readonly words: Words;
  protected readonly place: RingPlace;
  protected readonly bytes: Uint8Array;
  /** This side's count, as the shared word will have it. */
  protected count = 0;

  constructor(words: Words, place: RingPlace) {
    this.words = words;
    this.place = place;
    this.bytes = new Uint8Array(words.plain.buffer, place.dataWord * 4, place.ringBytes);
  }

  /** @throws {TypeError} when the other side's count cannot be */
  protected checked(bytes: number): number {
    if (bytes >= 0 && bytes <= this.place.ringBytes && (bytes & 7) === 0) return bytes;
    throw new TypeError(
      `Cannot go on with the ring as it holds ${bytes} bytes of ${this.place.ringBytes}`,
    );
  }
}

/**
 * Writes bytes into a ring, without waiting.
 *
 * @example
 * ```ts
 * import { SharedWords } from "../../memory/words.ts";
 * import { RingReader, RingWriter } from "./ring.ts";
 * const words = new SharedWords(new SharedArrayBuffer(64));
 * const place = { writtenWord: 0, readWord: 1, wantsRoomWord: 2, dataWord: 8, ringBytes: 32 };
 * const writer = new RingWriter(words, place);
 * writer.put(Uint8Array.of(1, 2, 3), 0);
 * writer.publish();
 * const bytes = new Uint8Array(3);
 * if (new RingReader(words, place).take(bytes, 0) !== 3) throw new Error("all three");
 * ```
 */
export class RingWriter extends RingEnd {
  #room = 0;

  /** Copies bytes from an offset on, a multiple of 8, as far as there is room; returns how many. */
  put(source: Uint8Array, offset: number): number {
    const wanted = source.length - offset;
    if (this.#room < wanted) this.#room = this.#lookForRoom();
    const taken = Math.min(wanted, this.#room);
    const { ringBytes } = this.place;
    const at = this.count & ringBytes - 1;
    const first = Math.min(taken, ringBytes - at);
    copy({ source, offset, count: first }, this.bytes, at);
    copy({ source, offset: offset + first, count: taken - first }, this.bytes, 0);
    const stepped = roundUp(taken);
    this.count = this.count + stepped | 0;
    this.#room -= stepped;
    return taken;
  }

  /** Whether there is room for so many bytes. */
  hasRoom(bytes: number): boolean {
    return this.#room >= bytes || (this.#room = this.#lookForRoom()) >= bytes;
  }

  #lookForRoom(): number {
    // Sync: pairs with the store in RingReader.release(): what we write over was read before. Without
    // it the reader could find the next bytes in the place of those that it still reads.
    const read = this.words.load(this.place.readWord);
    return this.checked(this.place.ringBytes - (this.count - read >>> 0));
  }

  /** Whether the reader has taken all that was put. */
  get isTaken(): boolean {
    // Sync: pairs with the store in RingReader.release(): what is written elsewhere from now on is found behind it.
    return this.words.load(this.place.readWord) === this.count;
  }

  /** Shows what was put to the reader. */
  publish(): void {
    // Sync: pairs with the load in RingReader: behind the bytes, which the reader would else miss.
    this.words.store(this.place.writtenWord, this.count);
  }

  /** Has the reader tell when there is room; returns whether there is some already. */
  wantRoom(): boolean {
    // Sync: pairs with RingReader.release(), which stores its count first and looks at this word then;
    // we set it first and look at the count then. The other way round, both could miss: asleep for good.
    this.words.store(this.place.wantsRoomWord, 1);
    return (this.#room = this.#lookForRoom()) > 0;
  }
}

/** Reads the bytes of a ring, without waiting. */
export class RingReader extends RingEnd {
  #available = 0;

  /** Whether there are so many bytes. */
  has(bytes: number): boolean {
    return this.#available >= bytes || this.#look() >= bytes;
  }

  /**
   * Fills an array from an offset on, a multiple of 8, as far as there are bytes; returns how many.
   *
   * @param wanted how many at most; to the array's end when absent
   */
  take(target: Uint8Array, offset: number, wanted = target.length - offset): number {
    if (this.#available < wanted) this.#look();
    const taken = Math.min(wanted, this.#available);
    const { ringBytes } = this.place;
    const at = this.count & ringBytes - 1;
    const first = Math.min(taken, ringBytes - at);
    copy({ source: this.bytes, offset: at, count: first }, target, offset);
    copy({ source: this.bytes, offset: 0, count: taken - first }, target, offset + first);
    const stepped = roundUp(taken);
    this.count = this.count + stepped | 0;
    this.#available -= stepped;
    return taken;
  }

  #look(): number {
    // Sync: pairs with RingWriter.publish(): the bytes up to this count are there.
    const written = this.words.load(this.place.writtenWord);
    return this.#available = this.checked(written - this.count >>> 0);
  }

  /** Gives the room of what was taken back; returns whether the writer wants to be told. */
  release(): boolean {
    // Sync: pairs with RingWriter.wantRoom(); the count first.
    this.words.store(this.place.readWord, this.count);
    if (this.words.load(this.place.wantsRoomWord) === 0) return false;
    this.words.store(this.place.wantsRoomWord, 0);
    return true;
  }
}

/**
 * What is put as a whole begins at a multiple of 8. Engines copy from and to shared memory eight bytes at a
 * time where both places have the same alignment, and else byte by byte: a tenth as quickly.
 */
export function roundUp(bytes: number): number {
  return bytes + (-bytes & 7);
}

interface Piece {
  readonly source: Uint8Array;
  readonly offset: number;
  readonly count: number;
}

function copy({ source, offset, count }: Piece, target: Uint8Array, at: number): void {
  if (count > FEW_BYTES) return target.set(source.subarray(offset, offset + count), at);
  for (let index = 0; index < count; index++) target[at + index] = source[offset + index]!;
}
