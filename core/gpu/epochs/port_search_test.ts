import { assert, assertEquals } from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import { INCREMENT, runKernel } from "./kernel_run_test.ts";

onDevice(
  "a wave uses the same few ports again, epoch after epoch, while there are enough",
  async (gpu) => {
    const source = /* wgsl */ `
    struct Frame { count: u32 }
    fn step_0() { cast_call(${INCREMENT}u); }
    fn step_1() { call(${INCREMENT}u); }
    fn step_2() { frame.count++; if frame.count < 4u { go(0u); } }
  `;
    const indexes = new Set<number>();
    const shape = { portCount: 16, laneCount: 1, waveCount: 1, searchAttempts: 3 };
    const { report } = await runKernel(gpu, {
      ...shape,
      source,
      register: (server) =>
        server.register(INCREMENT, (port) => {
          indexes.add(port.index);
          port.recv(() => {});
        }),
    });
    assert(report.epochCount > 3, "each call waits for the next epoch");
    assertEquals([...indexes].toSorted(), [0, 1]);
  },
);
