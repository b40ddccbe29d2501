import { assertEquals } from "@std/assert";
import { incrementBytes } from "./increment_bytes.ts";

Deno.test("incrementBytes() adds to the first byte alone", () => {
  assertEquals(incrementBytes(Uint8Array.of(255, 7)), Uint8Array.of(0, 7));
});
