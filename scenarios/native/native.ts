import { PACKET_LAYOUTS } from "../../core/internal.ts";
import { prepareCalls } from "../calls/increment_server.ts";
import type { Control, Scenario } from "../scenario.ts";
import { prepareWire } from "../processes/process_calls.ts";
import { pingPong } from "../worker/ping_pong.ts";
import { prepareNativeCalls } from "./native_calls.ts";
import { compilerProblem } from "./native_library.ts";

const axes = {
  portCount: [1, 64, 1024, 4096],
  laneCount: [1, 32, 64],
  /** Of ours: the C has each lane's 64 bytes side by side, as the original. */
  packetLayout: PACKET_LAYOUTS,
} as const;

/** The same call in C, as LLVM libc has it: see `toggle.c`. */
const inC: Control<typeof axes> = { name: "in_c", setup: prepareNativeCalls };

/** The same in C with both mailboxes in the lines of their packet. */
const inCBeside: Control<typeof axes> = {
  name: "in_c_beside",
  setup: (point, partner) => prepareNativeCalls({ ...point, mailboxWidth: "beside" }, partner),
};

/** Ours with the mailboxes where the C has them, and beside their packets. */
const [oursByWord, oursBeside] = (["word", "beside"] as const).map((mailboxWidth) => ({
  name: `ours_${mailboxWidth}`,
  setup: (point, partner) => prepareCalls({ ...point, mailboxWidth }, partner),
})) as [Control<typeof axes>, Control<typeof axes>];

/** The same in C between two processes, by memory as LLVM's library lays it out. */
const inCProcesses: Control<typeof axes> = {
  name: "in_c_processes",
  setup: (point, partner) =>
    prepareWire({ ...point, waiter: "spin" }, partner, { client: true, server: true }),
};

const NATIVE = [inC, inCBeside, oursByWord, oursBeside];

/** One checked call, both sides spinning, ours in turn with one in C between the same two threads. */
export const native: Scenario<typeof axes> = {
  name: "native",
  question: "How long does a call take in TypeScript, and how long in C?",
  axes,
  floor: pingPong,
  references: Deno.build.os === "linux" ? [...NATIVE, inCProcesses] : NATIVE,
  mainReference: "in_c",
  isPair: true,
  skip: () => compilerProblem(),
  targets: [{
    text: "one call, word-major, in calls in C: the geometric mean over ports and lanes",
    where: { packetLayout: "word-major" },
    figure: {
      kind: "meanTimesReference",
      reference: inC.name,
      pointCount: axes.portCount.length * axes.laneCount.length,
    },
    bound: "at most",
    limit: 0.4,
  }],
  setup: (shape, partner) => prepareCalls(shape, partner),
};
