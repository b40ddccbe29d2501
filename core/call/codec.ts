/** How a value crosses as bytes. */
export interface ValueCodec {
  /** What messages call it. */
  readonly name: string;
  /**
   * Writes a value as bytes.
   *
   * @throws {Error} when the value cannot be written this way
   */
  encode(value: unknown): Uint8Array;
  /**
   * Reads the value back.
   *
   * @throws {Error} when the bytes are none of this codec's
   */
  decode(bytes: Uint8Array): unknown;
}

/**
 * JSON in UTF-8: what `JSON.stringify` keeps of a value. `undefined` crosses as no bytes.
 *
 * @example
 * ```ts
 * import { jsonCodec } from "./codec.ts";
 * const bytes = jsonCodec.encode({ name: "lane", index: 3 });
 * if ((jsonCodec.decode(bytes) as { index: number }).index !== 3) throw new Error("the same value");
 * ```
 */
export const jsonCodec: ValueCodec = {
  name: "JSON",
  encode(value) {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined && value !== undefined) {
      throw new TypeError(`Cannot write the value as JSON: it is a ${typeof value}`);
    }
    return new TextEncoder().encode(text ?? "");
  },
  decode(bytes) {
    return bytes.length === 0 ? undefined : JSON.parse(DECODER.decode(bytes));
  },
};

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** The part of Node's `v8` module that is needed here. */
interface V8 {
  readonly Serializer: new () => {
    writeHeader(): void;
    writeValue(value: unknown): void;
    releaseBuffer(): Uint8Array;
  };
  readonly Deserializer: new (bytes: Uint8Array) => { readHeader(): void; readValue(): unknown };
}

/**
 * V8's serialisation, the structured clone: maps, sets, dates, typed arrays, cycles, errors. In
 * runtimes that have the module `node:v8` (Deno, Node), and between sides of the same one. Bytes that
 * an enemy wrote are not for it: V8 does not defend its decoder; `jsonCodec` is.
 *
 * As with `structuredClone`, an instance of a class arrives as an object of its own fields, and a view as
 * one of a copy of its whole buffer. Functions, symbols, promises, iterators, proxies, weak collections
 * and shared memory are refused.
 *
 * @throws {TypeError} at the first use, where the runtime has no such module
 *
 * @example
 * ```ts
 * import { v8Codec } from "./codec.ts";
 * const value = v8Codec.decode(v8Codec.encode(new Map([["lane", 3n]]))) as Map<string, bigint>;
 * if (value.get("lane") !== 3n) throw new Error("the same value");
 * ```
 */
export const v8Codec: ValueCodec = {
  name: "V8 serialisation",
  encode(value) {
    // Not `v8.serialize()`, whose arrays come out as views of the whole message.
    const writer = new (demandV8().Serializer)();
    writer.writeHeader();
    writer.writeValue(value);
    return writer.releaseBuffer();
  },
  decode(bytes) {
    const reader = new (demandV8().Deserializer)(bytes);
    reader.readHeader();
    return reader.readValue();
  },
};

/** Asked for at run time: an import would have to be resolved where there is no such module. */
function findV8(): V8 | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.("node:v8") as V8 | undefined;
}

function demandV8(): V8 {
  const module = findV8();
  if (module) return module;
  throw new TypeError("Cannot use V8's serialisation as this runtime has no module node:v8");
}

/** The codec that keeps most of a value in this runtime: V8's, and JSON in pages. */
export function richestCodec(): ValueCodec {
  return findV8() ? v8Codec : jsonCodec;
}
