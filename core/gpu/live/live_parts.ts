import { OPCODE_MAX } from "../../memory/opcode.ts";
import { type ChannelLayout } from "../../toggle/layout.ts";
import { allocated } from "../device/error_scopes.ts";
import { BoundPipeline } from "../device/bound_pipeline.ts";
import { compileModule } from "../wgsl/kernel_compile.ts";
import { lockConstants } from "../wgsl/kernel_shape.ts";
import { declareConstants, layoutConstants } from "../wgsl/layout_constants.ts";
import type { LiveOptions } from "./live.ts";
import { type LiveText, liveText } from "./live_kernel.ts";
import { LIVE_WORDS, liveConstants } from "./live_report.ts";
import liveMainText from "./live.wgsl" with { type: "text" };
import liveClientText from "./live_client.wgsl" with { type: "text" };
import liveGroupText from "./live_group.wgsl" with { type: "text" };
import liveSingleLaneText from "./live_single_lane.wgsl" with { type: "text" };
import livePortText from "./live_port.wgsl" with { type: "text" };
import liveServerText from "./live_server.wgsl" with { type: "text" };
import type { Readback } from "../device/readback.ts";
import { createReadback } from "../device/create_readback.ts";
import { Stopwatch } from "../device/stopwatch.ts";

const PARAMS_BYTES = 16;
/** What comes back of a dispatch: its counts, and behind them the stopwatch's timestamps. */
export const REPORT_BYTES = LIVE_WORDS * 4;
const READBACK_BYTES = REPORT_BYTES + Stopwatch.bytes;

/** What a live program has on the device. */
export interface LiveParts {
  readonly options: LiveOptions;
  readonly layout: ChannelLayout;
  /** Where in the author's text each step of a kernel begins. */
  readonly stepPlaces: readonly string[];
  readonly channel: GPUBuffer;
  readonly params: GPUBuffer;
  readonly readback: Readback;
  /** Absent on a device without timestamps. */
  readonly stopwatch: Stopwatch | undefined;
  readonly pipeline: BoundPipeline;
}

/** Compiles a live program and allocates what it needs. */
export async function makeLiveParts(
  device: GPUDevice,
  options: LiveOptions,
  layout: ChannelLayout,
): Promise<LiveParts> {
  const { buffers = [] } = options;
  const text = liveText(options.source, options.server);
  const wordCount = wordCountOf(options, text);
  const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
  const size = layout.totalBytes + REPORT_BYTES;
  const code = [
    text.author,
    text.generated,
    declareConstants({ ...constantsOf(options, layout), DATA_WORDS: wordCount }),
    declareUses(text.author + text.generated),
    `const IS_KERNEL = ${text.isKernel};`,
    liveMainText,
    unrolled(livePortText, wordCount),
    liveClientText,
    liveServerText,
    layout.laneCount === 1 ? liveSingleLaneText : liveGroupText,
  ]
    .join("\n");
  const module = await compileModule(device, options.source, {
    code,
    server: options.server,
    authorLineCount: text.author.split("\n").length,
    authorPosition: text.authorPosition,
  });
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

function constantsOf(options: LiveOptions, layout: ChannelLayout): Record<string, number> {
  const { lock = "fetch-or" } = options;
  return {
    ...layoutConstants(layout),
    ...liveConstants(layout),
    ...lockConstants(lock),
  };
}

/** What is left out when the author's text does not mention it, because each costs barriers. */
function declareUses(source: string): string {
  const turns = /\banother_turn\s*\(/.test(source);
  const requests = /\b(?:call|no_reply)\s*\(/.test(source);
  return `const USES_TURNS = ${turns};\nconst USES_REQUESTS = ${requests};\nconst OPCODE_MAX = ${OPCODE_MAX}u;`;
}

/** All words of the smallest packet but the last. */
const KERNEL_WORDS = 15;

/** Nobody has counted the words that a kernel uses. */
function wordCountOf({ wordCount }: LiveOptions, { isKernel }: LiveText): number {
  return wordCount ?? (isKernel ? KERNEL_WORDS : 1);
}

/** Loops over more words than this stay loops. */
const UNROLLED_MAX = 16;
const WORD_LOOP = /for \(var word = 0u; word < DATA_WORDS; word\+\+\) \{ (.*) \}/g;

/**
 * The text with its loops over the words of a packet written out: SwiftShader leaves them as they are,
 * and with one word they took a fifth of a call.
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
