import { allPoints, type Point } from "../axis.ts";
import { IncrementCaller } from "../calls/increment.ts";
import { prepareServed } from "../calls/increment_server.ts";
import { Client } from "../../core/mod.ts";
import { compilerProblem } from "../native/native_library.ts";
import type { Partner } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { pingPong } from "../worker/ping_pong.ts";
import { prepareBytes, prepareShared, prepareWire, type SidesInC } from "./process_calls.ts";

const axes = {
  /**
   * Between two threads, or two processes of this library; from C to it, from it to C and from C to C through
   * the memory of LLVM's library; by pipes, and a socket of Unix.
   */
  way: ["threads", "processes", "c_to_ours", "ours_to_c", "c_to_c", "pipe", "unix_socket"],
  /** Both sides. */
  waiting: ["spin", "park"],
  laneCount: [1, 64],
  portCount: [1, 64],
} as const;

type ProcessPoint = Point<typeof axes>;

const SIDES: Readonly<Partial<Record<ProcessPoint["way"], SidesInC>>> = {
  c_to_ours: { client: true, server: false },
  ours_to_c: { client: false, server: true },
  c_to_c: { client: true, server: true },
};

/** One checked call to another process: one word of each lane comes back one larger. */
export const processes: Scenario<typeof axes> = {
  name: "processes",
  question: "What does a call to another process cost, and what does it cost by other ways?",
  axes,
  compares: "way",
  floor: pingPong,
  isPair: true,
  skip: whyNot,
  *points() {
    yield* allPoints(axes).filter((point) => whyNever(point) === undefined);
  },
  targets: [
    {
      text: "a call between processes, in calls between threads",
      where: { way: "processes", waiting: "spin" },
      figure: { kind: "timesPoint", point: { way: "threads" } },
      bound: "at most",
      limit: 1.1,
    },
    {
      text: "a call from C to this library through LLVM's memory, in calls from C to C",
      where: { way: "c_to_ours", waiting: "spin" },
      figure: { kind: "timesPoint", point: { way: "c_to_c" } },
      bound: "at most",
      limit: 1.3,
    },
  ],
  setup: prepareProcesses,
};

function whyNot(point: ProcessPoint): string | undefined {
  const { way } = point;
  if (way === "threads") return undefined;
  if (Deno.build.os !== "linux") return "processes share memory on Linux only";
  return whyNever(point) ?? (way in SIDES ? compilerProblem() : undefined);
}

/** What no machine can measure. */
function whyNever({ way, waiting, portCount }: ProcessPoint): string | undefined {
  if (way === "threads" || way === "processes") return undefined;
  if (way in SIDES) {
    return waiting === "spin" ? undefined : "who calls through LLVM's memory spins";
  }
  if (waiting === "spin") return "the system puts to sleep who waits for bytes";
  return portCount === 1 ? undefined : "it has one connection, and no ports";
}

function prepareProcesses(
  { way, waiting: waiter, laneCount, portCount }: ProcessPoint,
  partner: Partner,
): Promise<Trial> {
  const shape = { laneCount, portCount, waiter };
  if (way === "threads") {
    return prepareServed({ laneCount, portCount }, partner, {
      init: { waiter },
      callerOf: (channel) => new IncrementCaller(new Client(channel, { waiter })),
    });
  }
  if (way === "processes") return prepareShared(shape, partner);
  const sides = SIDES[way];
  if (sides) return prepareWire(shape, partner, sides);
  return prepareBytes(way as "pipe" | "unix_socket", shape, partner);
}
