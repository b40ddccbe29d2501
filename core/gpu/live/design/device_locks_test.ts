import { assertEquals } from "@std/assert";
import { onLiveDevice, shaderOf } from "../device/on_live_device_test.ts";
import { translate } from "../kernel/live_bed_test.ts";
import { DeviceLocks } from "./device_locks.ts";

onLiveDevice("DeviceLocks.clear() frees all ports", (device) => {
  using locks = new DeviceLocks(device, 100, translate);
  const counts = device.createBuffer(8, "host");
  // Takes each lock, and counts those that were free, and that were not.
  const code = shaderOf(`
    @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
    @compute @workgroup_size(1) fn main() {
      for (var at = 0u; at < 100u; at++) {
        if atomicExchange(&words[at], 7u) == 0u { atomicAdd(&counts[0], 1u); } else { atomicAdd(&counts[1], 1u); }
      }
    }`);
  const pipeline = device.createPipeline({ code, groups: [[locks.buffer, counts]] });
  for (
    const [clears, expected] of [[true, [100, 0]], [false, [0, 100]], [true, [100, 0]]] as const
  ) {
    if (clears) locks.clear();
    new Uint32Array(counts.words!).fill(0);
    using run = pipeline.dispatch({ groupCount: [1] });
    assertEquals(run.wait(5), true);
    assertEquals([...new Uint32Array(counts.words!)], [...expected]);
  }
});
