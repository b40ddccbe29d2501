import { assertEquals } from "@std/assert";
import { modesOf } from "./modes.ts";

Deno.test("modesOf() parts floors where there is a step, and nowhere else", () => {
  assertEquals(modesOf([1, 4, 1.1, 4.4, 20]), [0, 1, 0, 1, 2]);
  const slope = Array.from({ length: 20 }, (_, at) => 1.2 ** at);
  assertEquals(new Set(modesOf(slope)), new Set([0]));
  assertEquals(modesOf([1]), [0]);
  assertEquals(modesOf([]), []);
});
