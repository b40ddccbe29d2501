import { assertEquals, assertThrows } from "@std/assert";
import { assert, InvariantError } from "./assert.ts";

Deno.test("assert() throws an InvariantError that says the invariant", () => {
  assert(true, "never said");
  const error = assertThrows(() => assert(false, "the port is open"), InvariantError);
  assertEquals([error.name, error.message], [
    "InvariantError",
    "Invariant broken: the port is open",
  ]);
});
