import { type GpuDevice, Kernel, requestGpuDevice } from "../../core/gpu/mod.ts";
import { withPrintf } from "../../core/gpu/printf/mod.ts";
import { Channel, Server } from "../../core/mod.ts";
import { serveHost } from "../../core/services/mod.ts";
import type { Point } from "../axis.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { lineControls } from "./line_controls.ts";
import { allLines, checkWritten, lineCount, LineFile, type LineShape } from "./lines.ts";

const axes = {
  /** `fn kernel()` with so many bytes a lane in its packets, or an ordinary shader with its ring. */
  form: ["kernel_1024", "kernel_256", "kernel_64", "shader"],
  /** Of a wave, or of a workgroup of the shader. */
  laneCount: [1, 8],
} as const;
type PrintfPoint = Point<typeof axes>;

const WAVE_COUNT = 4096;
/** Of a lane, whatever its packets have room for: 1024 bytes with the length of a stream. */
const STREAM_BYTES = 1016;
/** Lines of each lane: as many in all, whatever the lanes, and a turn of some tenths of a second. */
const LINES_PER_LANE = { 1: 32, 8: 4 } as const;

function shapeOf({ laneCount }: PrintfPoint): LineShape {
  return { waveCount: WAVE_COUNT, laneCount, linesPerLane: LINES_PER_LANE[laneCount] };
}

const controls = lineControls(shapeOf);

/** Lines that 4096 waves print, from the dispatch to the bytes in a file. */
export const kernelPrintf: Scenario<typeof axes> = {
  name: "kernel_printf",
  question: "How long does a line take that a kernel prints, of thousands of waves?",
  axes,
  floor: controls.floor,
  get references() {
    return controls.references;
  },
  mainReference: "in_c",
  needsAdapter: true,
  callsPerTurn: (point) => lineCount(shapeOf(point)),
  targets: [{
    text: "lines a second of fn kernel(), 4096 waves of one lane of 1024 bytes",
    where: { form: "kernel_1024", laneCount: 1 },
    figure: { kind: "callsPerSecond" },
    bound: "at least",
    limit: 1_000_000,
  }, {
    text: "lines a second of fn kernel(), 4096 waves with lanes of 64 bytes",
    where: { form: "kernel_64" },
    figure: { kind: "callsPerSecond" },
    bound: "at least",
    limit: 1_000_000,
  }, {
    text: "lines a second of an ordinary shader, 4096 workgroups",
    where: { form: "shader" },
    figure: { kind: "callsPerSecond" },
    bound: "at least",
    limit: 1_000_000,
  }],
  async setup(point) {
    const gpu = await requestGpuDevice();
    const file = LineFile.create();
    const print = point.form === "shader"
      ? await shaderPrinter(gpu, file, point)
      : await kernelPrinter(gpu, file, point);
    const wantedBytes = allLines(shapeOf(point)).length;
    return {
      adapter: gpu.adapterName,
      async run(callCount) {
        for (let call = 0; call < callCount; call++) {
          const before = file.writtenBytes;
          await print.once();
          checkWritten(file.writtenBytes - before, wantedBytes);
        }
      },
      async [Symbol.asyncDispose]() {
        await print.destroy();
        file[Symbol.dispose]();
      },
    } satisfies Trial;
  },
};

/** Prints all lines once, in one form. */
interface Printer {
  once(): Promise<void>;
  destroy(): Promise<void> | void;
}

/** The lines of a lane, in WGSL: the same text in both forms. */
function printLoop({ linesPerLane }: LineShape): string {
  return `for (var line = 0u; line < ${linesPerLane}u; line++) {
    printf("wave %u lane %u: line %u, %f\\n", wave_index, lane_index, line, f32(line) * 0.25);
  }`;
}

async function kernelPrinter(
  gpu: GpuDevice,
  file: LineFile,
  point: PrintfPoint,
): Promise<Printer> {
  const laneBytes = Number(point.form.split("_")[1]);
  const { laneCount } = point;
  const channel = Channel.create({ portCount: WAVE_COUNT, laneCount, laneBytes });
  const kernel = await Kernel.create(gpu, {
    channel,
    waveCount: WAVE_COUNT,
    source: `fn kernel() { ${printLoop(shapeOf(point))} }`,
    streamBytes: STREAM_BYTES,
  });
  const server = new Server(channel, { portWaiter: kernel.portWaiter });
  serveHost(server, { writeStdout: (bytes) => file.write(bytes) });
  return {
    once: async () => void await kernel.runAsync(server),
    destroy: () => kernel.destroy(),
  };
}

/** Of a record: two words that say who printed, and the numbers. */
const RECORD_BYTES = 24;
const RING_HEAD_BYTES = 8;

async function shaderPrinter(
  { device }: GpuDevice,
  file: LineFile,
  point: PrintfPoint,
): Promise<Printer> {
  const shape = shapeOf(point);
  const shader = withPrintf(`
    @compute @workgroup_size(${point.laneCount})
    fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane_index: u32) {
      let wave_index = group.x;
      ${printLoop(shape)}
    }`);
  const module = await shader.compile(device);
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const ring = shader.attach(device, { bytes: RING_HEAD_BYTES + lineCount(shape) * RECORD_BYTES });
  return {
    async once() {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      ring.bind(pass, pipeline);
      pass.dispatchWorkgroups(WAVE_COUNT);
      pass.end();
      device.queue.submit([encoder.finish()]);
      const { bytes } = await ring.printedBytes();
      for (let at = 0; at < bytes.length;) at += file.write(bytes.subarray(at));
    },
    destroy: () => ring.destroy(),
  };
}
