import apiSource from "./kernel_api.wgsl" with { type: "text" };
import laneStreamSource from "./kernel_stream.wgsl" with { type: "text" };
import heapSource from "../heap/heap.wgsl" with { type: "text" };
import doublesSource from "../../signature/wgsl/doubles.wgsl" with { type: "text" };
import portSource from "./port.wgsl" with { type: "text" };
import groupSource from "./wave_group.wgsl" with { type: "text" };
import singleLaneSource from "./wave_single_lane.wgsl" with { type: "text" };
import memorySource from "./wave_memory.wgsl" with { type: "text" };
import operationsSource from "./wave_operations.wgsl" with { type: "text" };
import streamSource from "./wave_stream.wgsl" with { type: "text" };
import waveSource from "./wave.wgsl" with { type: "text" };
import { TAGS } from "../../signature/wire/variadic_bytes.ts";
import { type ChannelLayout } from "../../toggle/layout.ts";
import type { TextPosition } from "../syntax/text_position.ts";
import { codeOf, expandStrings, withPlainLines } from "./author_text.ts";
import { type HeapTexts, placeTexts, refuseHeap } from "../heap/heap_texts.ts";
import { authorSteps } from "../resumable/author_steps.ts";
import type { ServiceName } from "../resumable/text/services.ts";
import { structBytes } from "./frame_bytes.ts";
import { completeShape, type KernelShape, shapeConstants } from "./kernel_shape.ts";
import { declareConstants, layoutConstants, withAffixes } from "./layout_constants.ts";

/** A module that is ready to compile. */
export interface KernelSource {
  readonly code: string;
  readonly entryPoint: string;
  readonly groupSize: number;
  readonly wavesPerGroup: number;
  /** Words of one lane's saved packet and stream. */
  readonly laneMemoryWords: number;
  /** Bytes to allocate for what one lane keeps between epochs, the frame included. */
  readonly laneStateBytes: number;
  /** Bytes of the frame of one lane: what it keeps from step to step. */
  readonly frameBytes: number;
  /** Where in the author's text each step begins, for messages. */
  readonly stepPlaces: readonly string[];
  /** What the author calls the functions of the host, by their opcodes. */
  readonly serviceNames: ReadonlyMap<number, ServiceName>;
  /** Lines of `code` that are the author's, from the first. */
  readonly authorLineCount: number;
  /** What lies in the heap at first; nothing where there is none. */
  readonly heapTexts: HeapTexts | undefined;
  /** Where in the author's text a place comes from in the lines behind those, of which the first is 1. */
  readonly authorPosition: (position: TextPosition) => TextPosition | undefined;
}

/** What `SavedLane` in `wave_memory.wgsl` has before the frame, and at most behind it. */
const LANE_HEAD_BYTES = 48;

/**
 * Makes a module of an author's kernel: its steps where it is written as `fn kernel()`, the entry
 * point, the switch over the steps, saving and resuming are generated. `Kernel` says what the author
 * writes.
 *
 * The author's text comes first, line for line, so that a compiler's line numbers are the author's.
 *
 * @throws {KernelCompileError} at what `fn kernel()` cannot do
 * @throws {PrintfError} at a `printf` of it that cannot be
 * @throws {TypeError} when there is no step, a number is missing, or a string is malformed
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
  written: string,
  options: KernelShape & { readonly layout: ChannelLayout; readonly heapBytes?: number },
): KernelSource {
  const { layout, heapBytes } = options;
  const source = withPlainLines(written);
  const placed = heapBytes === undefined ? undefined : placeTexts(source);
  if (!placed) refuseHeap(source);
  const steps = authorSteps(placed?.source ?? source, layout.laneBytes / 4);
  const shape = completeShape(options, layout.laneCount, steps.printfBytes);
  const { wavesPerGroup, streamBytes } = shape;
  const text = `${expandStrings(steps.authorText)}\n${expandStrings(steps.generated)}`;
  const bare = codeOf(text);
  const uses = usesOf(bare, steps.printfBytes);
  // Who uses no stream has no word of one, so that packets stay where lines of a cache begin.
  const streamWords = Math.max(uses.USES_STREAMS ? 1 : 0, Math.ceil(streamBytes / 4));
  // A line that goes at once lies behind what the stream holds.
  const lineWords = uses.PRINTS_AT_ONCE ? Math.ceil(steps.printfBytes / 4) : 0;
  const laneMemoryWords = layout.laneBytes / 4 + streamWords + lineWords;
  const groupSize = layout.laneCount * wavesPerGroup;
  const constants = {
    ...layoutConstants(layout),
    ...shapeConstants(shape, layout),
    LANE_MEMORY_WORDS: laneMemoryWords,
    ...heapBytes !== undefined && heapConstants(heapBytes),
  };
  const declared = declareConstants(constants);
  const frameBytes = structBytes(`${bare}\n${declared}`, "SavedFrame");
  const authorLineCount = source.split("\n").length;
  const code = [
    text,
    `// SavedFrame takes ${frameBytes} bytes a lane.`,
    declared,
    `const STEP_COUNT = ${steps.names.length}u;`,
    // Steps that are made of fn kernel() lead to each other.
    `const CHECKS_STEPS = ${/\bgo\s*\(/.test(codeOf(steps.authorText))};`,
    ...Object.entries(uses).map(([name, value]) => `const ${name} = ${value};`),
    `const PRINTF_BYTES = ${steps.printfBytes}u;`,
    `const IS_GROUP = ${layout.laneCount > 1};`,
    runStep(steps.names, placed && "if heap_fault != 0u { lane_fail(ERROR_BAD_ADDRESS); }"),
    portSource,
    apiSource,
    laneStreamSource,
    waveSource,
    memorySource,
    operationsSource,
    streamSource,
    layout.laneCount === 1 ? singleLaneSource : groupSource,
    ...heapBytes === undefined ? [] : heapParts(bare),
    entry(groupSize, wavesPerGroup),
  ].join("\n");
  return {
    code,
    entryPoint: "portlab_entry",
    groupSize,
    wavesPerGroup,
    laneMemoryWords,
    laneStateBytes: LANE_HEAD_BYTES + frameBytes,
    frameBytes,
    stepPlaces: steps.places,
    serviceNames: steps.serviceNames,
    authorLineCount,
    heapTexts: placed,
    authorPosition: steps.authorPosition,
  };
}

function heapConstants(heapBytes: number): Readonly<Record<string, number>> {
  const tags = Object.fromEntries(TAGS.map((name, tag) => [name, tag]));
  const constants = withAffixes(tags, { prefix: "LIST_", suffix: "", base: 0 });
  return { HEAP_WORDS: heapBytes / 4, ...constants };
}

/** Stubs of functions bring the doubles along. */
function heapParts(bare: string): string[] {
  return /\bfn\s+double_bits\b/.test(bare) ? [heapSource] : [doublesSource, heapSource];
}

const OWN_STREAMS =
  /\b(?:put|put_(?!printf_)\w+|print|stream_\w+|call_with_stream|exchange_streams)\s*\(/;

/** What the generated part leaves out when the author's text does not mention it. */
function usesOf(bare: string, printfBytes: number) {
  const usesOwnStreams = OWN_STREAMS.test(bare);
  const streams = usesOwnStreams || printfBytes > 0;
  const sessions = /\b(?:begin|send|recv|close)\s*\(/.test(bare);
  const casts = /\bcast_call\s*\(/.test(bare);
  const atOnce = printfBytes > 0 && (usesOwnStreams || sessions);
  return {
    USES_STREAMS: streams,
    BUFFERS_PRINTF: printfBytes > 0 && !atOnce,
    PRINTS_AT_ONCE: atOnce,
    USES_SESSIONS: sessions,
    USES_CASTS: casts,
  };
}

/**
 * The switch over the steps.
 *
 * @param behind what follows each
 */
export function runStep(names: readonly string[], behind = ""): string {
  const cases = names.map((name, step) => `case ${step}u: { ${name}(); }`);
  return `fn run_step(step: u32) { switch step { ${
    cases.join(" ")
  } default: { finish(); } }${behind} }`;
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
