import { assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { fnv1a } from "./fnv1a.ts";

Deno.test("fnv1a() has the values of the authors' tests", () => {
  const values = ["", "a", "foobar"].map(fnv1a);
  assertEquals(values, [0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});

Deno.test("fnv1a() is an unsigned word and never 0", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const hash = fnv1a(text);
    assertEquals(hash, hash >>> 0);
    assertNotEquals(hash, 0);
  }));
  assertEquals(fnv1a("+!=yG"), 1); // 0 by the authors' rule
});
