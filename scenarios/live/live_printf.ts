import { Channel, Server } from "../../core/mod.ts";
import { serveHost } from "../../core/services/mod.ts";
import type { Point } from "../axis.ts";
import { lineControls } from "../host/line_controls.ts";
import { allLines, checkWritten, lineCount, LineFile, type LineShape } from "../host/lines.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { LiveLab } from "./live_lab.ts";

const axes = {
  /** Bytes of a lane's packet; lines that are longer go as streams. */
  laneBytes: [64, 256, 1024],
  laneCount: [1, 2, 8],
} as const;
type PrintfPoint = Point<typeof axes>;

const WAVE_COUNT = 64;
const PORT_COUNT = 64;
/** Of a lane, whatever its packets have room for: 1024 bytes with the length of a stream. */
const STREAM_BYTES = 1016;
/** As many lines in all, whatever the lanes; a turn of some milliseconds. */
const LINES_PER_WAVE = 32;

function shapeOf({ laneCount }: PrintfPoint): LineShape {
  return { waveCount: WAVE_COUNT, laneCount, linesPerLane: LINES_PER_WAVE / laneCount };
}

const controls = lineControls(shapeOf);

/** Lines that 64 waves print while they run, from the dispatch to the bytes in a file. */
export const livePrintf: Scenario<typeof axes> = {
  name: "live_printf",
  question: "How long does a line take that a running wave prints?",
  axes,
  floor: controls.floor,
  get references() {
    return controls.references;
  },
  mainReference: "in_c",
  needsAdapter: true,
  callsPerTurn: (point) => lineCount(shapeOf(point)),
  targets: [{
    text: "lines a second of a live kernel, 64 waves with lanes of 64 bytes",
    where: { laneBytes: 64 },
    figure: { kind: "callsPerSecond" },
    bound: "at least",
    limit: 1_000_000,
  }],
  setup: prepareLines,
};

async function prepareLines(point: PrintfPoint): Promise<Trial> {
  const { laneBytes, laneCount } = point;
  const shape = shapeOf(point);
  await using stack = new AsyncDisposableStack();
  const lab = stack.use(await LiveLab.open());
  const file = stack.use(LineFile.create());
  const channel = Channel.create({ portCount: PORT_COUNT, laneCount, laneBytes });
  const kernel = await lab.kernel(channel, {
    source: `fn kernel() {
      for (var line = 0u; line < ${shape.linesPerLane}u; line++) {
        printf("wave %u lane %u: line %u, %f\\n", wave_index, lane_index, line, f32(line) * 0.25);
      }
    }`,
    waveCount: WAVE_COUNT,
    streamBytes: STREAM_BYTES,
  });
  const server = new Server(channel, { waiter: "spin" });
  serveHost(server, { writeStdout: (bytes) => file.write(bytes) });
  const wantedBytes = allLines(shape).length;
  const kept = stack.move();
  return {
    adapter: lab.adapter,
    async run(callCount) {
      for (let call = 0; call < callCount; call++) {
        const before = file.writtenBytes;
        await kernel.runAsync(server);
        checkWritten(file.writtenBytes - before, wantedBytes);
      }
    },
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}
