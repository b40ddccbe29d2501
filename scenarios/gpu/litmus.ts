import { judgeLitmus, Litmus } from "../../core/gpu/live/litmus/litmus.ts";
import { INSTANCES } from "../../core/gpu/live/litmus/litmus_memory.ts";
import {
  caseOf,
  LITMUS_CASES,
  LITMUS_MUTANTS,
  type LitmusSetting,
  ORDERS,
  programOf,
} from "../../core/gpu/live/litmus/litmus_table.ts";
import { requestLiveDevice } from "../../core/gpu/live/mod.ts";
import { allPoints, type Point } from "../axis.ts";
import { loadTranslator } from "../live/live_lab.ts";
import type { Scenario, Trial } from "../scenario.ts";

const axes = {
  test: LITMUS_CASES.map(({ name }) => name),
  /** How the wave's accesses are ordered; the host's are JavaScript's atomics. */
  order: ORDERS,
  /** Which of the test's two programs the wave runs; the host has the other one. */
  wave: ["first", "second"],
  /** Waves beside it that write and read lines, those of the test among them. */
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
    const program = programOf(settingOf(point), "wave");
    if (program.every(({ place }) => place === "x")) return "one word has one order anyway";
    const flips = program.some(({ kind, isPlain }) => kind === "write" && !isPlain);
    if (point.order === "relaxed" || flips) return undefined;
    return "the wave has no write to make an exchange of";
  },
  setup: (point) => {
    const setting = settingOf(point);
    return prepareLitmus({ setting, run: setting }, point.stressWaves, { isMutant: false });
  },
};

const mutantAxes = {
  mutant: LITMUS_MUTANTS.map(({ name }) => name),
  stressWaves: axes.stressWaves,
} as const;

/** Mistakes in the wave's side: a test that lets one pass says nothing about its device there. */
export const litmusMutants: Scenario<typeof mutantAxes> = {
  name: "litmus_mutants",
  question: "Which mistakes in a wave's program would the litmus tests show?",
  axes: mutantAxes,
  needsAdapter: true,
  callsPerTurn: () => INSTANCES,
  targets: [{
    ...FORBIDDEN,
    text: "forbidden outcomes of mistakes",
    where: {},
    bound: "at least",
    limit: 1,
  }],
  points: () => [...allPoints(mutantAxes)].filter(isUsual),
  setup: ({ mutant, stressWaves }) => {
    const found = LITMUS_MUTANTS.find(({ name }) => name === mutant)!;
    return prepareLitmus(found, stressWaves, { isMutant: true });
  },
};

/** What two processors have room for. */
function isUsual({ stressWaves }: { readonly stressWaves: number }): boolean {
  return stressWaves <= 1;
}

function settingOf({ test, order, wave }: Point<typeof axes>): LitmusSetting {
  return { test: caseOf(test), order, wave };
}

async function prepareLitmus(
  { run, setting }: { readonly run: LitmusSetting; readonly setting: LitmusSetting },
  stressCount: number,
  { isMutant }: { readonly isMutant: boolean },
): Promise<Trial> {
  const translate = await loadTranslator();
  using stack = new DisposableStack();
  const device = stack.use(requestLiveDevice());
  const test = stack.use(new Litmus(device, run, { stressCount, translate }));
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
