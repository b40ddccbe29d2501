import { assertEquals } from "@std/assert";
import { disagreement, exitCode } from "./exit_code.ts";

Deno.test("exitCode() combines by OR and keeps eight bits", () => {
  assertEquals(exitCode([]), 0);
  assertEquals(exitCode([0, 0]), 0);
  assertEquals(exitCode([1, 2, 4]), 7);
  assertEquals(exitCode([0x101, 0x200]), 1);
  assertEquals(exitCode(Int32Array.of(-2)), 254);
});

Deno.test("disagreement() names the first thread that differs from thread 0", () => {
  assertEquals(disagreement([3]), undefined);
  assertEquals(disagreement([3, 3, 3]), undefined);
  assertEquals(disagreement(Int32Array.of(3, 3, -1, 5)), { threadIndex: 2, result: -1, first: 3 });
});
