import { assertEquals } from "@std/assert";
import { Server } from "../../../toggle/server/server.ts";
import { Channel } from "../../../toggle/channel.ts";
import { onDevice } from "../../device/on_device_test.ts";
import {
  type CaseRun,
  chooser,
  differences,
  LANE_COUNT,
  STORED_WORDS,
  traceCalls,
} from "../../kernel/testdata/both_ways.ts";
import branches from "../../kernel/testdata/branches.wgsl" with { type: "text" };
import expressions from "../../kernel/testdata/expressions.wgsl" with { type: "text" };
import functions from "../../kernel/testdata/functions.wgsl" with { type: "text" };
import loops from "../../kernel/testdata/loops.wgsl" with { type: "text" };
import services from "../../kernel/testdata/services.wgsl" with { type: "text" };
import values from "../../kernel/testdata/values.wgsl" with { type: "text" };
import { requestLiveDevice } from "../device/live_device.ts";
import { LiveKernel } from "./live_kernel.ts";
import { liveObstacle } from "../device/on_live_device_test.ts";
import { translate } from "./live_bed_test.ts";

/** Runs cases as live kernels, whose calls are served here. */
function runLive({ wave, laneCount }: typeof WAYS[number]): typeof runAll {
  /** Runs cases of one kernel. */
  async function runAll(_: unknown, text: string, cases: readonly string[]): Promise<CaseRun[]> {
    using device = requestLiveDevice();
    const channel = Channel.create({ portCount: 4, laneCount });
    const buffers = [STORED_WORDS, LANE_COUNT, 1, LANE_COUNT].map((words) =>
      device.createBuffer(4 * words, "host")
    );
    const arrays = buffers.map(({ words }) => new Int32Array(words!));
    const memory = device.importBuffer(channel.handle.buffer);
    const shape = { channel, memory, waveCount: 1, wave, buffers, translate };
    // Alone it is the kernel itself, which may then run as it is written.
    const source = cases.length > 1
      ? text + chooser(cases)
      : text.replace(`fn ${cases[0]}()`, "fn kernel()");
    const kernel = await LiveKernel.create(device, { source, ...shape });
    const server = new Server(channel, { waiter: "spin" });
    const callsOf = traceCalls(server);
    const runs: CaseRun[] = [];
    for (let number = 0; number < cases.length; number++) {
      for (const array of arrays) array.fill(0);
      arrays[2]!.fill(number);
      const calls = callsOf();
      await kernel.runAsync(server);
      runs.push({ calls, stored: [...arrays[0]!] });
    }
    return runs;
  }
  if (wave === "workgroup") return runAll;
  return async (gpu, text, cases) => {
    const runs: CaseRun[] = [];
    for (const one of cases) runs.push(...await runAll(gpu, text, [one]));
    return runs;
  };
}

/** By steps, and as the functions are written. */
const WAYS = [
  { wave: "workgroup", laneCount: LANE_COUNT, first: 1 },
  { wave: "subgroup", laneCount: LANE_COUNT - 1, first: 2 },
] as const;
const CORPUS = { branches, expressions, functions, loops, values };
/** All cases take a driver on a processor half a minute to compile: one of so many is here, from each text and way. */
const SHARE = 6;

for (const [name, text] of Object.entries(CORPUS)) {
  onDevice(`kernels of ${name} do live what the same text does as a plain shader`, async (gpu) => {
    if (liveObstacle) return console.log(`skipped: ${liveObstacle}`);
    const all = [...text.matchAll(/^fn (case_\w+)\(\)/gm)].map(([, name]) => name!);
    for (const way of WAYS) {
      const cases = all.filter((_, at) => at % SHARE === way.first % SHARE);
      const options = { cases, runKernel: runLive(way), laneCount: way.laneCount };
      assertEquals(await differences(gpu, services + text, options), []);
    }
  });
}
