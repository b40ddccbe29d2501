import { assertEquals, assertThrows } from "@std/assert";
import { checkChoice } from "./choice.ts";

function check(value: unknown): () => void {
  return () => checkChoice("run", { refusals: value }, ["reject", "count"]);
}

Deno.test("checkChoice() takes a choice, or none", () => {
  for (const value of ["reject", "count", undefined]) check(value)();
});

Deno.test("checkChoice() names the choices, and the one that may be meant", () => {
  const list = "Cannot run as refusals must be one of reject, count: current value is ";
  for (
    const [value, told] of [
      ["Reject", "Reject; did you mean reject"],
      ["conut", "conut; did you mean count"],
      ["ignore", "ignore"],
      ["", ""],
      [true, "true"],
      [null, "null"],
    ]
  ) {
    assertEquals(assertThrows(check(value), TypeError).message, `${list}${told}`);
  }
});
