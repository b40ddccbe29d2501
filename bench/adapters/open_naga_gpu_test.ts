import { assertEquals, assertRejects } from "@std/assert";
import { liveObstacle } from "../../core/gpu/live/device/on_live_device_test.ts";
import { openNagaGpu, wgslToSpirv } from "./open_naga_gpu.ts";

Deno.test({
  name: "openNagaGpu() runs kernels, on the device that is named",
  ignore: liveObstacle !== undefined,
  async fn() {
    using gpu = await openNagaGpu({ index: 0 });
    assertEquals(gpu.device.info.index, 0);
    const source = "var<storage, read_write> x: u32;\nfn kernel() { x += 2u; }";
    const { buffers } = await gpu.run(source, { buffers: { x: Uint32Array.of(3) }, laneCount: 1 });
    assertEquals([...buffers.x], [5]);
    await assertRejects(() => openNagaGpu({ name: "Voodoo 2" }), DOMException, "no device named");
  },
});

Deno.test("wgslToSpirv() translates to words of SPIR-V", () => {
  const [magic] = wgslToSpirv("@compute @workgroup_size(1) fn main() {}");
  assertEquals(magic, 0x07230203);
});
