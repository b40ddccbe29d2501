import roundsSource from "./live_rounds.wgsl" with { type: "text" };
import { assert } from "../../../memory/assert.ts";
import type { ChannelLayout } from "../../../toggle/layout.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import type { LiveDeviceInfo } from "../device/physical_device.ts";
import type { KernelSource } from "../../wgsl/kernel_source.ts";
import { directCode } from "../kernel/live_direct.ts";
import { LiveEnd } from "../kernel/live_source.ts";
import type { LiveWave } from "../kernel/live_wave.ts";

/** Where a wave counts itself while it is paused, among {@linkcode LiveWord}. */
export const PAUSED_WORD = 80;
/** Where waves that pause keep themselves, in the kernel's own group. */
export const LANE_STATES_BINDING = 7;

const END_PAUSED = Math.max(...Object.values(LiveEnd)) + 1;
/** Half of Mesa's 65 535: the rest is for the steps that a lane runs between two looks. */
const ROUNDS_PAUSE = 32_000;
/** How often a round of a wait looks. */
const LOOKS = 8;
/** Bytes of `SavedLane` before the frame, and what aligns its end. */
const LANE_HEAD_BYTES = 80;
const LANE_ALIGNMENT_BYTES = 16;

/** A kernel for a device, with what that asks of who compiles and runs it. */
export interface LimitedSource {
  readonly source: KernelSource;
  /** What runs in place of a text that compiles; absent where waves never pause. */
  readonly edited?: ((code: string) => string) | undefined;
  /** What runs in place of the source's text if it compiles; absent where waves have to take steps. */
  readonly direct?: string | undefined;
  /** What the lanes of a wave keep while it is paused; 0 where waves never pause. */
  readonly pausedBytes: number;
}

/**
 * The text of a live kernel as a device needs it: Mesa's llvmpipe leaves loops early, so that waves have to
 * pause before. Lanes that share memory do not, as that ends with a dispatch. For other devices it stays as
 * it is.
 */
export function limitedSource(
  { name }: Pick<LiveDeviceInfo, "name">,
  source: KernelSource,
  { laneCount, laneBytes, wave }: Pick<ChannelLayout, "laneCount" | "laneBytes"> & {
    readonly wave?: LiveWave | undefined;
  },
): LimitedSource {
  const sharesMemory = source.author.declarations.variables
    .some(({ space }) => space === "workgroup");
  if (!name.startsWith("llvmpipe") || sharesMemory) {
    const agrees = laneCount > 1 && wave !== "subgroup";
    const direct = agrees ? undefined : directCode(source, laneBytes / 4);
    return { source, direct, pausedBytes: 0 };
  }
  const bytes = LANE_HEAD_BYTES + source.frameBytes + LANE_ALIGNMENT_BYTES - 1;
  return {
    source: withRoundLimit(source, laneCount, wave === "subgroup"),
    edited: countingRounds,
    pausedBytes: (bytes - bytes % LANE_ALIGNMENT_BYTES) * laneCount,
  };
}

/** Parts of the text of a live kernel that differ where waves pause; each is there once. */
const EDITS: readonly (readonly [found: RegExp, text: string])[] = [
  // live_wave.wgsl
  [/struct SavedLane \{ frame: SavedFrame \}\nvar<private> lane_states: array<SavedLane, 1>;/, ""],
  [
    /if lane_index == 0u \{\n {4}atomicAdd\(&live\[LIVE_STARTED_WORD\], 1u\);\n {4}wave_tell_state\(WAVE_RUNS\);\n {2}\}/,
    "if !wave_resume() { return; }",
  ],
  [
    /lane_run\(\);\n {6}agreement = wave_agree\(lane_key\(\)\);/,
    `lane_run();
      lane_tells_rounds();
      agreement = wave_agree(lane_key());
      if wave_pauses() { break; }`,
  ],
  [
    /( +)\/\/ No lane asks for anything: its steps may lead/,
    "$1if is_paused { break; }\n$&",
  ],
  [
    /wave_operate\(\);\n {4}if ending != 0u \{ wave_leave\(\); \}/,
    `wave_operate();
    if ending == END_PAUSED {
      is_paused = true;
      break;
    }
    if ending != 0u { wave_leave(); }`,
  ],
  [
    /if lane_index != 0u \{ return; \}\n {2}if !is_over \{ wave_report\(END_CUT_OFF\); \}/,
    `if loops_are_left() { _ = atomicCompareExchangeWeak(&live[LIVE_ENDED_WORD], 0u, END_CUT_OFF); }
  wave_keep();
  if is_paused || lane_index != 0u { return; }
  if !is_over { wave_report(END_CUT_OFF); }`,
  ],
  // live_port.wgsl
  [
    /(fn port_obstacle\(begins: bool, )rounds(: u32\) -> u32 \{\n)/,
    `$1own_rounds$2  let rounds = waited + own_rounds;
  if loop_rounds > ROUNDS_PAUSE {
    waited = rounds;
    return END_PAUSED;
  }
`,
  ],
  // A wait is over when a port is sent on, and when its packet came back.
  [/(fn port_(?:send|status)\(index: u32\) -> u32 \{)/g, "$1 waited = 0u;"],
  [/is_back = atomicLoad\([^\n]+ == mine;/g, "is_back = port_is_back(index, mine);"],
  [/\(looks > LOOK_MASK\)/g, `(looks >= 8u)`],
];

/**
 * The text of a live kernel whose waves pause before an adapter leaves their loops; the author's part is as
 * it was.
 */
function withRoundLimit(
  source: KernelSource,
  laneCount: number,
  isSubgroup: boolean,
): KernelSource {
  const outbox = /atomicLoad\(&(channel\[SERVER_OUTBOX_WORD \+ [^\]]+\])\) == mine/.exec(
    source.code,
  )![1]!;
  let { code } = source;
  for (const [found, text] of EDITS) {
    assert(code.split(found).length >= 2, `a live kernel has ${found}`);
    code = code.replace(found, text);
  }
  const look = `is_back = is_back | (atomicAdd(&${outbox}, 0u) == mine);`;
  const rounds = roundsSource.replace("OUTBOX", outbox).replace(
    "LOOKS",
    `${look} `.repeat(LOOKS - 1),
  );
  const wants = laneCount === 1
    ? "loop_rounds > ROUNDS_PAUSE"
    : isSubgroup
    ? "subgroupMax(loop_rounds) > ROUNDS_PAUSE"
    : "atomicLoad(&pause_wanted) != 0u";
  const constants = {
    END_PAUSED,
    ROUNDS_PAUSE,
    LIVE_PAUSED_WORD: PAUSED_WORD,
    LANE_STATES_BINDING,
  };
  const declared = Object.entries(constants).map(([name, value]) => `const ${name} = ${value}u;`);
  return {
    ...source,
    code: `${code}\n${
      declared.join("\n")
    }\nfn wave_wants_pause() -> bool { return ${wants}; }\n${rounds}`,
  };
}

const LOOPS = new Set(["loop", "for", "while"]);

/**
 * A module whose loops count their rounds in `loop_rounds`. A software adapter runs what is not entered, too,
 * under a mask: so a round counts as many as loops are in it, of functions that it calls as well.
 */
export function countingRounds(code: string): string {
  const text = new WgslText(code);
  const { tokens, declarations } = text;
  const functions = new Map(declarations.functions.map((one) => [one.name.text, one]));
  const known = new Map<string, number>();
  const loopsOf = (name: string): number => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const { body } = functions.get(name)!;
    const count = loopsIn(body.start, body.end);
    known.set(name, count);
    return count;
  };
  const loopsIn = (start: number, end: number): number => {
    let count = 0;
    for (let at = start; at < end; at++) {
      const { kind, text } = tokens[at]!;
      if (LOOPS.has(text)) count++;
      const calls = kind === "name" && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== ".";
      if (calls && functions.has(text)) count += loopsOf(text);
    }
    return count;
  };
  const edits = declarations.functions.flatMap(({ body }) => {
    const found = [];
    for (let at = body.start; at < body.end; at++) {
      if (!LOOPS.has(tokens[at]!.text)) continue;
      const open = bodyOf(tokens, at);
      const weight = 1 + loopsIn(at + 1, closing(tokens, open));
      const index = tokens[open]!.index + 1;
      const before = tokens[at]!.index;
      found.push({ index: before, end: before, text: "loop_rounds++; " });
      found.push({ index, end: index, text: ` loop_rounds += ${weight}u; ` });
    }
    return found;
  });
  return text.edited(edits);
}

type Tokens = WgslText["tokens"];

/** The brace with which a loop's body begins. */
function bodyOf(tokens: Tokens, loop: number): number {
  let depth = 0;
  for (let at = loop + 1;; at++) {
    const { text } = tokens[at]!;
    if (text === "(") depth++;
    if (text === ")") depth--;
    if (text === "{" && depth === 0) return at;
  }
}

function closing(tokens: Tokens, open: number): number {
  let depth = 0;
  for (let at = open;; at++) {
    const { text } = tokens[at]!;
    if (text === "{") depth++;
    if (text === "}" && --depth === 0) return at;
  }
}
