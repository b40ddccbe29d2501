import { type GpuDevice, Kernel, requestGpuDevice } from "../../core/gpu/mod.ts";
import { withPrintf } from "../../core/gpu/print/mod.ts";
import { Channel, Client, Opcode, type Packet, sendStream, Server } from "../../core/mod.ts";
import {
  type FileHost,
  filesApi,
  type HostFile,
  serveFiles,
  serveHost,
} from "../../core/services/mod.ts";
import { ApiServer, connectApi } from "../../core/signature/mod.ts";
import { allPoints, type Point } from "../axis.ts";
import { prepareServed, type ServerInit, servingWith } from "../calls/increment_server.ts";
import { LiveLab } from "../live/live_lab.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { lineControls } from "./line_controls.ts";
import {
  allLines,
  checkWritten,
  LINE_FORMAT,
  lineCount,
  LineFile,
  type LineShape,
  lineText,
  lineValue,
} from "./lines.ts";

const axes = {
  /**
   * Of a Worker: `printf` and `puts` of the files, or the service that writes to standard output. Of waves by
   * epochs: `fn kernel()` with so many bytes a lane in its packets, or an ordinary shader with its ring; of waves
   * that run meanwhile: the same with so many bytes.
   */
  way: [
    ...["printf", "puts", "write", "kernel_1024", "kernel_256", "kernel_64"] as const,
    ...["shader", "live_1024", "live_256", "live_64"] as const,
  ],
  /** Lines of one call, as each lane prints one; of a wave, or of a workgroup of the shader. */
  laneCount: [1, 8, 64],
} as const;
type LinePoint = Point<typeof axes>;

/** Room for a format and its numbers, so that a Worker's call is one packet. */
const LANE_BYTES = 192;
/** Of a lane of a wave, whatever its packets have room for: 1024 bytes with the length of a stream. */
const STREAM_BYTES = 1016;
/** By epochs, a turn of some tenths of a second; live, of some milliseconds. */
const WAVES = { epochs: 4096, live: 64 };
/** Of a wave: as many in all, whatever the lanes. */
const LINES_PER_WAVE = 32;

/** Who prints by a way. */
function printerOf({ way }: LinePoint): "worker" | "epochs" | "live" {
  if (way.startsWith("live")) return "live";
  return way === "shader" || way.startsWith("kernel") ? "epochs" : "worker";
}

function shapeOf(point: LinePoint): LineShape {
  const { laneCount } = point;
  const printer = printerOf(point);
  if (printer === "worker") return { waveCount: 1, laneCount, linesPerLane: 1 };
  return { waveCount: WAVES[printer], laneCount, linesPerLane: LINES_PER_WAVE / laneCount };
}

function whyNot(point: LinePoint): string | undefined {
  if (printerOf(point) === "worker") {
    return point.laneCount === 8 ? "a Worker prints by one lane or by all" : undefined;
  }
  return point.laneCount === 64 ? "its waves have 1 or 8 lanes" : undefined;
}

const controls = lineControls(shapeOf);

/** Lines from whoever prints to the bytes in a file. */
export const printLine: Scenario<typeof axes> = {
  name: "print_line",
  question: "How long does a line take that a Worker, a kernel or a running wave prints?",
  axes,
  floor: controls.floor,
  get references() {
    return controls.references;
  },
  mainReference: "console_log",
  needsAdapter: true,
  skip: whyNot,
  *points() {
    yield* allPoints(axes).filter((point) => whyNot(point) === undefined);
  },
  callsPerTurn: (point) => lineCount(shapeOf(point)),
  targets: [
    target("fn kernel(), 4096 waves of one lane of 1024 bytes", {
      way: "kernel_1024",
      laneCount: 1,
    }),
    target("fn kernel(), 4096 waves with lanes of 64 bytes", { way: "kernel_64" }),
    target("an ordinary shader, 4096 workgroups", { way: "shader" }),
    target("a live kernel, 64 waves with lanes of 64 bytes", { way: "live_64" }),
  ],
  setup(point, partner) {
    const printer = printerOf(point);
    if (printer === "worker") return prepareWorker(point, partner);
    return printer === "live" ? prepareLive(point) : prepareEpochs(point);
  },
};

function target(who: string, where: Partial<LinePoint>) {
  return {
    text: `lines a second of ${who}`,
    where,
    figure: { kind: "callsPerSecond" },
    bound: "at least",
    limit: 1_000_000,
  } as const;
}

async function prepareWorker(point: LinePoint, partner: Partner): Promise<Trial> {
  const file = LineFile.create();
  const shape = { portCount: 1, laneCount: point.laneCount, laneBytes: LANE_BYTES };
  const trial = await prepareServed(shape, partner, {
    moduleUrl: import.meta.url,
    init: { path: file.path },
    callerOf(channel) {
      const print = callsOf(new Client(channel, { waiter: "spin" }), point);
      return {
        call(callCount) {
          for (let call = 0; call < callCount; call++) print();
        },
      };
    },
  });
  return {
    ...trial,
    async [Symbol.asyncDispose]() {
      await trial[Symbol.asyncDispose]();
      file[Symbol.dispose]();
    },
  };
}

/** Prints a line by each lane; throws when other bytes were written. */
function callsOf(client: Client, { way, laneCount }: LinePoint): () => void {
  const places = Array.from({ length: laneCount }, (_, lane) => ({ wave: 0, lane, line: 0 }));
  const texts = places.map(lineText);
  const check = (written: readonly (number | undefined)[]) =>
    written.forEach((bytes, lane) => checkWritten(bytes!, texts[lane]!.length));
  if (way === "write") return writerOf(client, texts, check);
  const { printf, puts } = connectApi(client, filesApi);
  if (way === "puts") {
    const calls = texts.map((text) => [text.slice(0, -1)] as const);
    return laneCount === 1
      ? () => check([puts(...calls[0]!)])
      : () => check(puts.lanes(calls.map(([text]) => [text])));
  }
  const calls = places.map((place): Parameters<typeof printf> => [
    LINE_FORMAT,
    place.wave,
    place.lane,
    place.line,
    lineValue(place),
  ]);
  return laneCount === 1 ? () => check([printf(...calls[0]!)]) : () => check(printf.lanes(calls));
}

function writerOf(
  client: Client,
  texts: readonly string[],
  check: (written: readonly number[]) => void,
): () => void {
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  const written: number[] = texts.map(() => 0);
  const take = (packet: Packet) =>
    packet.forEachLane((lane) => written[lane] = packet.getUint32(lane, 0));
  return () => {
    using port = client.open(Opcode.writeStdout);
    sendStream(port, bytes);
    port.recv(take);
    check(written);
  };
}

/** Runs in the partner's isolate. */
export function prepareWork({ path, ...init }: ServerInit & { readonly path: string }): Work {
  const file = LineFile.open(path);
  return servingWith(init, (server) => {
    serveFiles(new ApiServer(server), { host: hostOf(file) });
    serveHost(server, { writeStdout: (bytes) => file.write(bytes) });
  });
}

/** A host whose standard output is a file. */
function hostOf(file: LineFile): FileHost {
  const refuse = () => {
    throw new TypeError("Cannot do that as there is standard output only");
  };
  const output: HostFile = {
    read: refuse,
    write: (bytes) => file.write(bytes),
    seek: refuse,
    close: () => {},
  };
  return { standard: [output, output, output], open: refuse, remove: refuse, rename: refuse };
}

/** Prints all lines once, in one form. */
interface Printer {
  once(): Promise<void>;
  destroy(): Promise<void> | void;
}

async function prepareEpochs(point: LinePoint): Promise<Trial> {
  const gpu = await requestGpuDevice();
  const file = LineFile.create();
  const print = point.way === "shader"
    ? await shaderPrinter(gpu, file, point)
    : await kernelPrinter(gpu, file, point);
  return printing(point, { adapter: gpu.adapterName, file, print });
}

async function prepareLive(point: LinePoint): Promise<Trial> {
  await using stack = new AsyncDisposableStack();
  const lab = stack.use(await LiveLab.open());
  const file = LineFile.create();
  const { channel, options } = kernelOf(point);
  const kernel = await lab.kernel(channel, options);
  const server = new Server(channel, { waiter: "spin" });
  serveHost(server, { writeStdout: (bytes) => file.write(bytes) });
  const kept = stack.move();
  const print = {
    once: async () => void await kernel.runAsync(server),
    destroy: () => kept.disposeAsync(),
  };
  return printing(point, { adapter: lab.adapter, file, print });
}

/** All lines, once a call. */
function printing(
  point: LinePoint,
  { adapter, file, print }: {
    readonly adapter: string;
    readonly file: LineFile;
    readonly print: Printer;
  },
): Trial {
  const wantedBytes = allLines(shapeOf(point)).length;
  return {
    adapter,
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
  };
}

/** The lines of a lane, in WGSL: the same text in both forms. */
function printLoop({ linesPerLane }: LineShape): string {
  return `for (var line = 0u; line < ${linesPerLane}u; line++) {
    printf("wave %u lane %u: line %u, %f\\n", wave_index, lane_index, line, f32(line) * 0.25);
  }`;
}

/** What a kernel is made of, by epochs and live. */
function kernelOf(point: LinePoint) {
  const { waveCount, laneCount } = shapeOf(point);
  const laneBytes = Number(point.way.split("_")[1]);
  const source = `fn kernel() { ${printLoop(shapeOf(point))} }`;
  return {
    channel: Channel.create({ portCount: waveCount, laneCount, laneBytes }),
    options: { source, waveCount, streamBytes: STREAM_BYTES },
  };
}

async function kernelPrinter(
  gpu: GpuDevice,
  file: LineFile,
  point: LinePoint,
): Promise<Printer> {
  const { channel, options } = kernelOf(point);
  const kernel = await Kernel.create(gpu, { channel, ...options });
  const server = new Server(channel);
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
  point: LinePoint,
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
      pass.dispatchWorkgroups(WAVES.epochs);
      pass.end();
      device.queue.submit([encoder.finish()]);
      const { bytes } = await ring.printedBytes();
      for (let at = 0; at < bytes.length;) at += file.write(bytes.subarray(at));
    },
    destroy: () => ring.destroy(),
  };
}
