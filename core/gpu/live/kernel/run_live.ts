import { checkTextNames, kernelChannelShape, serveText } from "../../run/ready_kernel.ts";
import { checkOptions, type GpuRunOptions, RUN, type RunBuffer } from "../../run/run_options.ts";
import { inAuthorsText, keywordAt, type RunText, runText } from "../../run/run_text.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Server } from "../../../toggle/server/server.ts";
import type { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDevice } from "../device/live_device.ts";
import type { WgslToSpirv } from "./live_compile.ts";
import { LiveKernel, type LiveReport, type LiveRunOptions } from "./live_kernel.ts";

/** A kernel's buffers by the names of its variables: arrays, which are copied to the device and back. */
export type LiveBuffers = Readonly<Record<string, Exclude<RunBuffer, GPUBuffer>>>;

/** Options of {@linkcode runLive}: those of `Gpu.run` that are not about epochs. */
export interface LiveTextOptions<B extends LiveBuffers = LiveBuffers> extends
  LiveRunOptions,
  Pick<
    GpuRunOptions,
    | "waveCount"
    | "laneCount"
    | "portCount"
    | "laneBytes"
    | "functions"
    | "libraries"
    | "print"
    | "streamBytes"
    | "wavesAcross"
  > {
  /** Translates the kernel's module, as `translate` of the package naga-wasm does. */
  readonly translate: WgslToSpirv;
  /** The kernel's buffers, by the names of its variables. */
  readonly buffers?: B;
}

/** The outcome of a live run. */
export interface LiveTextReport<B extends LiveBuffers = LiveBuffers> extends LiveReport {
  /** The contents of the buffers after the run, in new arrays. */
  readonly buffers: B;
}

/** What options of `Gpu.run` have no meaning here, and why. */
const REFUSED = {
  heapBytes: "a live kernel has no heap: use Gpu.run",
  epochsMax: "a live kernel has no epochs: use signal or roundsMax",
  timed: "a live kernel is not timed by the device",
  lock: "waves share their locks with Workers, which lock by compare-exchange",
  searchAttempts: "a wave looks for a port until it has one",
  turnsMax: "a wave goes on until it has finished",
  wavesPerGroup: "each wave is a workgroup, as lanes of one may run in turn",
} as const;

/**
 * Runs a kernel that this thread serves while it runs: as `Gpu.run`, and with the same texts, functions,
 * buffers and errors, but in one dispatch on a device whose memory this program shares.
 *
 * @throws what {@linkcode LiveKernel.create} and {@linkcode LiveKernel.runAsync} throw
 * @throws {TypeError} when there is no such option, or a function or buffer is missing or not declared
 */
export async function runLive<const B extends LiveBuffers = Record<never, never>>(
  device: LiveDevice,
  source: string,
  options: LiveTextOptions<B>,
): Promise<LiveTextReport<B>> {
  const { translate, roundsMax, libraries = [], waveCount = 1, ...rest } = options;
  const buffers: LiveBuffers = options.buffers ?? {};
  for (const [name, reason] of Object.entries(REFUSED)) {
    if (!(name in rest)) continue;
    throw new TypeError(`Cannot ${RUN} as there is no option ${name} here: ${reason}`);
  }
  checkOptions(source, { ...rest, buffers, libraries, waveCount });
  const channel = Channel.create(kernelChannelShape({ ...rest, waveCount }));
  const apis = libraries.map(({ api }) => api);
  const text = runText(source, { apis, laneWords: channel.layout.laneBytes / 4 });
  checkTextNames(text, options);
  using stack = new DisposableStack();
  const memory = stack.use(device.importBuffer(channel.handle.buffer));
  const own = text.buffers.map(({ name }) => stack.use(filledBuffer(device, buffers[name]!)));
  const kernel = await LiveKernel.create(device, {
    ...rest,
    source: withoutUniforms(text),
    channel,
    memory,
    waveCount,
    buffers: own,
    translate,
  }).catch((error) => {
    throw inAuthorsText(error, text.author, text.edits);
  });
  stack.use(kernel);
  const server = new Server(channel, { waiter: "spin" });
  using _served = serveText(server, { text, options, kernel: NO_HEAP });
  const run = { ...rest, ...roundsMax !== undefined && { roundsMax } };
  const report = await kernel.runAsync(server, run);
  const contents = text.buffers.map(({ name }, at) =>
    [name, contentOf(own[at]!, buffers[name]!)] as const
  );
  return { ...report, buffers: Object.fromEntries(contents) as B };
}

const NO_HEAP = {
  get heap(): never {
    throw new TypeError(`Cannot ${RUN} as ${REFUSED.heapBytes}`);
  },
};

/** All buffers of a live kernel are storage buffers: `uniform` says less, and has as many letters. */
function withoutUniforms({ kernel }: RunText): string {
  const text = new WgslText(kernel);
  const uniforms = text.declarations.variables.filter(({ space }) => space === "uniform");
  return text.edited(uniforms.map((variable) => {
    const { index } = text.tokens[keywordAt(text.tokens, variable) + 2]!;
    return { index, end: index + "uniform".length, text: "storage" };
  }));
}

function bytesOf(value: LiveBuffers[string]): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
}

function filledBuffer(device: LiveDevice, value: LiveBuffers[string]): LiveBuffer {
  const buffer = device.createBuffer(value.byteLength, "host");
  new Uint8Array(buffer.words!).set(bytesOf(value));
  return buffer;
}

/** What a buffer contains, in a new array of the same type. */
function contentOf(buffer: LiveBuffer, value: LiveBuffers[string]): LiveBuffers[string] {
  const bytes = new Uint8Array(new Uint8Array(buffer.words!)).buffer;
  if (value instanceof ArrayBuffer) return bytes;
  const of = value.constructor as new (bytes: ArrayBuffer) => ArrayBufferView<ArrayBuffer>;
  return new of(bytes);
}
