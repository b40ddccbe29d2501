import { judgeLitmus, Litmus, type LitmusOptions } from "../../core/gpu/live/litmus/litmus.ts";
import { LITMUS_CASES, type LitmusCase, ORDERS } from "../../core/gpu/live/litmus/litmus_cases.ts";
import { LITMUS_MUTANTS } from "../../core/gpu/live/litmus/litmus_mutants.ts";
import { INSTANCES } from "../../core/gpu/live/litmus/litmus_memory.ts";
import type { LitmusSetting } from "../../core/gpu/live/litmus/litmus_outcomes.ts";
import { waveProgram } from "../../core/gpu/live/litmus/litmus_source.ts";
import { requestLiveDevice } from "../../core/gpu/live/mod.ts";
import { allPoints, type Point } from "../axis.ts";
import { loadTranslator } from "../live/live_lab.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { WorkerLink } from "../../core/worker/worker_link.ts";
import type { LitmusRequest } from "./litmus_worker.ts";

const axes = {
  test: LITMUS_CASES.map(({ name }) => name),
  /** How the wave's accesses are ordered; the host's are JavaScript's atomics. */
  order: ORDERS,
  /** Which of the test's two programs the wave runs; the host has the other one. */
  wave: ["first", "second"],
  /** Workers that play the host's side, each with a wave; 0: this thread does. */
  workers: [0, 1, 2],
  /** Waves beside them that write and read lines, those of the test among them. */
  stressWaves: [0, 1, 64],
} as const;

/** What the answers are about: how long a call takes is not asked. */
const FORBIDDEN = {
  text: "forbidden outcomes",
  figure: { kind: "counted", count: "forbidden" },
} as const;

/**
 * What a wave and a thread see of each other's accesses while the kernel runs, one instance a call. The
 * records count the outcomes: those of steps in turn, those that the order allows besides, and those
 * that nothing allows, which are a warning.
 */
export const litmus: Scenario<typeof axes> = {
  name: "litmus",
  question: "Do a running kernel and a thread see each other's accesses in the order they need?",
  axes,
  needsAdapter: true,
  callsPerTurn: () => INSTANCES,
  targets: [{ ...FORBIDDEN, where: {}, bound: "at most", limit: 0 }],
  points: () => [...allPoints(axes)].filter(isUsual),
  skip: (point) => {
    if (point.order === "release") return undefined;
    const program = waveProgram(settingOf(point));
    if (program.every(({ place }) => place === "x")) return "one word has one order anyway";
    const flips = program.some(({ kind, isPlain }) => kind === "write" && !isPlain);
    if (point.order === "relaxed" || flips) return undefined;
    return "the wave has no write to make an exchange of";
  },
  setup: (point) => {
    const setting = settingOf(point);
    return prepareLitmus(setting, setting, point);
  },
};

const mutantAxes = {
  mutant: LITMUS_MUTANTS.map(({ name }) => name),
  workers: axes.workers,
  stressWaves: axes.stressWaves,
} as const;

/** Mistakes in the wave's side: a test that lets one pass says nothing about its device there. */
export const litmusMutants: Scenario<typeof mutantAxes> = {
  name: "litmus_mutants",
  question: "Which mistakes in a wave's program would the litmus tests show?",
  axes: mutantAxes,
  needsAdapter: true,
  callsPerTurn: () => INSTANCES,
  targets: [{ ...FORBIDDEN, where: {}, bound: "at least", limit: 1 }],
  points: () => [...allPoints(mutantAxes)].filter(isUsual),
  setup: ({ mutant, ...hosts }) => {
    const { setting, run } = LITMUS_MUTANTS.find(({ name }) => name === mutant)!;
    const { dropsBarriers = false } = run;
    return prepareLitmus(run, setting, { ...hosts, dropsBarriers, isMutant: true });
  },
};

/** What two processors have room for. */
function isUsual({ workers, stressWaves }: Hosts): boolean {
  return workers < 2 && stressWaves <= workers;
}

type Hosts = Pick<Point<typeof axes>, "workers" | "stressWaves">;

function settingOf({ test: name, order, wave }: Point<typeof axes>): LitmusSetting {
  const test = LITMUS_CASES.find((one): one is LitmusCase => one.name === name)!;
  return { test, order, wave };
}

async function prepareLitmus(
  run: LitmusSetting,
  setting: LitmusSetting,
  options: Hosts & Pick<LitmusOptions, "dropsBarriers"> & { readonly isMutant?: boolean },
): Promise<Trial> {
  const { workers, stressWaves: stressCount, dropsBarriers = false, isMutant = false } = options;
  const waveCount = Math.max(1, workers);
  const translate = await loadTranslator();
  using stack = new DisposableStack();
  const device = stack.use(requestLiveDevice());
  const shape = { waveCount, stressCount, dropsBarriers };
  const links: WorkerLink<LitmusRequest>[] = [];
  // After the test has told them that there is no other round.
  stack.defer(() => links.forEach((link) => void link.terminate()));
  const test = stack.use(new Litmus(device, run, { ...shape, translate }));
  for (const thread of workers > 0 ? test.handOut(workers) : []) {
    const link = new WorkerLink<LitmusRequest>(new URL("./litmus_worker.ts", import.meta.url));
    links.push(link);
    await link.ask(undefined);
    link.tell(thread);
  }
  const moved = stack.move();
  return {
    adapter: device.info.name,
    run: (roundCount: number) => test.run(roundCount),
    findings: () => findingsOf(test, setting, isMutant),
    [Symbol.asyncDispose]: () => Promise.resolve(moved.dispose()),
  };
}

function findingsOf(
  test: Litmus,
  setting: LitmusSetting,
  isMutant: boolean,
): ReturnType<NonNullable<Trial["findings"]>> {
  const { interleavedCount, weakCount, forbiddenCount, forbidden } = judgeLitmus(
    test.counts,
    setting,
  );
  const counts = {
    interleaved: interleavedCount,
    weak: weakCount,
    forbidden: forbiddenCount,
    stressTurns: test.stressTurnCount,
  };
  const { name, text } = setting.test;
  const isWrong = forbiddenCount > 0 && !isMutant;
  const warnings = isWrong
    ? [`${name} forbids what came out ${forbiddenCount} times, such as ${forbidden[0]}. ${text}`]
    : [];
  return { counts, warnings };
}
