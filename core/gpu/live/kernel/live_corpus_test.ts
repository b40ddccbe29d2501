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
} from "../../resumable/testdata/both_ways.ts";
import branches from "../../resumable/testdata/branches.wgsl" with { type: "text" };
import expressions from "../../resumable/testdata/expressions.wgsl" with { type: "text" };
import functions from "../../resumable/testdata/functions.wgsl" with { type: "text" };
import loops from "../../resumable/testdata/loops.wgsl" with { type: "text" };
import services from "../../resumable/testdata/services.wgsl" with { type: "text" };
import values from "../../resumable/testdata/values.wgsl" with { type: "text" };
import { requestLiveDevice } from "../device/live_device.ts";
import { LiveKernel } from "./live_kernel.ts";
import { liveObstacle } from "../device/on_live_device_test.ts";
import { translate } from "./live_bed_test.ts";

/** Runs every case as a live kernel, whose calls are served here. */
async function runLiveCases(
  _: unknown,
  text: string,
  cases: readonly string[],
): Promise<CaseRun[]> {
  using device = requestLiveDevice();
  const channel = Channel.create({ portCount: 4, laneCount: LANE_COUNT });
  const buffers = [STORED_WORDS, LANE_COUNT, 1, LANE_COUNT].map((words) =>
    device.createBuffer(4 * words, "host")
  );
  const arrays = buffers.map(({ words }) => new Int32Array(words!));
  const kernel = await LiveKernel.create(device, {
    source: text + chooser(cases),
    channel,
    memory: device.importBuffer(channel.handle.buffer),
    waveCount: 1,
    buffers,
    translate,
  });
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

const CORPUS = { branches, expressions, functions, loops, values };
/** All cases take a driver on a processor half a minute to compile: one of so many is here, from each text. */
const SHARE = 4;

for (const [name, text] of Object.entries(CORPUS)) {
  onDevice(`kernels of ${name} do live what the same text does as a plain shader`, async (gpu) => {
    if (liveObstacle) return console.log(`skipped: ${liveObstacle}`);
    const all = [...text.matchAll(/^fn (case_\w+)\(\)/gm)].map(([, name]) => name!);
    const cases = all.filter((_, at) => at % SHARE === 1);
    assertEquals(await differences(gpu, services + text, { cases, runKernel: runLiveCases }), []);
  });
}
