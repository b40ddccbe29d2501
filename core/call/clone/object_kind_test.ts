import { assertEquals, assertThrows } from "@std/assert";
import { cloneCodec } from "../codec.ts";
import { objectKind } from "./object_kind.ts";

Deno.test("objectKind() does not believe what an object calls itself: it is copied as it is", () => {
  const tag = (name: string) => ({ a: 1, [Symbol.toStringTag]: name });
  class Tagged {
    a = 1;
    get [Symbol.toStringTag]() {
      return "Tagged";
    }
  }
  const liars = [
    new Tagged(),
    ...["Date", "Map", "RegExp", "ArrayBuffer", "Error", "DOMException", "Promise"].map(tag),
    Object.assign(new Date(5), { [Symbol.toStringTag]: "Object" }),
    Object.defineProperty(new Map([[1, 2]]), Symbol.toStringTag, { value: "Object" }),
    Object.create(Date.prototype),
  ];
  for (const value of liars) {
    assertEquals(
      Deno.inspect(cloneCodec.decode(cloneCodec.encode(value))),
      Deno.inspect(structuredClone(value)),
    );
  }
  for (const value of [new Proxy(new Map(), {}), Object.create(Map.prototype)]) {
    assertThrows(
      () => cloneCodec.decode(cloneCodec.encode(value)),
      TypeError,
      "it is no Map within",
    );
  }
  assertEquals(objectKind(new URL("https://example.org")), "[object URL]");
});
