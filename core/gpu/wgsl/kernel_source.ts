import apiSource from "./kernel_api.wgsl" with { type: "text" };
import textSource from "./kernel_stream.wgsl" with { type: "text" };
import portSource from "./port.wgsl" with { type: "text" };
import groupSource from "./wave_group.wgsl" with { type: "text" };
import loneSource from "./wave_single_lane.wgsl" with { type: "text" };
import memorySource from "./wave_memory.wgsl" with { type: "text" };
import passSource from "./wave_operations.wgsl" with { type: "text" };
import streamSource from "./wave_stream.wgsl" with { type: "text" };
import waveSource from "./wave.wgsl" with { type: "text" };
import { type ChannelLayout, LANE_WORDS } from "../../toggle/layout.ts";
import { structBytesMax } from "./frame_bytes.ts";
import { checkLockName, lockConstants, type LockName } from "./lock_name.ts";
import { declareConstants, layoutConstants } from "./layout_constants.ts";

/** The choices that are compiled into a kernel. */
export interface KernelShape {
  /** How ports are claimed; `fetch-or` when absent. */
  readonly lock?: LockName;
  /** Waves that share a workgroup, as slices of it. for waves of one lane, 64 at most, when absent, else 1. */
  readonly wavesPerGroup?: number;
  /** Bytes that `put`, `print` and the stream functions have for each lane, 0 to 65536; 256 when absent. */
  readonly streamBytes?: number;
  /** Ports that a wave tries in one epoch before it waits for the next; 32 when absent. */
  readonly searchAttempts?: number;
  /** Requests that a wave makes in one epoch at most, 1 to 65536; 256 when absent. */
  readonly turnsMax?: number;
}

/** A module that is ready to compile. */
export interface KernelSource {
  readonly code: string;
  readonly entryPoint: string;
  readonly groupSize: number;
  readonly wavesPerGroup: number;
  /** Words of one lane's saved packet and stream. */
  readonly laneMemoryWords: number;
  /** Bytes to allocate for what one lane keeps between epochs, the author's frame included. */
  readonly laneStateBytes: number;
  /** Lines of `code` that are the author's, from the first. */
  readonly authorLineCount: number;
}

const STEP = /\bfn\s+step_(\d+)\s*\(/g;
/** What `LaneState` has before the frame, and at most behind it. */
const LANE_HEAD_BYTES = 48;
const FRAME = /\bstruct\s+Frame\b/;
/** Waves of one lane do not wait for each other, and a small workgroup is a waste of a large machine. */
const LONE_WAVES_PER_GROUP = 64;
/** Steps that a lane runs in a row without asking, before the wave takes its next turn. */
const STEPS_MAX = 1024;

/**
 * Makes a module of an author's steps.
 *
 * The author writes `fn step_0()`, `fn step_1()` and so on, and, where something has to be kept
 * from one step to the next, a `struct Frame` whose fields the steps use as `frame.field`. The
 * entry point, the switch over the steps, saving and resuming are generated. `kernel_api.wgsl`
 * and `kernel_stream.wgsl` list what a step may call.
 *
 * The author's text comes first, line for line, so that a compiler's line numbers are the author's.
 *
 * @throws {TypeError} when there is no `step_0`, a number is missing, or a text is malformed
 * @throws {RangeError} when a choice is out of its bounds
 *
 * @example
 * ```ts
 * import { channelLayout } from "../../toggle/layout.ts";
 * import { kernelSource } from "./kernel_source.ts";
 * const source = `fn step_0() { put("Hello world!\\n"); print(); }`;
 * const { authorLineCount } = kernelSource(source, {
 *   layout: channelLayout({ portCount: 4, laneCount: 8 }),
 * });
 * if (authorLineCount !== 1) throw new Error("one line is the author's");
 * ```
 */
export function kernelSource(
  source: string,
  options: KernelShape & { readonly layout: ChannelLayout },
): KernelSource {
  const { layout } = options;
  const { wavesPerGroup, streamBytes } = checkShape(options);
  const bare = withoutComments(source);
  const author = FRAME.test(bare) ? source : `${source}\nstruct Frame { unused: u32 }`;
  const laneMemoryWords = LANE_WORDS + Math.ceil(streamBytes / 4);
  const groupSize = layout.laneCount * wavesPerGroup;
  const constants = {
    ...layoutConstants(layout),
    ...shapeConstants(options),
    LANE_MEMORY_WORDS: laneMemoryWords,
  };
  const code = [
    expandTexts(author),
    declareConstants(constants),
    declareUses(bare),
    `const IS_GROUP = ${layout.laneCount > 1};`,
    runStep(stepCountOf(bare)),
    portSource,
    apiSource,
    textSource,
    waveSource,
    memorySource,
    passSource,
    streamSource,
    layout.laneCount === 1 ? loneSource : groupSource,
    entry(groupSize, wavesPerGroup),
  ].join("\n");
  return {
    code,
    entryPoint: "portlab_entry",
    groupSize,
    wavesPerGroup,
    laneMemoryWords,
    laneStateBytes: LANE_HEAD_BYTES + structBytesMax(withoutComments(author), "Frame"),
    authorLineCount: source.split("\n").length,
  };
}

function shapeConstants(options: KernelShape & { readonly layout: ChannelLayout }) {
  const { wavesPerGroup, streamBytes, searchAttempts, turnsMax, lock } = checkShape(options);
  return {
    WAVES_PER_GROUP: wavesPerGroup,
    STREAM_BYTES: streamBytes,
    SEARCH_ATTEMPTS: Math.min(searchAttempts, options.layout.portCount),
    TURNS_MAX: turnsMax,
    STEPS_MAX,
    ...lockConstants(lock),
  };
}

function checkShape(options: KernelShape & { readonly layout: ChannelLayout }) {
  const { laneCount } = options.layout;
  const shape = {
    lock: options.lock ?? "fetch-or",
    wavesPerGroup: options.wavesPerGroup ?? (laneCount === 1 ? LONE_WAVES_PER_GROUP : 1),
    streamBytes: options.streamBytes ?? 256,
    searchAttempts: options.searchAttempts ?? 32,
    turnsMax: options.turnsMax ?? 256,
  };
  checkLockName(shape.lock);
  checkNumber("wavesPerGroup", shape.wavesPerGroup, { min: 1, max: 1024 });
  checkNumber("streamBytes", shape.streamBytes, { min: 0, max: 65536 });
  checkNumber("searchAttempts", shape.searchAttempts, { min: 1, max: 16384 });
  checkNumber("turnsMax", shape.turnsMax, { min: 1, max: 65536 });
  return shape;
}

function checkNumber(
  name: string,
  value: number,
  bounds: { readonly min: number; readonly max: number },
) {
  const { min, max } = bounds;
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(
    `Cannot make a kernel as ${name} must be an integer from ${min} to ${max}: current value is ${value}`,
  );
}

function stepCountOf(bare: string): number {
  const numbers = [...bare.matchAll(STEP)].map(([, number]) => Number(number)).sort((a, b) =>
    a - b
  );
  if (numbers.length === 0) {
    throw new TypeError(
      "Cannot make a kernel as its source has no step: write fn step_0() { ... }",
    );
  }
  const gap = numbers.findIndex((number, index) => number !== index);
  if (gap < 0) return numbers.length;
  throw new TypeError(
    `Cannot make a kernel as its steps must count up from 0: step_${gap} is missing`,
  );
}

/** What the generated part leaves out when the author's text does not mention it. */
function declareUses(bare: string): string {
  const streams = /\b(?:put|put_\w+|print|stream_\w+|call_with_stream|exchange_streams)\s*\(/.test(
    bare,
  );
  const sessions = /\b(?:begin|send|recv|close)\s*\(/.test(bare);
  const casts = /\bcast_call\s*\(/.test(bare);
  return `const USES_STREAMS = ${streams};
const USES_SESSIONS = ${sessions};
const USES_CASTS = ${casts};
`;
}

function runStep(stepCount: number): string {
  const cases = Array.from(
    { length: stepCount },
    (_, step) => `case ${step}u: { step_${step}(); }`,
  );
  return `fn run_step(step: u32) { switch step { ${cases.join(" ")} default: { finish(); } } }`;
}

function entry(groupSize: number, wavesPerGroup: number): string {
  return `
@compute @workgroup_size(${groupSize})
fn portlab_entry(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  wave_slot = local / LANE_COUNT;
  lane_index = local % LANE_COUNT;
  wave_run(group.x * ${wavesPerGroup}u + wave_slot);
}
`;
}

/** Comments as spaces, so that what they mention is not taken for code. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\//g, (text) => text.replaceAll(/[^\n]/g, " "));
}

// WGSL has no strings: put("Hello") becomes put_word calls with the bytes, on the same line.
function expandTexts(source: string): string {
  return source.replaceAll(
    /(\/\/[^\n]*|\/\*[^]*?\*\/)|\bput\s*\(\s*("(?:[^"\\\n]|\\.)*")\s*\)/g,
    (whole, comment?: string, literal?: string) => comment ?? (literal ? putWords(literal) : whole),
  );
}

function putWords(literal: string): string {
  const bytes = new TextEncoder().encode(textOf(literal));
  const calls: string[] = [];
  for (let byte = 0; byte < bytes.length; byte += 4) {
    const chunk = bytes.subarray(byte, byte + 4);
    const word = chunk.reduceRight((high, low) => high * 256 + low, 0);
    calls.push(`put_word(${word}u, ${chunk.length}u)`);
  }
  return calls.join("; ");
}

function textOf(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw new TypeError(
      `Cannot make a kernel as a text must be written like one in JSON: current value is ${literal}`,
    );
  }
}
