import { assertEquals, assertStringIncludes } from "@std/assert";
import { knownDefects, summarizeAdapter } from "./adapter_summary.ts";

class Limits {
  get maxBufferSize() {
    return 1024;
  }
}
// Getters of a class are not enumerable, those of the runtime's limits are.
Object.defineProperty(Limits.prototype, "maxBufferSize", {
  enumerable: true,
  get: () => 1024,
});

Deno.test("summarizeAdapter() keeps what crosses between isolates", () => {
  const info = {
    description: "Soft",
    vendor: "1",
    architecture: "",
    device: "2",
    isFallbackAdapter: true,
  };
  const adapter = { info, features: new Set(["b", "a"]), limits: new Limits() };
  const summary = summarizeAdapter(adapter as unknown as GPUAdapter);
  assertEquals(structuredClone(summary), {
    description: "Soft",
    vendor: "1",
    architecture: "",
    device: "2",
    isSoftware: true,
    features: ["a", "b"],
    limits: { maxBufferSize: 1024 },
  });
});

Deno.test("knownDefects() knows llvmpipe by its full name", () => {
  const [defect] = knownDefects("llvmpipe (LLVM 15.0.6, 256 bits)");
  assertStringIncludes(defect!, "no progress");
});

Deno.test("knownDefects() has nothing to say of others", () => {
  assertEquals(knownDefects("NVIDIA H200"), []);
});
