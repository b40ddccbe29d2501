import { assertEquals } from "@std/assert";
import { readWords } from "../../gpu/epochs/kernel_run_test.ts";
import { declareConstants } from "../../gpu/wgsl/layout_constants.ts";
import { OneDispatch } from "../../gpu/one_dispatch/one_dispatch.ts";
import { onDevice } from "../../gpu/device/on_device_test.ts";
import callAtRandom from "./one_dispatch_call_at_random.wgsl" with { type: "text" };
import countUp from "./one_dispatch_count_up.wgsl" with { type: "text" };
import echoStreams from "./one_dispatch_echo_streams.wgsl" with { type: "text" };
import laneIds from "./one_dispatch_lane_ids.wgsl" with { type: "text" };
import walkInterface from "./one_dispatch_walk_interface.wgsl" with { type: "text" };
import { runProgram } from "./run_program.ts";
import type { PacketLayout } from "../../memory/packet_views.ts";
import { KernelOpcode } from "./services.ts";
import type { WaveProgramName } from "../conformance/wave_programs.ts";

/** What the server saw of each lane: the sum of its casts over the waves, 1 of odd and 2 of even lanes. */
function castSums(laneCount: number, waveCount: number): number[] {
  return Array.from({ length: laneCount }, (_, lane) => waveCount * (2 - lane % 2));
}

/** What the server saw: how far its first lane has counted where the last packet was a send. */
function walkEnd(laneCount: number): number[] {
  return Array.from({ length: laneCount }, (_, lane) => lane === 0 ? 9 : 0);
}

function nothing(laneCount: number): number[] {
  return new Array<number>(laneCount).fill(0);
}

/** A program by one dispatch and by a client in a Worker; see `epochs_conformance_test.ts`. */
interface OneDispatchCase {
  readonly program: WaveProgramName;
  readonly source: string;
  readonly laneCount: number;
  readonly packetLayout?: PacketLayout;
  /** Waves of the Worker's client; the one wave of the dispatch runs them one after the other. */
  readonly waveCount: number;
  readonly serverSaw: (laneCount: number, waveCount: number) => readonly number[];
}

const COUNT_UP = { program: "countUp", source: countUp, serverSaw: castSums } as const;
const LANE_IDS = { program: "laneIds", source: laneIds, serverSaw: nothing } as const;
const WALK = { program: "walkInterface", source: walkInterface, serverSaw: walkEnd } as const;
const STREAMS = { program: "echoStreams", source: echoStreams, serverSaw: nothing } as const;
const RANDOM = { program: "callAtRandom", source: callAtRandom, serverSaw: nothing } as const;

const CASES: Readonly<Record<string, OneDispatchCase>> = {
  "L1, L2": { ...COUNT_UP, laneCount: 8, waveCount: 3 },
  "L1, L2, one lane": { ...COUNT_UP, laneCount: 1, waveCount: 3 },
  "L3": { ...LANE_IDS, laneCount: 32, waveCount: 1 },
  "L3, one lane": { ...LANE_IDS, laneCount: 1, waveCount: 1 },
  "L4": { ...WALK, laneCount: 1, waveCount: 4 },
  "L4, one lane of many": { ...WALK, laneCount: 32, waveCount: 2 },
  "L5, L6": { ...STREAMS, laneCount: 32, waveCount: 4 },
  "L5, L6, one lane": { ...STREAMS, laneCount: 1, waveCount: 40 },
  "L5, L6, word-major": { ...STREAMS, laneCount: 32, waveCount: 2, packetLayout: "word-major" },
  "L8": { ...RANDOM, laneCount: 32, waveCount: 1 },
};

async function runOneDispatch(
  gpu: Parameters<typeof OneDispatch.create>[0],
  test: OneDispatchCase,
) {
  const { source, laneCount, waveCount, packetLayout = "lane-major" } = test;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  // The lanes' results, wave by wave, and behind them what the server saw.
  const buffer = gpu.device.createBuffer({ size: (waveCount + 1) * laneCount * 4, usage });
  const program = await OneDispatch.create(gpu, {
    portCount: 4,
    laneCount,
    packetLayout,
    // On an adapter of two cores one wave runs beside the server, and more have to wait.
    clientCount: 1,
    wordCount: 15,
    source: `${source}\n${declareConstants(KernelOpcode)}`,
    buffers: [{ buffer }],
    spinsMax: 100_000_000,
  });
  try {
    const report = await program.runAsync(waveCount);
    return { report, results: [...await readWords(gpu.device, buffer)] };
  } finally {
    program.destroy();
    buffer.destroy();
  }
}

for (const [label, test] of Object.entries(CASES)) {
  onDevice(`${label}, one dispatch: every lane gets what the Worker client gets`, async (gpu) => {
    const { program, laneCount, waveCount } = test;
    const { report, results } = await runOneDispatch(gpu, test);
    // Without progress there is nothing to compare; SwiftShader does run two workgroups at once.
    if (gpu.adapterName.startsWith("SwiftShader")) {
      assertEquals(report.madeProgress, true, report.detail);
    }
    if (!report.madeProgress) return;
    const expected = await runProgram(program, { portCount: 4, laneCount, waveCount });
    assertEquals(results, [...expected, ...test.serverSaw(laneCount, waveCount)]);
  });
}
