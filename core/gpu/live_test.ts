import { assertEquals, assertRejects } from "@std/assert";
import type { GpuDevice } from "./device.ts";
import { KernelCompileError } from "./kernel_compile.ts";
import { Live, type LiveOptions } from "./live.ts";
import { LOCK_NAMES } from "./lock_name.ts";
import { onDevice } from "./on_device_test.ts";

const COUNT_UP = `
  var<private> count: u32;
  fn client_fill() -> bool { packet_set(0u, count); return count < live.calls_per_wave; }
  fn client_use() { count = packet_get(0u); }
  fn client_end() {}
  fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }`;

async function runLive(
  gpu: GpuDevice,
  options: Omit<LiveOptions, "source"> & { source?: string },
  calls: number,
) {
  const live = await Live.create(gpu, { source: COUNT_UP, ...options });
  try {
    return await live.run(calls);
  } finally {
    live.destroy();
  }
}

for (const lock of LOCK_NAMES) {
  for (const [portCount, laneCount, clientCount] of [[1, 1, 1], [4, 8, 3], [2, 64, 6]] as const) {
    onDevice(
      `live: ${clientCount} waves of ${laneCount} call through ${portCount} ports by ${lock}`,
      async (gpu) => {
        const report = await runLive(
          gpu,
          { portCount, laneCount, clientCount, lock },
          20,
        );
        // No progress is a result, not a failure of the protocol; but two workgroups on SwiftShader
        // are known to run side by side.
        if (clientCount === 1 && gpu.adapterName.startsWith("SwiftShader")) {
          assertEquals(report.madeProgress, true, report.detail);
        }
        if (report.madeProgress) assertEquals(report.callCount, 20 * clientCount, report.detail);
        else assertEquals(report.detail.startsWith("No progress on this adapter"), true);
      },
    );
  }
}

onDevice(
  "live: a call that is not answered within the bound is a result, not a hang",
  async (gpu) => {
    // The server's lane spins for longer than the client looks.
    const source = COUNT_UP.replace("packet_get(0u) + 1u", "slow(packet_get(0u))") + `
    fn slow(start: u32) -> u32 {
      var value = start;
      for (var step = 0u; step < 30000000u; step++) { value = value * 3u + step; }
      return value;
    }`;
    const shape = { portCount: 1, laneCount: 1, clientCount: 1, spinsMax: 50 };
    const report = await runLive(gpu, { ...shape, source }, 1);
    assertEquals([report.madeProgress, report.lostCount], [false, 1], report.detail);
  },
);

onDevice("live: the dispatch is timed by the device's own clock, where it has one", async (gpu) => {
  const { dispatchSeconds } = await runLive(gpu, { portCount: 1, laneCount: 1, clientCount: 1 }, 5);
  const canTell = gpu.device.features.has("timestamp-query");
  assertEquals(dispatchSeconds !== undefined, canTell);
  if (dispatchSeconds !== undefined) {
    assertEquals(dispatchSeconds > 0 && dispatchSeconds < 60, true);
  }
});

onDevice("Live.create() refuses what it cannot make", async (gpu) => {
  const shape = { portCount: 1, laneCount: 1, clientCount: 1 };
  await assertRejects(
    () => runLive(gpu, { ...shape, clientCount: 0 }, 1),
    RangeError,
    "clientCount",
  );
  await assertRejects(() => runLive(gpu, { ...shape, wordCount: 16 }, 1), RangeError, "wordCount");
  const source = "\nfn serve(opcode: u32) { nothing(); }";
  const error = await assertRejects(
    () => runLive(gpu, { ...shape, source }, 1),
    KernelCompileError,
  );
  assertEquals(error.line, 2);
});
