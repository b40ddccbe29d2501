import { STRUCTURES } from "./vulkan_tables.ts";

/** The structures that the binding knows. */
export type StructName = keyof typeof STRUCTURES;
type Fields<N extends StructName> = typeof STRUCTURES[N]["fields"];
type KindOf<P> = P extends readonly [number, infer K, ...unknown[]] ? K : never;

/** What {@linkcode Arena.struct} writes: a field that is absent is 0. Addresses and handles may be bigints. */
export type Written<N extends StructName> = {
  readonly [F in keyof Fields<N>]?: KindOf<Fields<N>[F]> extends infer K extends StructName
    ? Written<K>
    : number | bigint;
};

type ReadKind<K> = K extends StructName ? Read<K> : K extends "u64" ? bigint : number;
type ReadField<P> = P extends readonly [number, "u8", number] ? string
  : P extends readonly [number, infer K, number] ? readonly ReadKind<K>[]
  : ReadKind<KindOf<P>>;

/** What {@linkcode Arena.read} finds: arrays of bytes are texts, fields of 64 bits are bigints. */
export type Read<N extends StructName> = {
  readonly [F in keyof Fields<N>]: ReadField<Fields<N>[F]>;
};

interface Layout {
  readonly bytes: number;
  readonly type?: number;
  readonly fields: Readonly<Record<string, readonly [byte: number, kind: string, count?: number]>>;
}

const LAYOUTS: Readonly<Record<string, Layout>> = STRUCTURES;
const ARENA_BYTES = 4 << 20; // pages that nobody touches take no memory
const ALIGNMENT_BYTES = 8;
const BYTES: Readonly<Record<string, number>> = { u8: 1, u32: 4, i32: 4, f32: 4, u64: 8 };

/**
 * Memory for what C functions are passed by address. Its own address is asked for once: that needs the
 * permission for FFI, which a program may give away afterwards. What is taken is freed by the end of the
 * {@linkcode Arena.scope} around it. For one thread.
 */
export class Arena {
  readonly #bytes = new Uint8Array(ARENA_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(this.#bytes));
  #used = 0;

  /** Runs `work`, and frees what it has taken. */
  scope<T>(work: () => T): T {
    const used = this.#used;
    try {
      return work();
    } finally {
      this.#used = used;
    }
  }

  /**
   * The address of bytes that are 0.
   *
   * @throws {RangeError} when the arena is full: a shader of megabytes
   */
  take(bytes: number): bigint {
    const start = this.#used;
    const end = start + Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    if (end > ARENA_BYTES) {
      throw new RangeError(
        `Cannot pass ${bytes} bytes to Vulkan as ${ARENA_BYTES - start} of ${ARENA_BYTES} are free`,
      );
    }
    this.#used = end;
    this.#bytes.fill(0, start, end);
    return this.#address + BigInt(start);
  }

  /** The address of a copy of bytes. */
  copy(source: Uint8Array): bigint {
    const address = this.take(source.byteLength);
    this.#bytes.set(source, this.#placeOf(address));
    return address;
  }

  /** The address of a text, which ends with a zero byte. */
  text(text: string): bigint {
    return this.copy(new TextEncoder().encode(`${text}\0`));
  }

  /** The address of numbers of 64 bits: handles, or addresses of texts. */
  array(values: readonly bigint[]): bigint {
    return this.copy(new Uint8Array(BigUint64Array.from(values).buffer));
  }

  /** The address of a structure with these values, and the number of its type. */
  struct<N extends StructName>(name: N, values: Written<N> = {}): bigint {
    return this.structs(name, [values]);
  }

  /** The address of the first of structures that follow each other. */
  structs<N extends StructName>(name: N, all: readonly Written<N>[]): bigint {
    const { bytes } = STRUCTURES[name];
    const address = this.take(bytes * all.length);
    const start = this.#placeOf(address);
    all.forEach((values, index) => this.#write(name, start + bytes * index, values));
    return address;
  }

  /** The values of a structure that a function has written. */
  read<N extends StructName>(name: N, address: bigint): Read<N> {
    return this.#read(name, this.#placeOf(address)) as Read<N>;
  }

  /** The values of `count` structures that follow each other. */
  readAll<N extends StructName>(name: N, address: bigint, count: number): readonly Read<N>[] {
    const bytes = BigInt(STRUCTURES[name].bytes);
    return Array.from(
      { length: count },
      (_, one) => this.read(name, address + bytes * BigInt(one)),
    );
  }

  /** A number of 32 bits. */
  u32(address: bigint): number {
    return this.#view.getUint32(this.#placeOf(address), true);
  }

  /** A handle, or another number of 64 bits. */
  u64(address: bigint): bigint {
    return this.#view.getBigUint64(this.#placeOf(address), true);
  }

  #placeOf(address: bigint): number {
    return Number(address - this.#address);
  }

  #write(name: string, start: number, values: Readonly<Record<string, unknown>>): void {
    const { type, fields } = LAYOUTS[name]!;
    if (type !== undefined) this.#view.setUint32(start, type, true);
    for (const [field, value] of Object.entries(values)) {
      const [byte, kind] = fields[field]!;
      const at = start + byte;
      if (kind === "u64") this.#view.setBigUint64(at, BigInt(value as number | bigint), true);
      else if (kind === "f32") this.#view.setFloat32(at, value as number, true);
      else if (kind in BYTES) this.#view.setUint32(at, value as number, true);
      else this.#write(kind, at, value as Readonly<Record<string, unknown>>);
    }
  }

  #read(name: string, start: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(LAYOUTS[name]!.fields).map(([name, [byte, kind, count]]) => {
        const at = start + byte;
        if (kind === "u8" && count) return [name, textOf(this.#bytes.subarray(at, at + count))];
        if (!count) return [name, this.#value(kind, at)];
        const bytes = BYTES[kind] ?? LAYOUTS[kind]!.bytes;
        const values = Array.from(
          { length: count },
          (_, one) => this.#value(kind, at + one * bytes),
        );
        return [name, values];
      }),
    );
  }

  #value(kind: string, at: number): unknown {
    switch (kind) {
      case "u8":
        return this.#bytes[at]!;
      case "u32":
        return this.#view.getUint32(at, true);
      case "i32":
        return this.#view.getInt32(at, true);
      case "f32":
        return this.#view.getFloat32(at, true);
      case "u64":
        return this.#view.getBigUint64(at, true);
      default:
        return this.#read(kind, at);
    }
  }
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.subarray(0, end < 0 ? bytes.length : end));
}
