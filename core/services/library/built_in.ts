import type { BuiltIn } from "../../signature/declare/built_in.ts";
import { innerKind } from "../../signature/declare/kind.ts";
import { structLayout } from "../../signature/declare/struct_layout.ts";
import type { ApiFunction, Result } from "../../signature/declaration_types.ts";
import * as s from "../../signature/mod.ts";
import { hostResult } from "./foreign_values.ts";

/** How many bytes callers can have at once. */
const MEMORY_BYTES_MAX = 1 << 30;

/** Memory of callers that a library sees where it is. */
export class LibraryMemory {
  /** By address. JavaScript keeps what is in here. */
  readonly #pieces = new Map<bigint, Uint8Array<ArrayBuffer>>();
  #bytes = 0;

  /** What stands for a function that `memoryOf` declared. */
  callOf(builtIn: BuiltIn): (values: readonly unknown[]) => unknown {
    const works: Partial<Record<BuiltIn, (...values: never[]) => unknown>> = {
      alloc: (size: bigint) => this.#alloc(size),
      put: (address: bigint, byte: bigint, bytes: Uint8Array) =>
        this.#within(address, byte, bytes.length).set(bytes),
      get: (address: bigint, byte: bigint, bytes: Uint8Array) =>
        bytes.set(this.#within(address, byte, bytes.length)),
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
    const piece = new Uint8Array(Math.max(bytes, 1)); // an address of its own for none, too
    const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(piece));
    this.#pieces.set(address, piece.subarray(0, bytes));
    this.#bytes += bytes;
    return address;
  }

  #free(address: bigint): void {
    this.#bytes -= this.#piece(address).length;
    this.#pieces.delete(address);
  }

  #piece(address: bigint): Uint8Array {
    const piece = this.#pieces.get(address);
    if (piece) return piece;
    throw new TypeError("Cannot use memory that the library made as its size is not known");
  }

  #within(address: bigint, byte: bigint, length: number): Uint8Array {
    const piece = this.#piece(address);
    if (byte + BigInt(length) <= BigInt(piece.length)) {
      return piece.subarray(Number(byte), Number(byte) + length);
    }
    throw new RangeError(
      `Cannot use bytes ${byte} to ${byte + BigInt(length)} of memory as it has ${piece.length}`,
    );
  }
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
