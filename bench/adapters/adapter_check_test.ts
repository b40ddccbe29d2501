import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { checkAdapterWith, driverFiles } from "./adapter_check.ts";
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

Deno.test("checkAdapterWith() reports a process that ended early", async () => {
  const check = await checkAdapterWith(env, {
    preload: "data:application/javascript,Deno.exit(3)",
  });
  assertEquals(check.kind, "failed");
  if (check.kind === "failed") assertStringIncludes(check.message, "the process ended with 3");
});

Deno.test("driverFiles() finds descriptions where the Vulkan loader looks", async () => {
  const share = await Deno.makeTempDir();
  const before = Deno.env.get("XDG_DATA_DIRS");
  try {
    const folder = join(share, "vulkan", "icd.d");
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, "my_icd.json"), "{}");
    await Deno.writeTextFile(join(folder, "notes.txt"), "");
    Deno.env.set("XDG_DATA_DIRS", share);
    const found = driverFiles().filter(({ path }) => path.startsWith(share));
    assertEquals(found, [{ name: "my_icd", path: join(folder, "my_icd.json") }]);
  } finally {
    if (before === undefined) Deno.env.delete("XDG_DATA_DIRS");
    else Deno.env.set("XDG_DATA_DIRS", before);
    await Deno.remove(share, { recursive: true });
  }
});
