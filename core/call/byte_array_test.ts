import { assertThrows } from "@std/assert";
import { checkByteArray } from "./byte_array.ts";

Deno.test("checkByteArray() takes arrays of bytes, also those of a subclass, and nothing else", () => {
  for (const bytes of [new Uint8Array(2), new (class extends Uint8Array {})(1)]) {
    checkByteArray(bytes);
  }
  const others = [
    "text",
    [1, 2],
    new ArrayBuffer(2),
    new Uint16Array(2),
    new DataView(new ArrayBuffer(1)),
    null,
  ];
  for (const other of [...others, undefined, Symbol("none")]) {
    assertThrows(
      () => checkByteArray(other),
      TypeError,
      "must be a Uint8Array: current value is [object",
    );
  }
});
