import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { cloneCodec } from "../codec.ts";
import { CloneDecoder } from "./clone_decoder.ts";
import { Tag } from "./tags.ts";

/** A message with a structure of these bytes, and texts of those. */
function message(structure: readonly number[], texts: readonly number[] = []): Uint8Array {
  const start = texts.length > 0 ? Math.ceil((4 + structure.length) / 8) * 8 : 4 + structure.length;
  const bytes = new Uint8Array(start + texts.length);
  new DataView(bytes.buffer).setUint32(0, structure.length, true);
  bytes.set(structure, 4);
  bytes.set(texts, start);
  return bytes;
}

const refused: Readonly<Record<string, Uint8Array>> = {
  "nothing at all": new Uint8Array(),
  "no whole head": Uint8Array.of(1, 0, 0),
  "a structure that is longer than the bytes": Uint8Array.of(9, 0, 0, 0, 1),
  "no value": message([]),
  "two values": message([1, 2]),
  "an unknown tag": message([191]),
  "a number that does not end": message([Tag.integer, 255, 255, 255, 255, 255, 1]),
  "a number beyond 32 bits": message([Tag.integer, 255, 255, 255, 255, 127]),
  "half a double": message([Tag.double, 1, 2]),
  "a text without its page": message([Tag.shortString + 1]),
  "a page that ends too early": message([Tag.shortString + 1], [2, 0, 0, 0, 9, 0, 0, 0, 65]),
  "a page of another length": message([Tag.shortString + 1], [4, 0, 0, 0, 1, 0, 0, 0, 65]),
  "a page without characters": message([Tag.shortString + 1], [0, 0, 0, 0, 0, 0, 0, 0]),
  "a text beyond its page": message([Tag.shortString + 2], [2, 0, 0, 0, 1, 0, 0, 0, 65]),
  "texts that nobody reads": message([1], [2, 0, 0, 0, 1, 0, 0, 0, 65]),
  "more members than bytes": message([Tag.array, 255, 255, 255, 127, 1]),
  "a reference to nothing": message([Tag.again, 0]),
  "an unknown shape": message([Tag.shape]),
  "a key that is no text": message([Tag.object, 1, 1, 1]),
  "a length as a key": message([Tag.sparseArray, 3, 1, Tag.shortString + 6, 1], [
    ...[12, 0, 0, 0, 6, 0, 0, 0],
    ...new TextEncoder().encode("length"),
  ]),
  "half an entry": message([Tag.map, 1, 1]),
  "a buffer beyond what follows": message([Tag.buffer, 9]),
  "an unknown view": message([Tag.view, 99, 0, 0, Tag.buffer, 0]),
  "a view of no buffer": message([Tag.view, 2, 0, 0, 1]),
  "a view beyond its buffer": message([Tag.view, 2, 0, 5, Tag.buffer, 0]),
  "a view that is not aligned": message([Tag.view, 6, 1, 0, Tag.buffer, 0]),
  "an unknown error": message([Tag.error, 99, 0, 0]),
  "nothing in a box": message([Tag.boxed, Tag.null]),
  "a pattern that is none": message([Tag.regExp, Tag.shortString + 1, Tag.shortString], [
    ...[2, 0, 0, 0, 1, 0, 0, 0],
    ...[40],
  ]),
  "a big integer that is none": message([Tag.bigint, Tag.shortString + 1], [
    ...[2, 0, 0, 0, 1, 0, 0, 0],
    ...[120],
  ]),
};

for (const [what, bytes] of Object.entries(refused)) {
  Deno.test(`CloneDecoder refuses ${what}`, () => {
    const error = assertThrows(() => new CloneDecoder(bytes, 0).read(), TypeError);
    assert(error.message.startsWith("Cannot read a value as the bytes are none: "), error.message);
  });
}

Deno.test("CloneDecoder refuses buffers that nobody asked for, and what is too deep", () => {
  assertThrows(() => new CloneDecoder(message([1]), 1).read(), TypeError, "behind its value");
  const deep = message([...new Array(2002).fill(0).map((_, at) => at % 2 ? 1 : Tag.array), 1]);
  assertThrows(() => new CloneDecoder(deep, 0).read(), TypeError, "too deep");
  // Objects of one shape, which nest by a byte each: nothing else limits them.
  const nested = (count: number) =>
    message([Tag.object, 1, Tag.shortString + 1, ...Array(count - 1).fill(Tag.shape), 1], [
      ...[2, 0, 0, 0, 1, 0, 0, 0],
      ...new TextEncoder().encode("v"),
    ]);
  let depth = 0;
  for (
    let { value } = new CloneDecoder(nested(1000), 0).read();
    typeof value === "object";
    depth++
  ) {
    value = (value as { v: unknown }).v;
  }
  assertEquals(depth, 1000);
  assertThrows(() => new CloneDecoder(nested(1001), 0).read(), TypeError, "too deep");
});

Deno.test("CloneDecoder sets no prototype, and believes in no length", () => {
  const value = cloneCodec.decode(cloneCodec.encode(JSON.parse('{"__proto__": {"evil": 1}}')));
  assertEquals(Object.getPrototypeOf(value), Object.prototype);
  const { value: sparse } = new CloneDecoder(
    message([Tag.sparseArray, 255, 255, 255, 255, 15, 0]),
    0,
  )
    .read();
  assertEquals((sparse as unknown[]).length, 2 ** 32 - 1);
});

Deno.test("CloneDecoder reads any bytes, or says that it cannot", () => {
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
  });
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
  const read = (bytes: Uint8Array) => {
    try {
      cloneCodec.decode(bytes);
    } catch (error) {
      assert(error instanceof TypeError, String(error));
      assert(error.message.startsWith("Cannot read a value"), error.message);
    }
  };
  fc.assert(
    fc.property(value, changes, fc.nat(), (value, changes, cut) => {
      const bytes = cloneCodec.encode([value, new Error("x"), { a: "text" }]);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      read(bytes);
      read(bytes.subarray(0, cut % bytes.length));
    }),
    { numRuns: 1000 },
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => read(bytes)), {
    numRuns: 1000,
  });
  const structures = fc.uint8Array({ minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(structures, (structure) => {
      const bytes = message([...structure]);
      read(Uint8Array.of(bytes.length, 0, 0, 0, ...bytes));
    }),
    { numRuns: 2000 },
  );
});
