import { LITMUS_CASES, type LitmusCase, type LitmusProgram, UPDATES } from "./litmus_cases.ts";
import type { LitmusSetting } from "./litmus_outcomes.ts";

/** A test with a mistake in the wave's program, which the right program's outcomes are to show. */
export interface LitmusMutant {
  readonly name: string;
  /** What is wrong with it. */
  readonly text: string;
  /** The right one: its outcomes are those that are allowed. */
  readonly setting: LitmusSetting;
  /** The wrong one, that is run. */
  readonly run: LitmusSetting & { readonly dropsBarriers?: boolean };
}

function caseOf(name: string): LitmusCase {
  return LITMUS_CASES.find((one) => one.name === name)!;
}

/** A test whose wave has another program. */
function changed(
  setting: LitmusSetting,
  change: (program: LitmusProgram) => LitmusProgram,
): LitmusSetting {
  const { test, wave } = setting;
  const [first, second] = test.programs;
  const programs = wave === "first"
    ? [change(first), second] as const
    : [first, change(second)] as const;
  return { ...setting, test: { ...test, programs } };
}

const PASSES: LitmusSetting = {
  test: caseOf("message_passing"),
  order: "release",
  wave: "first",
};
const TAKES: LitmusSetting = { ...PASSES, wave: "second" };
const VECTOR: LitmusSetting = { ...PASSES, test: caseOf("vector") };
const BUFFERS: LitmusSetting = {
  test: caseOf("store_buffering"),
  order: "exchange",
  wave: "first",
};
const LOADS: LitmusSetting = { test: caseOf("load_buffering"), order: "release", wave: "first" };

function turn(program: LitmusProgram): LitmusProgram {
  return program.toReversed();
}

/** Each mistake that an author of a protocol, or of a translator, may make. */
export const LITMUS_MUTANTS: readonly LitmusMutant[] = [
  {
    name: "flag_first",
    text: "the wave flips before it writes the packet",
    setting: PASSES,
    run: changed(PASSES, turn),
  },
  {
    name: "packet_first",
    text: "the wave reads the packet before it looks at the flip",
    setting: TAKES,
    run: changed(TAKES, turn),
  },
  {
    name: "barrier_dropped",
    text: "the first lane flips without a barrier behind the other lanes' words",
    setting: VECTOR,
    run: { ...VECTOR, dropsBarriers: true },
  },
  {
    name: "exchange_by_store",
    text: "the wave flips by a store and looks at the hint",
    setting: BUFFERS,
    run: { ...BUFFERS, order: "release" },
  },
  ...([["writes", PASSES], ["reads", TAKES], ["buffers", LOADS]] as const).map((
    [what, setting],
  ): LitmusMutant => ({
    name: `relaxed_${what}`,
    text: `the wave's ${
      what === "buffers" ? "read and write" : what
    } neither acquire nor release: only a device that reorders them shows it`,
    setting,
    run: { ...setting, order: "relaxed" },
  })),
  ...UPDATES.map((kind): LitmusMutant => {
    const name = kind === "compareExchange" ? "compare_exchange" : kind;
    const setting: LitmusSetting = { test: caseOf(name), order: "release", wave: "first" };
    const tear = (program: LitmusProgram) => program.map((step) => ({ ...step, isTorn: true }));
    return {
      name: `torn_${name}`,
      text: `the wave's ${name.replace("_", "-")} is a load and a store`,
      setting,
      run: changed(setting, tear),
    };
  }),
];
