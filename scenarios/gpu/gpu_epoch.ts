import { Channel, type Packet, Server } from "../../core/mod.ts";
import { Kernel, requestGpuDevice } from "../../core/gpu/mod.ts";
import { oneAxisAtATime, type Point } from "../axis.ts";
import incrementText from "./kernels/increment.wgsl" with { type: "text" };
import noteText from "./kernels/increment_and_note.wgsl" with { type: "text" };
import { prepareRawSubmit } from "./raw_submit.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  /** Waves of one lane, each of which calls once an epoch. */
  waveCount: [1, 16, 64, 256, 1024, 4096],
  /** Calls of each wave in an epoch: one synchronous, the others asynchronous. */
  callsPerWave: [1, 4],
  readback: ["eager", "awaited"],
} as const;

type EpochPoint = Point<typeof axes>;

const INCREMENT = 40_000;
const NOTE = 40_001;
/** Report, mailbox, header and packet of a port of one lane. */
const REPORT_BYTES = 128;
const PORT_BYTES = 4 + 16 + 64;

function bytesOf({ waveCount, callsPerWave }: EpochPoint): number {
  return REPORT_BYTES + waveCount * callsPerWave * PORT_BYTES;
}

/** One small dispatch from which the same bytes come back: no epoch can be faster. */
const rawReadback: Control<typeof axes> = {
  name: "raw_readback",
  setup: (point) => prepareRawSubmit({ outBytes: bytesOf(point), readback: point.readback }),
};

/** As many invocations, bytes and atomics without a protocol; the bytes travel both ways. */
const rawTraffic: Control<typeof axes> = {
  name: "raw_traffic",
  setup: (point) =>
    prepareRawSubmit({
      outBytes: bytesOf(point),
      inBytes: point.waveCount * point.callsPerWave * (4 + 64),
      invocationCount: point.waveCount * point.callsPerWave,
      body: `
        if atomicOr(&locks[id], 1u) == 0u { atomicStore(&locks[id], 0u); }
        for (var word = 0u; word < 20u; word++) { words[id * 20u + word] = id; }`,
      readback: point.readback,
    }),
};

/** The smallest epoch, from which the sweep moves one axis at a time. */
const ONE_CALL = { waveCount: 1, callsPerWave: 1, readback: "eager" } as const;

/** One epoch in which every wave calls: submit, copy out, serve, copy in. */
export const gpuEpoch: Scenario<typeof axes> = {
  name: "gpu_epoch",
  question: "What does an epoch cost as more waves call the host in it?",
  axes,
  floor: rawReadback,
  references: [rawTraffic],
  needsAdapter: true,
  *points() {
    yield* oneAxisAtATime(axes, ONE_CALL);
    yield { waveCount: 4096, callsPerWave: 1, readback: "awaited" };
  },
  callsPerTurn: ({ waveCount, callsPerWave }) => waveCount * callsPerWave,
  targets: [
    {
      text: "one epoch with one call, in raw readbacks of the same bytes",
      where: ONE_CALL,
      figure: { kind: "timesFloor" },
      bound: "at most",
      limit: 1.5,
    },
    {
      text: "an epoch of 4096 waves that call, in raw readbacks of the same bytes",
      where: { ...ONE_CALL, waveCount: 4096 },
      figure: { kind: "timesFloor" },
      bound: "at most",
      limit: 3,
    },
    {
      text: "eager readback, times faster than awaited",
      where: ONE_CALL,
      figure: { kind: "timesFasterThanPoint", point: { readback: "awaited" } },
      bound: "at least",
      limit: 50,
    },
  ],
  setup: prepareEpochs,
};

async function prepareEpochs(point: EpochPoint): Promise<Trial> {
  const { waveCount, callsPerWave, readback } = point;
  const gpu = await requestGpuDevice();
  const channel = Channel.create({ portCount: waveCount * callsPerWave, laneCount: 1 });
  const source = `${callsPerWave === 1 ? incrementText : noteText}
    const CASTS_PER_EPOCH = ${callsPerWave - 1}u;
    const INCREMENT = ${INCREMENT}u;
    const NOTE = ${NOTE}u;`;
  const shape = { channel, waveCount, source, streamBytes: 0, searchAttempts: 16_384 };
  const kernel = await Kernel.create(gpu, { ...shape, readback });
  const calls = new CallCount();
  const server = new Server(channel, { portWaiter: kernel.portWaiter });
  server.operate(INCREMENT, calls.increment);
  server.operate(NOTE, calls.note);
  const check = (epochCount: number) => calls.check(epochCount * waveCount * callsPerWave);
  return {
    adapter: gpu.adapterName,
    run: readback === "eager"
      ? (epochCount) => {
        kernel.advance(server, epochCount);
        check(epochCount);
      }
      : async (epochCount) => {
        await kernel.advanceAsync(server, epochCount);
        check(epochCount);
      },
    async [Symbol.asyncDispose]() {
      await kernel.advanceAsync(server, 1);
      kernel.destroy();
    },
  };
}

/** Serves, and counts what it serves. */
class CallCount {
  #count = 0;
  readonly increment = (packet: Packet): void => {
    this.#count++;
    packet.setUint32(0, 0, packet.getUint32(0, 0) + 1);
  };
  readonly note = (): void => {
    this.#count++;
  };

  /** @throws {Error} when other than `expected` calls came since the last time */
  check(expected: number): void {
    const count = this.#count;
    this.#count = 0;
    if (count === expected) return;
    throw new Error(`Cannot trust the epochs as ${count} calls came in them, of ${expected}`);
  }
}
