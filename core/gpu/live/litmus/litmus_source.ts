import { withAffixes } from "../../wgsl/layout_constants.ts";
import {
  INSTANCES,
  LitmusWord,
  RESULTS_WORD,
  STRESS_IDLE,
  STRESS_LINES,
  STRESS_WORD,
  TURNS,
  VECTOR_LANES,
  X_PRIME,
  X_WORD,
  Y_PRIME,
  Y_WORD,
} from "./litmus_memory.ts";
import { hasResult, type LitmusSetting, type LitmusStep, programOf } from "./litmus_table.ts";
import { ROUNDS_PAUSE } from "../rounds/round_limit.ts";
import litmusText from "./litmus_wave.wgsl" with { type: "text" };

/** The lanes of the wave of a test. */
export function laneCountOf({ test }: Pick<LitmusSetting, "test">): number {
  return test.isVector ? VECTOR_LANES : 1;
}

/** Generates the module of a test: the wave's program, for every instance. */
export function litmusSource(setting: LitmusSetting): string {
  const constants = {
    ...withAffixes(LitmusWord, { prefix: "", suffix: "_WORD", base: 0 }),
    ...{ STRESS_WORD, STRESS_LINES, X_WORD, Y_WORD, X_PRIME, Y_PRIME, RESULTS_WORD, INSTANCES },
    ...{ ROUNDS_PAUSE, STRESS_IDLE, TURNS, LANES: laneCountOf(setting) },
    RESULTS: programOf(setting, "wave").filter(hasResult).length,
  };
  const declared = Object.entries(constants).map(([name, value]) => `const ${name} = ${value}u;\n`);
  return declared.join("") + litmusText + playText(setting);
}

function playText(setting: LitmusSetting): string {
  const { test: { isVector = false }, dropsBarriers = false, order } = setting;
  const barrier = isVector && !dropsBarriers ? "  workgroupBarrier();\n" : "";
  let result = 0;
  const steps = programOf(setting, "wave").map((step) => {
    const isWide = isVector && step.place === "x";
    const text = stepText(step, { isWide, order });
    const keep = hasResult(step) ? ` keep(instance, ${result++}u, lane, seen);` : "";
    return isVector && !isWide ? `  if lane == 0u { ${text}${keep} }\n` : `  { ${text}${keep} }\n`;
  });
  return `fn play(instance: u32, x: u32, y: u32, lane: u32) {\n${steps.join(barrier)}}\n`;
}

const UPDATE_NAMES = {
  add: "atomicAdd",
  or: "atomicOr",
  and: "atomicAnd",
  xor: "atomicXor",
  max: "atomicMax",
  min: "atomicMin",
  exchange: "atomicExchange",
} as const;

/** A step in WGSL; what it finds is `seen`. */
function stepText(
  step: LitmusStep,
  { isWide, order }: { readonly isWide: boolean } & Pick<LitmusSetting, "order">,
): string {
  const { kind, place, isPlain = false, isTorn = false } = step;
  const at = isWide ? `${place} + lane` : place;
  const value = `${step.value >>> 0}u`;
  if (kind === "read") {
    return `let seen = ${isPlain ? `plain[${at}]` : `atomicLoad(&words[${at}])`};`;
  }
  if (kind === "write") {
    if (isPlain) return `plain[${at}] = ${value};`;
    const name = order === "exchange" ? "_ = atomicExchange" : "atomicStore";
    return `${name}(&words[${at}], ${value});`;
  }
  const expected = `${(step.expected ?? 0) >>> 0}u`;
  if (isTorn) {
    const next = tornText(step, value, expected);
    return `let seen = atomicLoad(&words[${at}]); atomicStore(&words[${at}], ${next});`;
  }
  if (kind === "compareExchange") {
    const call = `atomicCompareExchangeWeak(&words[${at}], ${expected}, ${value})`;
    return `let seen = ${call}.old_value;`;
  }
  return `let seen = ${UPDATE_NAMES[kind]}(&words[${at}], ${value});`;
}

/** What a load and a store write in place of an update. */
function tornText({ kind }: LitmusStep, value: string, expected: string): string {
  switch (kind) {
    case "add":
      return `seen + ${value}`;
    case "or":
      return `seen | ${value}`;
    case "and":
      return `seen & ${value}`;
    case "xor":
      return `seen ^ ${value}`;
    case "max":
    case "min":
      return `${kind}(seen, ${value})`;
    case "compareExchange":
      return `select(seen, ${value}, seen == ${expected})`;
    default:
      return value;
  }
}
