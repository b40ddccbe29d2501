import { assertEquals } from "@std/assert";
import { readWords } from "../kernel_run_test.ts";
import { Live } from "../live.ts";
import { onDevice } from "../on_device_test.ts";
import callAtRandom from "./live_call_at_random.wgsl" with { type: "text" };
import countUp from "./live_count_up.wgsl" with { type: "text" };
import laneIds from "./live_lane_ids.wgsl" with { type: "text" };
import { runTwin } from "./run_twin.ts";
import type { TwinName } from "./twins.ts";

const CASES:
  readonly (readonly [label: string, program: TwinName, source: string, laneCount: number])[] = [
    ["L1", "countUp", countUp, 8],
    ["L3", "laneIds", laneIds, 32],
    ["L3, one lane", "laneIds", laneIds, 1],
    ["L8", "callAtRandom", callAtRandom, 32],
  ];

// One wave: more do not run beside the server on an adapter of two cores.
for (const [label, program, source, laneCount] of CASES) {
  onDevice(`${label}, live: every lane gets what the Worker client gets`, async (gpu) => {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const buffer = gpu.device.createBuffer({ size: laneCount * 4, usage });
    const shape = { portCount: 4, laneCount };
    const options = {
      ...shape,
      clientCount: 1,
      source,
      buffers: [{ buffer }],
      spinsMax: 100_000_000,
    };
    const live = await Live.create(gpu, options);
    const { madeProgress } = await live.run(0);
    const results = await readWords(gpu.device, buffer);
    live.destroy();
    buffer.destroy();
    // Without progress there is nothing to compare: see live_test.ts.
    if (!madeProgress) return;
    assertEquals([...results], [...await runTwin(program, { ...shape, waveCount: 1 })]);
  });
}
