import { assertEquals, assertStringIncludes } from "@std/assert";
import { knownDefects } from "./known_defects.ts";

Deno.test("knownDefects() knows llvmpipe by its full name", () => {
  const [defect] = knownDefects("llvmpipe (LLVM 15.0.6, 256 bits)");
  assertStringIncludes(defect!, "no progress");
});

Deno.test("knownDefects() has nothing to say of others", () => {
  assertEquals(knownDefects("NVIDIA H200"), []);
});
