import type { BuiltIn } from "../../signature/declare/built_in.ts";
import { innerKind } from "../../signature/declare/kind.ts";
import { structLayout } from "../../signature/declare/struct_layout.ts";
import type { ApiFunction, Result } from "../../signature/declaration_types.ts";
import * as s from "../../signature/mod.ts";
import { FencedMemory } from "./fenced_memory.ts";
import { hostResult } from "./foreign_values.ts";

/** How many bytes callers can have at once. */
const MEMORY_BYTES_MAX = 1 << 30;
/** How many pieces: each takes three of the 65 530 mappings that Linux gives a process. */
const PIECES_MAX = 1 << 14;
const ADDRESS_BYTES = 8;

/** Memory of one caller. */
interface Piece {
  readonly address: bigint;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly memory: FencedMemory;
  /** What its addresses point into, by where these stand. */
  readonly targets: Map<bigint, Piece>;
  /** How many addresses in other pieces point into it: it stays as long. */
  pointerCount: number;
  isFreed: boolean;
}

/** Memory of callers that a library sees where it is, each piece with nothing of others behind it. */
export class LibraryMemory implements Disposable {
  /** By address. */
  readonly #pieces = new Map<bigint, Piece>();
  #pieceCount = 0;
  #bytes = 0;

  /** Gives all of it back: the library is closed. */
  [Symbol.dispose](): void {
    for (const { memory } of this.#pieces.values()) memory[Symbol.dispose]();
    this.#pieces.clear();
  }

  /** What stands for a function that `memoryOf` declared. */
  callOf(builtIn: BuiltIn): (values: readonly unknown[]) => unknown {
    const works: Partial<Record<BuiltIn, (...values: never[]) => unknown>> = {
      alloc: (size: bigint) => this.#alloc(size),
      put: (address: bigint, byte: bigint, bytes: Uint8Array) =>
        this.#within(address, byte, bytes.length).set(bytes),
      get: (address: bigint, byte: bigint, bytes: Uint8Array) =>
        bytes.set(this.#within(address, byte, bytes.length)),
      point: (address: bigint, byte: bigint, target: bigint, targetByte: bigint) =>
        this.#point(address, byte, this.#addressIn(target, targetByte)),
      free: (address: bigint) => this.#free(address),
    };
    const work = works[builtIn]!;
    return (values) => work(...values as never[]);
  }

  #alloc(size: bigint): bigint {
    const bytes = Number(size);
    if (this.#bytes + bytes > MEMORY_BYTES_MAX) {
      throw new RangeError(
        `Cannot get ${size} bytes as callers may have ${MEMORY_BYTES_MAX}, and have ${this.#bytes}`,
      );
    }
    if (this.#pieceCount === PIECES_MAX) {
      throw new RangeError(`Cannot get memory as callers have ${PIECES_MAX} pieces: free some`);
    }
    const memory = new FencedMemory(bytes + 1); // an address of its own for none, too
    const piece = memory.last(Math.max(bytes, 1));
    const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(piece));
    const own = piece.subarray(0, bytes);
    const targets = new Map<bigint, Piece>();
    const made = { address, bytes: own, memory, targets, pointerCount: 0, isFreed: false };
    this.#pieces.set(address, made);
    this.#bytes += bytes;
    this.#pieceCount++;
    return address;
  }

  #free(address: bigint): void {
    const piece = this.#piece(address);
    piece.isFreed = true;
    this.#giveBack(piece);
  }

  /** Where nothing points into it any more; what it points into may follow. */
  #giveBack(piece: Piece): void {
    if (!piece.isFreed || piece.pointerCount > 0) return;
    this.#pieces.delete(piece.address);
    this.#bytes -= piece.bytes.length;
    this.#pieceCount--;
    piece.memory[Symbol.dispose]();
    for (const target of piece.targets.values()) this.#release(target);
  }

  #release(target: Piece): void {
    target.pointerCount--;
    this.#giveBack(target);
  }

  /** Writes where something is in the memory of a piece, which keeps that. */
  #point(address: bigint, byte: bigint, { piece, at }: PlaceIn): void {
    const place = this.#within(address, byte, ADDRESS_BYTES);
    const { targets } = this.#piece(address);
    const before = targets.get(byte);
    new DataView(place.buffer, place.byteOffset).setBigUint64(0, at, true);
    targets.delete(byte);
    if (piece.address !== address) {
      piece.pointerCount++;
      targets.set(byte, piece);
    }
    if (before) this.#release(before);
  }

  /** A byte of a piece, or the one behind its last. */
  #addressIn(address: bigint, byte: bigint): PlaceIn {
    this.#within(address, byte, 0);
    return { piece: this.#piece(address), at: address + byte };
  }

  #piece(address: bigint): Piece {
    const piece = this.#pieces.get(address);
    if (piece && !piece.isFreed) return piece;
    throw new TypeError("Cannot use memory that the library made as its size is not known");
  }

  #within(address: bigint, byte: bigint, length: number): Uint8Array<ArrayBuffer> {
    const { bytes: piece } = this.#piece(address);
    if (byte + BigInt(length) <= BigInt(piece.length)) {
      return piece.subarray(Number(byte), Number(byte) + length);
    }
    throw new RangeError(
      `Cannot use bytes ${byte} to ${byte + BigInt(length)} of memory as it has ${piece.length}`,
    );
  }
}

interface PlaceIn {
  readonly piece: Piece;
  readonly at: bigint;
}

/** What is at an address, as a result of this kind. */
export function readAt({ name, signature: { result } }: ApiFunction, address: bigint): unknown {
  const pointer = Deno.UnsafePointer.create(address);
  if (pointer === null) throw new TypeError(`Cannot answer ${name} as there is a null pointer`);
  const kind = innerKind(result);
  if (kind.kind === "string") return hostResult(result, pointer);
  const struct = kind.kind === "struct" ? kind : s.struct({ value: kind as never });
  const { sizeBytes } = structLayout(struct);
  const bytes = new Uint8Array(new Deno.UnsafePointerView(pointer).getArrayBuffer(sizeBytes));
  const read = hostResult(struct, bytes.slice());
  return kind.kind === "struct" ? read : (read as { readonly value: unknown }).value;
}

/** What a global variable holds, whose address is given. */
export function readGlobal(target: ApiFunction, address: bigint): unknown {
  const { result } = target.signature;
  if (!isPointer(result)) return readAt(target, address);
  const pointed = new Deno.UnsafePointerView(Deno.UnsafePointer.create(address)!).getBigUint64();
  if (innerKind(result).kind === "handle") return pointed === 0n ? null : pointed;
  return pointed === 0n ? null : readAt(target, pointed);
}

function isPointer(result: Result): boolean {
  return ["handle", "string"].includes(innerKind(result).kind);
}
