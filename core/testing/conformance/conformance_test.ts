import { assertEquals } from "@std/assert";
import { CASES } from "./cases/cases.ts";

for (const { name, run, expected } of CASES) {
  Deno.test(name, async () => assertEquals(await run(), expected));
}
