import callAtRandom from "./call_at_random.wgsl" with { type: "text" };
import countUp from "./count_up.wgsl" with { type: "text" };
import echoStreams from "./echo_streams.wgsl" with { type: "text" };
import laneIds from "./lane_ids.wgsl" with { type: "text" };
import walkInterface from "./walk_interface.wgsl" with { type: "text" };
import type { ProgramShape } from "./run_program.ts";
import type { WaveProgramName } from "../conformance/wave_programs.ts";

/**
 * Programs that are there twice: for the waves of a kernel and for a client in a Worker. L1 to L8 are scenarios of LLVM libc's own GPU tests
 * (`libc/test/integration/startup/gpu`): L1 and L2 `rpc_test`, L3 `rpc_lane_test`, L4
 * `rpc_interface_test`, L5 and L6 `rpc_stream_test`, L8 `rpc_divergence_test`.
 */
export const CASES: readonly (readonly [
  label: string,
  program: WaveProgramName,
  source: string,
  shape: ProgramShape,
])[] = [
  ["L1, L2", "countUp", countUp, { portCount: 64, laneCount: 32, waveCount: 16 }],
  ["L1, L2, fewer ports than waves", "countUp", countUp, {
    portCount: 3,
    laneCount: 8,
    waveCount: 9,
  }],
  ["L3", "laneIds", laneIds, { portCount: 8, laneCount: 32, waveCount: 4 }],
  ["L3, 64 lanes", "laneIds", laneIds, { portCount: 8, laneCount: 64, waveCount: 2 }],
  ["L4", "walkInterface", walkInterface, { portCount: 1, laneCount: 1, waveCount: 4 }],
  ["L4, one lane of many", "walkInterface", walkInterface, {
    portCount: 2,
    laneCount: 32,
    waveCount: 4,
  }],
  ["L5, L6", "echoStreams", echoStreams, { portCount: 16, laneCount: 32, waveCount: 8 }],
  ["L5, L6, one lane", "echoStreams", echoStreams, {
    portCount: 4,
    laneCount: 1,
    waveCount: 40,
  }],
  ["L5, L6, word-major", "echoStreams", echoStreams, {
    portCount: 16,
    laneCount: 32,
    waveCount: 4,
    packetLayout: "word-major",
    laneBytes: 128,
  }],
  ["L1, L2, word-major", "countUp", countUp, {
    portCount: 8,
    laneCount: 32,
    waveCount: 8,
    packetLayout: "word-major",
  }],
  ["L4, wide lanes", "walkInterface", walkInterface, {
    portCount: 2,
    laneCount: 8,
    waveCount: 4,
    laneBytes: 4096,
  }],
  ["L8", "callAtRandom", callAtRandom, { portCount: 4, laneCount: 32, waveCount: 4 }],
];
