import oneDispatchKernelText from "./one_dispatch_kernel.wgsl" with { type: "text" };
import oneDispatchMainText from "./one_dispatch.wgsl" with { type: "text" };
import oneDispatchClientText from "./one_dispatch_client.wgsl" with { type: "text" };
import oneDispatchGroupText from "./one_dispatch_group.wgsl" with { type: "text" };
import oneDispatchSingleLaneText from "./one_dispatch_single_lane.wgsl" with { type: "text" };
import oneDispatchPortText from "./one_dispatch_port.wgsl" with { type: "text" };
import oneDispatchServerText from "./one_dispatch_server.wgsl" with { type: "text" };
import type { ChannelLayout } from "../../toggle/layout.ts";
import { checkOutcome } from "../run/run_report.ts";
import { brokenRule } from "../wgsl/kernel_error.ts";
import { declareConstants, layoutConstants, withAffixes } from "../wgsl/layout_constants.ts";
import { servedText } from "../server/service_functions.ts";
import { usesHeap } from "../heap/heap_texts.ts";
import { authorSteps } from "../kernel/author_steps.ts";
import type { KernelText } from "../kernel/kernel_text.ts";
import type { Module } from "../text/module.ts";
import {
  type AuthoredModule,
  authorModule,
  checkFunctions,
  compileModule,
  inText,
  refuseProblem,
} from "../wgsl/kernel_compile.ts";
import { kernelText, runStep, stepConstants } from "../wgsl/kernel_source.ts";
import { OPCODE_MAX, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { allocated } from "../device/error_scopes.ts";
import { BoundPipeline } from "../device/bound_pipeline.ts";
import { lockConstants } from "../wgsl/kernel_shape.ts";
import type { OneDispatchOptions } from "./one_dispatch.ts";
import type { Readback } from "../device/readback.ts";
import { createReadback } from "../device/create_readback.ts";
import { Stopwatch } from "../device/stopwatch.ts";

/** What one dispatch counts, in words after the channel. */
export const OneDispatchWord = {
  /** Sessions that succeeded on the client's side. */
  calls: 0,
  /** Sessions that a side gave up. */
  lost: 1,
  /** Client workgroups that have ended. */
  finished: 2,
  /** Packets that were read again because their checksum was still wrong. */
  retries: 3,
  /** Workgroups that have begun. */
  started: 4,
  /** Client workgroups whose loop was ended while they had more requests. */
  cutOff: 5,
  /** Not a count, but 0 or the error of a wave: see `readKernelError`. */
  error: 6,
  /** Not a count, but the last missing step that a lane went to, and its wave. */
  badStep: 7,
} as const;

/** Words of the report of one dispatch. */
export const DISPATCH_WORDS = 8;

/** The words as constants of a shader. */
export function oneDispatchConstants(layout: ChannelLayout): Record<string, number> {
  return withAffixes(OneDispatchWord, {
    prefix: "DISPATCH_",
    suffix: "_WORD",
    base: layout.totalBytes / 4,
  });
}

/** The outcome of one dispatch. */
export interface OneDispatchReport {
  /** Sessions in which all lanes were answered, or needed no answer. */
  readonly callCount: number;
  /** Sessions that a side gave up, at a bound or because the other side had left. */
  readonly lostCount: number;
  /** Packets that were read again because their words had not all arrived. */
  readonly retryCount: number;
  /** Waves of clients that the adapter stopped before they had made all requests. */
  readonly cutOffCount: number;
  /**
   * False when a session was lost, for example because workgroups do not run at the same time, or when
   * a wave was cut off, for example because the adapter ends every long loop. This is a result, not an
   * error.
   */
  readonly madeProgress: boolean;
  /** Seconds that the dispatch took by the device's clock; absent if it has none. */
  readonly dispatchSeconds?: number;
  /** The outcome in a sentence. */
  readonly detail: string;
}

/**
 * Reads the report of one dispatch.
 *
 * @param stepPlaces where each step of a kernel begins in the author's text
 * @throws {KernelError} when a wave broke a rule
 */
export function readOneDispatchReport(
  words: Int32Array,
  clientCount: number,
  stepPlaces: readonly string[] = [],
): OneDispatchReport {
  const failures = { frames: [], asserts: [] };
  const broken = brokenRule(words, OneDispatchWord, { stepPlaces, failures });
  const outcome = { refusal: undefined, refusedCount: 0, broken, unfinished: undefined };
  checkOutcome(outcome, { refusals: "reject" });
  const count = (name: keyof typeof OneDispatchWord) => words[OneDispatchWord[name]]! >>> 0;
  const [callCount, lostCount, retryCount] = [count("calls"), count("lost"), count("retries")];
  const cutOffCount = count("cutOff") + clientCount - count("finished");
  const troubles = [
    ...(lostCount > 0 ? [`${lostCount} calls were given up`] : []),
    ...(cutOffCount > 0 ? [`${cutOffCount} waves were cut off in the middle of a loop`] : []),
  ];
  const madeProgress = troubles.length === 0;
  const detail = madeProgress
    ? `${callCount} calls were answered`
    : `No progress on this adapter: ${troubles.join(", ")}, ${callCount} calls were answered`;
  return { callCount, lostCount, retryCount, cutOffCount, madeProgress, detail };
}

/** The author's part of a one-dispatch program, and what is generated from it. */
export interface OneDispatchText extends Omit<AuthoredModule, "code"> {
  /** The author's part as it stands in the module. */
  readonly text: string;
  readonly generated: string;
  /** Whether the client is a kernel. */
  readonly isKernel: boolean;
  /** Where each step of a kernel begins in the author's text. */
  readonly stepPlaces: readonly string[];
}

const NEEDS_HOST =
  /^(?:put|put_\w+|print|printf|stream_\w+|call_with_stream|exchange_streams|begin|send|recv|close|assert|printf_if)$/;

/**
 * Prepares the author's part of a one-dispatch program: four functions, or a kernel and `serve`.
 *
 * @throws {KernelCompileError} at what `fn kernel()` does not support
 * @throws {TypeError} when a kernel has no steps, or needs the host
 */
export function oneDispatchText(
  given: string | KernelText,
  writtenServer: string | undefined,
  laneWords = KERNEL_WORDS,
): OneDispatchText {
  const text = kernelText(given);
  const { module: author } = text;
  const made = "a one-dispatch program";
  if (writtenServer === undefined) {
    checkFunctions(author, [...CLIENT, SERVE], made);
    return { author, text: author.source, generated: "", isKernel: false, stepPlaces: [] };
  }
  const server = authorModule(writtenServer, "server");
  const served = servedText(server, laneWords, { operate: "serve", made });
  const called = [...calledIn(author)].find((name) => NEEDS_HOST.test(name));
  const needed = called ? `${called}()` : usesHeap(author) ? "a heap" : undefined;
  if (needed !== undefined) {
    throw new TypeError(
      `Cannot make a one-dispatch program as its kernel needs the host: it uses ${needed}, which Kernel can serve`,
    );
  }
  refuseProblem(author);
  const steps = inText(author, () => authorSteps(text));
  for (const [opcode, { name }] of steps.serviceNames) {
    if (opcode < USER_OPCODE_FIRST || (served.opcodes?.includes(opcode) ?? true)) continue;
    throw new TypeError(
      `Cannot make ${made} as its server has no function of opcode ${opcode}, which ${name} is: write @service(${opcode}) in front of one, or in both texts a number of your own`,
    );
  }
  return {
    author,
    server,
    dissolved: steps.dissolved,
    text: `${steps.authorText}\n${served.source}`,
    generated: [
      steps.generated,
      stepConstants(steps),
      runStep(steps.names),
      oneDispatchKernelText,
      served.generated,
    ]
      .join("\n"),
    isKernel: true,
    stepPlaces: steps.places,
    authorNames: steps.authorNames,
    authorPosition: steps.authorPosition,
  };
}

/** The names that a text calls. */
function calledIn({ calls }: Module): ReadonlySet<string> {
  return new Set([...calls.values()].flat().map(({ text }) => text));
}

const CLIENT = ["fn client_fill() -> bool", "fn client_use()", "fn client_end()"];
const SERVE = "fn serve(opcode: u32)";

const PARAMS_BYTES = 16;
/** Bytes of the counts, which the stopwatch's timestamps follow. */
export const REPORT_BYTES = DISPATCH_WORDS * 4;
const READBACK_BYTES = REPORT_BYTES + Stopwatch.bytes;

/** A compiled one-dispatch program, and its memory on the device. */
export interface OneDispatchParts {
  readonly options: OneDispatchOptions;
  readonly layout: ChannelLayout;
  /** Where each step of a kernel begins in the author's text. */
  readonly stepPlaces: readonly string[];
  readonly channel: GPUBuffer;
  readonly params: GPUBuffer;
  readonly readback: Readback;
  /** Absent on a device without timestamps. */
  readonly stopwatch: Stopwatch | undefined;
  readonly pipeline: BoundPipeline;
}

/** Compiles a one-dispatch program and allocates what it needs. */
export async function makeOneDispatchParts(
  device: GPUDevice,
  options: OneDispatchOptions & { readonly text?: string | KernelText },
  layout: ChannelLayout,
): Promise<OneDispatchParts> {
  const { buffers = [] } = options;
  const text = oneDispatchText(
    options.text ?? options.source,
    options.server,
    layout.laneBytes / 4 - 1,
  );
  // It is not known how many words a kernel uses.
  const { wordCount = text.isKernel ? KERNEL_WORDS : 1, lock = "fetch-or" } = options;
  const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
  const size = layout.totalBytes + REPORT_BYTES;
  const code = [
    text.text,
    text.generated,
    declareConstants({
      ...layoutConstants(layout),
      ...oneDispatchConstants(layout),
      ...lockConstants(lock),
      DATA_WORDS: wordCount,
    }),
    declareUses(text),
    `const IS_KERNEL = ${text.isKernel};`,
    oneDispatchMainText,
    unrolled(oneDispatchPortText, wordCount),
    oneDispatchClientText,
    oneDispatchServerText,
    layout.laneCount === 1 ? oneDispatchSingleLaneText : oneDispatchGroupText,
  ]
    .join("\n");
  const module = await compileModule(device, { ...text, code });
  const { channel, params } = await allocated(device, "allocate the channel", () => ({
    channel: device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST }),
    params: device.createBuffer({ size: PARAMS_BYTES, usage: UNIFORM | COPY_DST }),
  }));
  const pipeline = await BoundPipeline.create(device, { module }, [
    [{ buffer: channel }, { buffer: params, type: "uniform" }],
    buffers,
  ]);
  const readback = await createReadback(device, {
    bytes: READBACK_BYTES,
    readback: options.readback,
  });
  const stopwatch = Stopwatch.create(device);
  const { stepPlaces } = text;
  return { options, layout, stepPlaces, channel, params, readback, stopwatch, pipeline };
}

/** Leaves out features that the author's text does not use, because each costs barriers. */
function declareUses({ author, server, isKernel }: OneDispatchText): string {
  const turns = [author, server].some((text) => text && calledIn(text).has("another_turn"));
  const called = calledIn(author);
  const requests = isKernel || called.has("call") || called.has("no_reply");
  return `const USES_TURNS = ${turns};\nconst USES_REQUESTS = ${requests};\nconst OPCODE_MAX = ${OPCODE_MAX}u;`;
}

/** All words of the smallest packet except the last. */
const KERNEL_WORDS = 15;

/** Loops over more words than these are not unrolled. */
const UNROLLED_MAX = 16;
const WORD_LOOP = /for \(var word = 0u; word < DATA_WORDS; word\+\+\) \{ (.*) \}/g;

/**
 * Unrolls the loops over the words of a packet: SwiftShader does not, and with one word they took a
 * fifth of a call.
 */
export function unrolled(text: string, wordCount: number): string {
  if (wordCount > UNROLLED_MAX) return text;
  return text.replaceAll(
    WORD_LOOP,
    (_, body: string) =>
      Array.from({ length: wordCount }, (_, word) => body.replaceAll(/\bword\b/g, `${word}u`))
        .join(" "),
  );
}
