import { mpiLauncher } from "../../core/services/emissary/mpi/mpi_library.ts";
import type { Point } from "../axis.ts";
import { compilerProblem } from "../native/native_library.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";
import { MpiProcesses, type MpiWay } from "./mpi/mpi_processes.ts";

const axes = {
  /** One that does nothing (`MPI_Comm_rank`), or a message there and back. */
  call: ["empty", "ping_pong"],
  library: ["mpich", "openmpi"],
} as const;

/** Beside each number of calls, processes are told of it and answer: that has to be little beside the calls. */
const SAMPLE_SECONDS_MIN = 0.02;

function by(way: MpiWay): (point: Point<typeof axes>) => Promise<Trial> {
  return async (point) => {
    const processes = await MpiProcesses.start({ ...point, way });
    return {
      run: (callCount) => processes.run(callCount),
      [Symbol.asyncDispose]: () => processes[Symbol.asyncDispose](),
    };
  };
}

function control(name: string, way: MpiWay): Control<typeof axes> {
  return { name, sampleSecondsMin: SAMPLE_SECONDS_MIN, setup: by(way) };
}

const inC = control("in_c", "c");

/** Calls of MPI by a server of a process, which its callers reach through a channel. */
export const mpiCall: Scenario<typeof axes> = {
  name: "mpi_call",
  question: "What does a call of MPI cost through a channel?",
  axes,
  floor: control("direct_call", "direct"),
  get references() {
    return compilerProblem() === undefined ? [inC] : [];
  },
  sampleSecondsMin: SAMPLE_SECONDS_MIN,
  skip({ library }) {
    const found = mpiLauncher(library);
    return typeof found === "string" ? found : undefined;
  },
  targets: [{
    text: "an empty call, in seconds over the same call by Deno's FFI",
    where: { call: "empty" },
    figure: { kind: "secondsOverFloor" },
    bound: "at most",
    limit: 1e-6,
  }],
  setup: by("channel"),
};
