import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import type { GpuDevice } from "../device/device.ts";
import { Kernel } from "../epochs/kernel.ts";
import { KernelCompileError } from "./kernel_compile.ts";
import { onDevice } from "../device/on_device_test.ts";

function errorOf(gpu: GpuDevice, source: string): Promise<KernelCompileError> {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  return assertRejects(
    () => Kernel.create(gpu, { channel, waveCount: 1, source }),
    KernelCompileError,
  );
}

onDevice("a name that does not exist is shown with the author's own line", async (gpu) => {
  const { message, line } = await errorOf(
    gpu,
    "// first\nfn step_0() {\n  packet_set(0u, laneindex);\n}",
  );
  assertEquals(line, 3);
  assertStringIncludes(message, "Cannot compile the kernel as line 3 is wrong");
  assertStringIncludes(message, "laneindex");
  assertStringIncludes(message, "3 |   packet_set(0u, laneindex);");
});

onDevice("a wrong type is shown with the author's own line, behind texts too", async (gpu) => {
  const { line } = await errorOf(
    gpu,
    'fn step_0() {\n  put("a long text");\n  let x: i32 = 1u;\n}',
  );
  assertEquals(line, 3);
});

onDevice("a name of the runtime is refused with a hint", async (gpu) => {
  const { message } = await errorOf(gpu, "fn step_0() {}\nfn wave_load() {}");
  assertStringIncludes(message, "wave_load");
});
