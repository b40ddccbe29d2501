import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, type Finding } from "./doctor.ts";

const soft: Finding = {
  origin: "lvp_icd",
  check: {
    kind: "adapter",
    adapter: {
      description: "llvmpipe",
      vendor: "",
      architecture: "",
      device: "",
      isSoftware: true,
      features: ["timestamp-query"],
      limits: { maxBindGroups: 4, maxBufferSize: 1024 },
    },
    probe: { passed: false, detail: "3 of 256 words were wrong in round 0" },
  },
};
const broken: Finding = {
  origin: "radeon_icd",
  check: { kind: "failed", message: "the process ended with SIGSEGV" },
};

Deno.test("the doctor lists every adapter, and features and limits of the one that is used", () => {
  const text = describe(soft, [soft, broken]);
  assertStringIncludes(
    text,
    "lvp_icd: llvmpipe [software], eager readback failed its probe (3 of 256",
  );
  assertStringIncludes(text, "radeon_icd: the process ended with SIGSEGV");
  assertStringIncludes(
    text,
    "known: loops end after 65 535 rounds",
  );
  assertStringIncludes(text, "features: timestamp-query");
  const limits = text.split("\n").filter((line) => line.startsWith("    max")).map((line) =>
    line.trim()
  );
  assertEquals(limits.map((line) => line.split(" ")[0]), ["maxBufferSize", "maxBindGroups"]);
});

Deno.test("the doctor says what to do where nothing works", () => {
  const text = describe({ origin: "what the tasks use", check: { kind: "none" } }, []);
  assertStringIncludes(text, "Used: what the tasks use: no adapter");
  assertStringIncludes(text, "apt-get install mesa-vulkan-drivers");
});
