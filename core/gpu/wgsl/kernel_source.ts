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
import epochSource from "./wave_epoch.wgsl" with { type: "text" };
import { TAGS } from "../../signature/wire/variadic_bytes.ts";
import { type ChannelLayout } from "../../toggle/layout.ts";
import { HEAP_FUNCTIONS, type HeapTexts, placeTexts, refuseHeap } from "../heap/heap_texts.ts";
import { type AuthorSteps, authorSteps } from "../kernel/author_steps.ts";
import { BARRIERS, type Kernel } from "../kernel/kernel.ts";
import { fixOverrides, KernelText } from "../kernel/kernel_text.ts";
import type { ServiceName } from "../kernel/services.ts";
import { linkLibrary } from "../text/link.ts";
import type { Module } from "../text/module.ts";
import { type AuthoredModule, authorModule, inText, refuseProblem } from "./kernel_compile.ts";
import type { FailureTexts } from "./kernel_error.ts";
import { putStrings } from "./put_strings.ts";
import { completeShape, type KernelShape, shapeConstants, spareCountOf } from "./kernel_shape.ts";
import {
  channelConstants,
  declareConstants,
  devicePlaces,
  layoutConstants,
  spareOwnersWord,
  withAffixes,
} from "./layout_constants.ts";

/** What follows each step of a kernel with a heap. */
const HEAP_CHECK = "lane_fail_if(heap_fault != 0u, ERROR_BAD_ADDRESS);";

/** A module that is ready to compile. */
export interface KernelSource extends AuthoredModule {
  readonly entryPoint: string;
  /** What calls the host in it; `undefined` of steps written by hand. */
  readonly kernel: Kernel | undefined;
  /** Other names of what the library declares, where the author has those. */
  readonly changedNames: ReadonlyMap<string, string>;
  /** What follows the author's text and its steps. */
  readonly library: readonly string[];
  readonly groupSize: number;
  readonly wavesPerGroup: number;
  /** Words of one lane's saved packet and stream. */
  readonly laneMemoryWords: number;
  /** Packets behind those of the ports, for the rest of streams. */
  readonly spareCount: number;
  /** Bytes that one lane keeps between epochs, including the frame. */
  readonly laneStateBytes: number;
  /** Bytes of the frame, which a lane keeps from step to step. */
  readonly frameBytes: number;
  /** Bytes that a wave keeps between epochs, including its workgroup memory. */
  readonly waveStateBytes: number;
  /** Where each step begins in the author's text, for error messages. */
  readonly stepPlaces: readonly string[];
  /** How the kernel may fail, for error messages. */
  readonly failures: FailureTexts;
  /** The author's names for the functions of the host, by opcode. */
  readonly serviceNames: ReadonlyMap<number, ServiceName>;
  /** The initial contents of the heap; `undefined` without a heap. */
  readonly heapTexts: HeapTexts | undefined;
}

/** The part of a module by which a runtime runs it: its ports, and how a wave waits for the host. */
export interface RuntimeText {
  readonly texts: (uses: KernelUses) => readonly string[];
  /** Makes constants in addition to those of every kernel, or in their place. */
  readonly constants: (
    layout: ChannelLayout,
    spareCount: number,
  ) => Readonly<Record<string, number>>;
  /** How the lanes of a wave agree, where it has several. */
  readonly group: string;
  /** Whether a wave waits in its dispatch: then it goes on behind any request, and streams need no spares. */
  readonly spins: boolean;
  /** Whether a wave is a subgroup of the device; false when absent. */
  readonly isSubgroup?: boolean;
}

/** A wave that waits is saved, and goes on in the next dispatch. */
const EPOCHS: RuntimeText = {
  texts: () => [portSource, epochSource, memorySource],
  constants: deviceConstants,
  group: groupSource,
  spins: false,
};

/** Bytes of `SavedLane` in `wave_memory.wgsl` other than the frame, including padding. */
const LANE_HEAD_BYTES = 48;

/**
 * Generates the module of a kernel: the steps if it is written as `fn kernel()`, the entry point, the
 * switch over the steps, saving and resuming.
 *
 * The author's text comes first, so that the compiler's line numbers are the author's.
 *
 * @throws {KernelCompileError} at what `fn kernel()` does not support
 * @throws {PrintfError} at an invalid `printf`
 * @throws {TypeError} when there is no step, a number is missing, or a string is malformed
 * @throws {RangeError} when an option is out of bounds
 */
export function kernelSource(
  given: string | KernelText,
  options: KernelShape & {
    readonly layout: ChannelLayout;
    readonly waveCount?: number;
    readonly heapBytes?: number;
    readonly runtime?: RuntimeText;
  },
): KernelSource {
  const { layout, heapBytes, runtime = EPOCHS } = options;
  const text = kernelText(given);
  const { module: author } = text;
  const laneWords = layout.laneBytes / 4;
  const { placed, steps } = inText(author, () => {
    const placed = heapBytes === undefined ? undefined : placeTexts(text);
    if (!placed) refuseHeap(author);
    refuseProblem(author);
    putStrings(text);
    const steps = authorSteps(text, { laneWords, meets: true, keepsShared: !runtime.spins });
    return { placed, steps };
  });
  const shape = completeShape(options, layout.laneCount, steps);
  const { wavesPerGroup, streamBytes } = shape;
  const uses = usesOf(steps, runtime);
  const laneMemoryWords = laneWords + streamWords(uses, streamBytes, steps);
  const spareCount = uses.USES_STREAMS && !runtime.spins ? spareCountOf(streamBytes, layout) : 0;
  const constants = {
    ...runtime.spins ? channelConstants(layout) : layoutConstants(layout),
    ...shapeConstants(shape, layout),
    LANE_MEMORY_WORDS: laneMemoryWords,
    REPLY_WORDS: wordsOf("reply", steps, laneWords),
    SENT_WORDS: wordsOf("packet_set", steps, laneWords),
    ...heapBytes !== undefined && heapConstants(heapBytes),
    ...runtime.constants(layout, spareCount),
  };
  const known = withoutOwn(constants, author);
  const frameBytes = inText(author, () => steps.frame.bytesWith(known));
  const library = [
    `// SavedFrame takes ${frameBytes} bytes a lane.`,
    declareConstants(constants),
    ...Object.entries(uses).map(([name, value]) => `const ${name} = ${value};`),
    `const IS_GROUP = ${layout.laneCount > 1};`,
    ...libraryTexts(steps, uses, { ...options, runtime, hasHeap: placed !== undefined }),
    ...placed ? heapParts(author) : [],
    entry(layout.laneCount, wavesPerGroup, runtime.isSubgroup),
  ];
  const { authorText, generated, changedNames, places: stepPlaces } = steps;
  const { failures, serviceNames, dissolved, authorNames, authorPosition } = steps;
  return {
    code: [authorText, generated, linkLibrary(library, author, { changed: changedNames })].join(
      "\n",
    ),
    entryPoint: changedNames.get("portlab_entry") ?? "portlab_entry",
    groupSize: layout.laneCount * wavesPerGroup,
    wavesPerGroup,
    laneMemoryWords,
    spareCount,
    laneStateBytes: LANE_HEAD_BYTES + frameBytes,
    frameBytes,
    waveStateBytes: inText(author, () => steps.frame.waveBytesWith(known)),
    kernel: steps.kernel,
    ...{ author, library, changedNames, offered: OFFERED },
    heapTexts: placed,
    ...{ stepPlaces, failures, serviceNames, dissolved, authorNames, authorPosition },
  };
}

/** The texts around the steps, but for what the channel and the heap ask for. */
function libraryTexts(
  steps: AuthorSteps,
  uses: KernelUses,
  { layout, runtime, hasHeap }: {
    readonly layout: ChannelLayout;
    readonly runtime: RuntimeText;
    readonly hasHeap: boolean;
  },
): readonly string[] {
  const behind = hasHeap ? HEAP_CHECK : "";
  return [
    stepConstants(steps),
    stepCaller(steps),
    runtime.spins ? runSteps(steps, behind) : runStep(steps.names, { otherwise: "", behind }),
    ...runtime.texts(uses),
    apiSource,
    laneStreamSource,
    waveSource,
    operationsSource,
    streamSource,
    layout.laneCount === 1 ? singleLaneSource : runtime.group,
  ];
}

/** A kernel's text, read unless it was before. */
export function kernelText(given: string | KernelText): KernelText {
  if (given instanceof KernelText) return given;
  const text = new KernelText(authorModule(given));
  fixOverrides(text, {});
  return text;
}

/** What every kernel may call. */
const OFFERED: readonly string[] = [
  ...[apiSource, laneStreamSource].flatMap((text) => [...text.matchAll(/^fn (\w+)/gm)])
    .map(([, name]) => name!),
  ...HEAP_FUNCTIONS,
  ...["printf", "printf_if", "assert"],
];

/** The constants that the author's text does not declare for itself. */
function withoutOwn(constants: Readonly<Record<string, number>>, { byName }: Module) {
  return Object.fromEntries(Object.entries(constants).filter(([name]) => !byName.has(name)));
}

/** Words of a lane's stream. Without one it has none, so that packets stay aligned to cache lines. */
function streamWords(uses: KernelUses, streamBytes: number, { printfBytes }: AuthorSteps): number {
  const words = Math.max(uses.USES_STREAMS ? 1 : 0, Math.ceil(streamBytes / 4));
  // A line that is sent at once is stored after the contents of the stream.
  return words + (uses.PRINTS_AT_ONCE ? Math.ceil(printfBytes / 4) : 0);
}

/** Where the parts of the device's copy of a channel are that the layout has elsewhere or not at all. */
function deviceConstants(layout: ChannelLayout, spareCount: number) {
  return {
    CLIENT_OUTBOX_WORD: devicePlaces(layout).clientOutboxWord,
    SPARE_COUNT: spareCount,
    SPARE_OWNERS_WORD: spareOwnersWord(layout, spareCount),
  };
}

function heapConstants(heapBytes: number): Readonly<Record<string, number>> {
  const tags = Object.fromEntries(TAGS.map((name, tag) => [name, tag]));
  const constants = withAffixes(tags, { prefix: "LIST_", suffix: "", base: 0 });
  return { HEAP_WORDS: heapBytes / 4, ...constants };
}

/** Leaves out the doubles if stubs of functions include them. */
function heapParts({ source }: Module): string[] {
  return source.includes(doublesSource.trim()) ? [heapSource] : [doublesSource, heapSource];
}

const OWN_STREAMS = /^(?:put|put_\w+|print|stream_\w+|call_with_stream|exchange_streams)$/;

/** Which features a kernel uses. */
export type KernelUses = ReturnType<typeof usesOf>;

/** Decides which features the generated part needs. */
function usesOf({ called, printfBytes }: AuthorSteps, { spins }: RuntimeText) {
  const names = [...called];
  const usesOwnStreams = names.some((name) => OWN_STREAMS.test(name));
  const sessions = names.some((name) => /^(?:begin|send|recv|close)$/.test(name));
  const atOnce = printfBytes > 0 && (usesOwnStreams || sessions);
  const meets = names.some((name) => BARRIERS.has(name));
  const casts = called.has("cast_call") || (printfBytes > 0 && !atOnce);
  return {
    USES_STREAMS: usesOwnStreams || printfBytes > 0,
    BUFFERS_PRINTF: printfBytes > 0 && !atOnce,
    PRINTS_AT_ONCE: atOnce,
    USES_SESSIONS: sessions,
    USES_CASTS: casts,
    // Otherwise a request is the last thing that a wave does in a dispatch.
    HAS_TURNS: spins || sessions || casts || meets,
    SPINS: spins,
    USES_BARRIERS: meets,
  };
}

/** How many words of a packet the steps read or set by a function: all, unless each call says which. */
function wordsOf(
  name: string,
  { authorText, generated, changedNames }: AuthorSteps,
  laneWords: number,
): number {
  const calls = new RegExp(`\\b${changedNames.get(name) ?? name}\\s*\\((?:(\\d+)u?[,)])?`, "g");
  const found = [...`${authorText}\n${generated}`.matchAll(calls)];
  const words = found.map(([, word]) => word === undefined ? laneWords : Number(word) + 1);
  return Math.min(laneWords, Math.max(1, ...words));
}

/** Declares constants about the steps. */
export function stepConstants(
  { names, leadsAnywhere, printfBytes, failures, sharesMemory }: AuthorSteps,
): string {
  return `const STEP_COUNT = ${names.length}u;
const CHECKS_STEPS = ${leadsAnywhere};
const PRINTF_BYTES = ${printfBytes}u;
const HAS_ASSERTS = ${failures.asserts.length > 0};
const SHARES_MEMORY = ${sharesMemory};`;
}

/** Generates a function from a step to the one behind the call of its function: END for `kernel`. */
function stepCaller({ callers }: AuthorSteps): string {
  const cases = callers.map(({ back, steps }) =>
    `case ${steps.map((step) => `${step}u`).join(", ")}: { return ${back}; }`
  );
  if (cases.length === 0) return "fn step_caller(step: u32) -> u32 { return END; }";
  return `fn step_caller(step: u32) -> u32 { switch step { ${
    cases.join(" ")
  } default: { return END; } } }`;
}

/** More steps are divided among switches of their own. */
const CASES_MAX = 16;

/**
 * Generates the switch over the steps. Many are grouped: where a switch ends, compilers merge each
 * variable that a case changes with all of the other cases.
 *
 * @param parts statements that follow each step, and those of a number that is no step
 */
export function runStep(
  names: readonly string[],
  { behind = "", otherwise = "finish();" }: {
    readonly behind?: string | undefined;
    readonly otherwise?: string;
  } = {},
): string {
  const cases = names.map((name, step) => `case ${step}u: { ${name}(); }`);
  const size = cases.length > CASES_MAX ? Math.ceil(Math.sqrt(cases.length)) : cases.length;
  const groups: string[] = [];
  for (let first = 0; first < cases.length; first += size) {
    const some = cases.slice(first, first + size).join(" ");
    groups.push(`switch step { ${some} default: { ${otherwise} } }`);
  }
  const body = groups.length === 1
    ? groups[0]
    : `switch step / ${size}u { ${
      groups.map((group, at) => `case ${at}u: { ${group} }`).join(" ")
    } default: { ${otherwise} } }`;
  return `fn run_step(step: u32) { ${body}${behind} }`;
}

/**
 * Generates a round over the steps, in an order in which a lane comes from one request to the next in one
 * round, but for loops between. A software adapter runs all steps in each round, whichever a lane is at.
 */
function runSteps({ names, order }: AuthorSteps, behind = ""): string {
  const steps = order.map((step) =>
    `  if lane.key == ${step}u { wave_begins_step(${step}u); ${
      names[step]
    }(); wave_ends_step(${step}u);${behind} }\n`
  );
  return `fn run_steps() {\n${steps.join("")}}`;
}

function entry(laneCount: number, wavesPerGroup: number, isSubgroup = false): string {
  return `
@compute @workgroup_size(${laneCount * wavesPerGroup})
fn portlab_entry(
  @builtin(workgroup_id) group: vec3u,
  @builtin(${isSubgroup ? "subgroup_invocation_id" : "local_invocation_index"}) local: u32,
) {
  wave_slot = local${laneCount === 1 ? "" : " / LANE_COUNT"};
  lane_index = ${laneCount === 1 ? "0u" : "local % LANE_COUNT"};
  wave_run(group.x * ${wavesPerGroup}u + wave_slot);
}
`;
}
