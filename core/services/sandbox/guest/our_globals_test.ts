import { assertEquals } from "@std/assert";
import { describeThrown } from "./our_globals.ts";

Deno.test("describeThrown() tells name and message, whatever was thrown", () => {
  const nasty = new Proxy({}, {
    getPrototypeOf() {
      throw new Error("asked");
    },
  });
  const told = [new RangeError("far"), "text", null, nasty].map(describeThrown);
  assertEquals(told, [
    "RangeError: far",
    "Error: text",
    "Error: null",
    "Error: what was thrown cannot be described",
  ]);
});
