import { snapshotPort } from "../../../toggle/port_snapshot.ts";
import { WAITER_NAMES } from "../../../wait/strategy.ts";
import type { ProgramName } from "../programs.ts";
import { TestBed, type TestBedPlan, until } from "../test_bed.ts";
import type { Case } from "./case.ts";

const WAVES = { portCount: 64, laneCount: 32, serverCount: 2 };
const WORD_MAJOR = { ...WAVES, packetLayout: "word-major", laneBytes: 128 } as const;

/** What several clients return that run one program at once. */
async function runOn(plan: TestBedPlan, program: ProgramName, clientCount = 1): Promise<number[]> {
  await using bed = await TestBed.start(plan);
  return await bed.run(program, clientCount);
}

/** The programs of LLVM's and hostrpc's suites. */
export const GRID_CASES: readonly Case[] = [
  {
    name: "L1, L2: every thread of the grid counts to its number, then the halves diverge",
    run: () => runOn(WAVES, "countUp", 2),
    expected: [8, 8],
  },
  {
    name: "L3: data does not cross lanes",
    run: () => runOn(WAVES, "laneIds", 2),
    expected: [20, 20],
  },
  {
    name: "L3, L6: the same where word 0 of all lanes comes first",
    run: async () => [
      ...await runOn(WORD_MAJOR, "laneIds"),
      ...await runOn(WORD_MAJOR, "echoStreams"),
    ],
    expected: [40, 32],
  },
  ...WAITER_NAMES.map((waiter) => ({
    name: `L4: sends and receives in every order, waiting by ${waiter}`,
    run: () => runOn({ portCount: 1, laneCount: 1, waiter }, "walkInterface"),
    expected: [6],
  })),
  {
    name: "L5, L6: lanes echo texts of 251 bytes, and payloads of 0 to 127",
    run: () => runOn(WAVES, "echoStreams", 2),
    expected: [16, 16],
  },
  {
    name: "L8: lanes that call at random each count their own calls",
    run: () => runOn({ portCount: 4, laneCount: 32, serverCount: 2 }, "callAtRandom", 4),
    expected: [1, 1, 1, 1],
  },
  {
    name: "H8: 1024 calls on 64 ports, a third of them asynchronous, are 1024 served",
    run: countMixedCalls,
    expected: 1025,
  },
  {
    name: "H9: whole pages of many clients and servers never mix",
    run: () => runOn({ portCount: 128, laneCount: 64, serverCount: 2 }, "stressPages", 4),
    expected: [8192, 8192, 8192, 8192],
  },
  {
    name: "X3: clients that outnumber the ports all get through",
    run: () => runOn({ portCount: 1, laneCount: 32 }, "laneIds", 4),
    expected: [10, 10, 10, 10],
  },
  {
    name: "X6: servers that race for one port serve each call once",
    run: () => runOn({ portCount: 1, laneCount: 64, serverCount: 3 }, "stressPages"),
    expected: [8192],
  },
];

/**
 * The last call is answered when the asynchronous ones may still be under way, so the server's count
 * is asked for once more when no call is left that it could have missed.
 */
async function countMixedCalls(): Promise<number> {
  await using bed = await TestBed.start({ portCount: 64, laneCount: 1 });
  await bed.run("mixedCalls");
  const isSettled = (index: number) => snapshotPort(bed.channel, index).owner === "client";
  await until(() => Array.from({ length: 64 }, (_, index) => index).every(isSettled));
  const [count] = await bed.run("countOnce");
  return count!;
}
