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
  assertStringIncludes(message, "Cannot compile the kernel as line 3, column 18 is wrong");
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

onDevice("a name of the generated part is shown with the author's own line", async (gpu) => {
  const cases = [
    ["var<private> params: u32;", "params"],
    ["struct Params { a: u32 }", "Params"],
    ["const NO_PORT = 1u;", "NO_PORT"],
    ["fn call(opcode: u32) {}", "call"],
    ["@group(1) @binding(0) var<storage, read_write> channel: array<u32>;", "channel"],
    ["var<private> lane: u32; // wave", "lane"],
    ["alias frame = u32;", "frame"],
  ] as const;
  for (const [declaration, name] of cases) {
    const { message, line } = await errorOf(gpu, `fn step_0() {}\n// params\n${declaration}`);
    assertEquals(line, 3, message);
    assertStringIncludes(message, `it declares ${name}, a name of the generated part`);
    assertStringIncludes(message, `3 | ${declaration}`);
  }
});

onDevice("a name of the generated part may be a local one", async (gpu) => {
  const source =
    "fn f(lane: u32) -> u32 { let wave = lane; return wave; }\nfn step_0() { call(f(1u)); }";
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  (await Kernel.create(gpu, { channel, waveCount: 1, source })).destroy();
});
