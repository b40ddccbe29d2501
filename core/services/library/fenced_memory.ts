import { alignUp } from "../../memory/regions.ts";
import {
  checked,
  type Libc,
  MAP_FIXED,
  MAP_PRIVATE_ANONYMOUS,
  mapPages,
  openLibc,
  PROT_NONE,
  PROT_READ,
  PROT_READ_WRITE,
} from "../../system/libc.ts";

/** How much a library finds behind what its caller has, all zeros: as much as 32 bits count. */
const FENCE_BYTES = 2 ** 32;
/** As C's `malloc` aligns. */
const ALIGN_BYTES = 16;
/** The smallest that calls share one after the other, and the largest that is kept for the next. */
const KEPT_BYTES_MIN = 1 << 14;
const KEPT_BYTES_MAX = 1 << 26;

/** Opened once, for all libraries and for good. */
let libc: Libc | undefined;

/**
 * Memory for a library that ends where what its caller has ends: behind it are zeros that nobody can write, and
 * then nothing, on Linux. So a length that is a lie reads no memory of this process, and writes none: who writes
 * beyond, or reads more than 4 GiB, ends the process.
 */
export class FencedMemory implements Disposable {
  /** All that can be written; its last byte is in front of the fence. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #mapped: { readonly address: bigint; readonly bytes: bigint } | undefined;
  /** What lies behind it may be other than zeros. */
  #used = 0;

  /** @throws {ErrnoError} `ENOMEM` where there is no room */
  constructor(sizeBytes: number) {
    if (Deno.build.os !== "linux") {
      this.bytes = new Uint8Array(alignUp(sizeBytes, ALIGN_BYTES));
      return;
    }
    const { getpagesize } = libc ??= openLibc().symbols;
    const pageBytes = getpagesize();
    const ownBytes = alignUp(Math.max(sizeBytes, 1), pageBytes);
    const bytes = BigInt(ownBytes + FENCE_BYTES + pageBytes);
    const flags = MAP_PRIVATE_ANONYMOUS;
    const address = mapPages(libc, bytes, { protection: PROT_NONE, flags });
    this.#mapped = { address, bytes };
    const over = (byte: number, count: number, protection: number) =>
      mapPages(libc!, BigInt(count), {
        protection,
        flags: flags | MAP_FIXED,
        address: address + BigInt(byte),
      });
    try {
      over(0, ownBytes, PROT_READ_WRITE);
      over(ownBytes, FENCE_BYTES, PROT_READ);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
    const pointer = Deno.UnsafePointer.create(address)!;
    this.bytes = new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(pointer, ownBytes));
  }

  /** Whether an address lies in it, or in what is behind it. */
  has(address: bigint): boolean {
    const { address: first, bytes } = this.#mapped ?? {
      address: Deno.UnsafePointer.value(Deno.UnsafePointer.of(this.bytes)),
      bytes: BigInt(this.bytes.length),
    };
    return address >= first && address < first + bytes;
  }

  /** Lets everybody use it, or nobody: who does ends the process then, on Linux. */
  protect(isHidden: boolean): void {
    if (!this.#mapped) return;
    const protection = isHidden ? PROT_NONE : PROT_READ_WRITE;
    const result = libc!.mprotect(this.#mapped.address, BigInt(this.bytes.length), protection);
    checked(libc!, "protect memory", result);
  }

  /** Gives the memory back: nobody may use it any more. */
  [Symbol.dispose](): void {
    if (!this.#mapped) return;
    const { address, bytes } = this.#mapped;
    checked(libc!, "give memory back", libc!.munmap(address, bytes));
  }

  /** So many bytes as near to the fence as C aligns memory; between are zeros. */
  last(countBytes: number): Uint8Array<ArrayBuffer> {
    const start = this.bytes.length - alignUp(countBytes, ALIGN_BYTES);
    this.bytes.fill(0, start + countBytes);
    this.#used = start;
    return this.bytes.subarray(start, start + countBytes);
  }

  /** Leaves nothing of a call to whoever kept a pointer, or has the memory next. */
  clear(): void {
    this.bytes.fill(0, this.#used);
  }
}

/** Fenced memory that calls of one library use one after the other. */
export class FencePool implements Disposable {
  readonly #free: FencedMemory[] = [];
  /** Of calls that are over, the last ones. */
  readonly #hidden: FencedMemory[] = [];
  readonly #hiddenBytesMax: number;
  #hiddenBytes = 0;
  #isClosed = false;

  /** @param options `hiddenBytesMax`: how much of it nobody can use for a while; 0 when absent, else one piece at least */
  constructor({ hiddenBytesMax = 0 }: { readonly hiddenBytesMax?: number } = {}) {
    this.#hiddenBytesMax = hiddenBytesMax;
  }

  /** Memory of so many bytes at least. */
  take(sizeBytes: number): FencedMemory {
    const known = this.#free.findIndex(({ bytes }) => bytes.length >= sizeBytes);
    if (known >= 0) return this.#free.splice(known, 1)[0]!;
    return new FencedMemory(Math.max(sizeBytes, KEPT_BYTES_MIN));
  }

  /**
   * Takes memory back, and clears it: a library may have kept where it was, for another caller's call. Where it is
   * hidden first, that ends the process instead.
   */
  give(memory: FencedMemory): void {
    const isKept = !this.#isClosed && memory.bytes.length <= KEPT_BYTES_MAX;
    memory.clear();
    if (!isKept) return memory[Symbol.dispose]();
    if (this.#hiddenBytesMax > 0) this.#hide(memory);
    else this.#free.push(memory);
  }

  #hide(memory: FencedMemory): void {
    memory.protect(true);
    this.#hidden.push(memory);
    this.#hiddenBytes += memory.bytes.length;
    while (this.#hiddenBytes > this.#hiddenBytesMax && this.#hidden.length > 1) {
      const oldest = this.#hidden.shift()!;
      this.#hiddenBytes -= oldest.bytes.length;
      oldest.protect(false);
      this.#free.push(oldest);
    }
  }

  /** Gives back all that no call has. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const memory of [...this.#free.splice(0), ...this.#hidden.splice(0)]) {
      memory[Symbol.dispose]();
    }
  }
}

/**
 * What a call gives to a library: each text, array and struct in fenced memory of its own, so that the library reads
 * what the caller sent and then zeros, whatever a declaration says of lengths.
 */
export class SentMemory implements Disposable {
  readonly #pool: FencePool;
  readonly #used: FencedMemory[] = [];

  constructor(pool: FencePool) {
    this.#pool = pool;
  }

  /** A copy of the bytes, with as many zeros behind them as asked for. */
  place(bytes: Uint8Array, zeroBytes = 0): Uint8Array<ArrayBuffer> {
    const count = bytes.length + zeroBytes;
    const memory = this.#pool.take(Math.max(count, 1));
    this.#used.push(memory);
    const placed = memory.last(count);
    placed.set(bytes);
    placed.fill(0, bytes.length);
    return placed;
  }

  /** Whether an address lies in what is given to the library. */
  has(address: bigint): boolean {
    return this.#used.some((memory) => memory.has(address));
  }

  /** The call is over. */
  [Symbol.dispose](): void {
    for (const memory of this.#used.splice(0)) this.#pool.give(memory);
  }
}
