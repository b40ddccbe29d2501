import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkAdapterWith } from "./adapter_check.ts";
import { softwareGpu, withoutOwnChoice } from "./software_gpu.ts";

const env = withoutOwnChoice(Deno.env.toObject());

Deno.test("checkAdapterWith() finds what software_gpu brings in", async () => {
  const check = await checkAdapterWith(env, { preload: import.meta.resolve("./software_gpu.ts") });
  assertEquals(check.kind, softwareGpu.kind === "none" ? "none" : "adapter");
});

Deno.test("checkAdapterWith() finds none where the environment names a driver that is not there", async () => {
  const nowhere = { ...env, VK_DRIVER_FILES: "/nowhere.json", DENO_WEBGPU_BACKEND: "vulkan" };
  assertEquals(await checkAdapterWith(nowhere), { kind: "none" });
});

Deno.test("checkAdapterWith() tells of a process that dies", async () => {
  const check = await checkAdapterWith(env, {
    preload: "data:application/javascript,Deno.exit(3)",
  });
  assertEquals(check.kind, "failed");
  if (check.kind === "failed") assertStringIncludes(check.message, "the process ended with 3");
});
