import { Channel, Server } from "../../core/mod.ts";
import { Kernel, requestGpuDevice } from "../../core/gpu/mod.ts";
import { oneAxisAtATime, type Point } from "../axis.ts";
import { addServices, INCREMENT_OPCODE } from "../calls/increment.ts";
import { assignIncrementServer } from "../calls/increment_server.ts";
import { Partner, type PreparedWork } from "../partner/partner.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";
import { LiveLab } from "./live_lab.ts";
import { prepareLivePingPong } from "./live_ping_pong.ts";

const axes = {
  portCount: [1, 64],
  laneCount: [1, 4, 32, 64],
  waveCount: [1, 2, 64],
  /** Who serves: this thread, or so many Workers, all of which spin. */
  servers: ["here", "1_worker", "2_workers"],
  /** What a wave is; a subgroup has so many lanes as the device's subgroups at most. */
  wave: ["workgroup", "subgroup"],
} as const;
type LiveCallPoint = Point<typeof axes>;

/** The simplest call, from which the sweep moves one axis at a time. */
const ONE_CALL = {
  portCount: 1,
  laneCount: 1,
  waveCount: 1,
  servers: "here",
  wave: "workgroup",
} as const;

/** Software adapters have subgroups of four lanes or more. */
const FOUR_LANES = { ...ONE_CALL, laneCount: 4, wave: "subgroup" } as const;

/**
 * A sample is one dispatch. That takes some tenths of a millisecond to begin, and where nobody serves in
 * this thread, its end is seen up to 2 ms late: samples are long against both.
 */
const DISPATCH_SAMPLE_SECONDS = 0.03;

/** Each lane calls as often as the first word of the buffer says, and notes what came back wrong. */
const INCREMENTS = `
  @group(1) @binding(0) var<storage, read_write> counts: array<u32>;
  @service(${INCREMENT_OPCODE}) fn increment(x: u32) -> u32;
  fn kernel() {
    let turns = counts[0];
    var wrong = 0u;
    for (var turn = 0u; turn < turns; turn++) { wrong |= increment(turn) ^ (turn + 1u); }
    if wrong != 0u { counts[1] = 1u; }
  }`;

/** As many round trips of bare words as the waves make calls. */
const pingPongs: Control<typeof axes> = {
  name: "live_ping_pong",
  sampleSecondsMin: DISPATCH_SAMPLE_SECONDS,
  setup: ({ waveCount }) => prepareLivePingPong({ turnsPerCall: waveCount }),
};

/** The same kernel where memory is not shared: its waves are put away until the host has served them. */
const epochs: Control<typeof axes> = {
  name: "epochs",
  sampleSecondsMin: DISPATCH_SAMPLE_SECONDS,
  setup: prepareEpochs,
};

/** One call of each wave, while the kernel runs. */
export const liveCall: Scenario<typeof axes> = {
  name: "live_call",
  question: "What does a call of a wave cost that the host serves while the kernel runs?",
  axes,
  floor: pingPongs,
  references: [epochs],
  mainReference: "epochs",
  needsAdapter: true,
  countsCpuTime: true,
  sampleSecondsMin: DISPATCH_SAMPLE_SECONDS,
  *points() {
    yield* oneAxisAtATime(axes, ONE_CALL);
    yield FOUR_LANES;
    yield { ...ONE_CALL, portCount: 64, waveCount: 64 };
    yield { ...ONE_CALL, portCount: 64, waveCount: 64, servers: "1_worker" };
  },
  callsPerTurn: ({ waveCount }) => waveCount,
  skip: ({ laneCount, wave }) =>
    wave === "subgroup" && laneCount === 1 ? "a wave of one lane agrees with nobody" : undefined,
  targets: [{
    text: "a live call of one lane, in bare ping-pongs of a wave and a thread",
    where: ONE_CALL,
    figure: { kind: "timesFloor" },
    bound: "at most",
    limit: 2.5,
  }, {
    text: "a live call of a subgroup of four lanes, in bare ping-pongs of a wave and a thread",
    where: FOUR_LANES,
    figure: { kind: "timesFloor" },
    bound: "at most",
    limit: 3,
  }, {
    text: "a live call of one wave, times faster than the same by epochs",
    where: ONE_CALL,
    figure: { kind: "timesFasterThan", reference: "epochs" },
    bound: "at least",
    limit: 100,
  }],
  setup: prepareLiveCalls,
};

async function prepareLiveCalls(point: LiveCallPoint, partner: Partner): Promise<Trial> {
  const { portCount, laneCount, waveCount, servers, wave } = point;
  await using stack = new AsyncDisposableStack();
  const lab = stack.use(await LiveLab.open());
  const channel = Channel.create({ portCount, laneCount });
  const buffer = lab.createBuffer(2);
  const counts = new Uint32Array(buffer.words!);
  const buffers = [buffer];
  const kernel = await lab.kernel(channel, { source: INCREMENTS, waveCount, wave, buffers });
  const workers = await assignServers(channel, { servers, partner, stack });
  const server = workers.length > 0 ? undefined : incrementServer(channel);
  const kept = stack.move();
  return {
    adapter: lab.adapter,
    wake: () => workers.forEach((worker) => worker.wake()),
    rest: () => workers.forEach((worker) => worker.rest()),
    async run(turnCount) {
      counts[0] = turnCount;
      const { packetCount } = await kernel.runAsync(server);
      checkCalls({ packetCount, turnCount, waveCount });
      if (counts[1] === 0) return;
      throw new Error("Cannot trust the calls as a lane did not come back one larger");
    },
    async [Symbol.asyncDispose]() {
      await kept[Symbol.asyncDispose]();
      channel.shutDown();
    },
  };
}

function incrementServer(channel: Channel): Server {
  const server = new Server(channel, { waiter: "spin" });
  addServices(server);
  return server;
}

/** Workers that serve from `wake()` to `rest()`; the first is the partner. None for `here`. */
async function assignServers(
  channel: Channel,
  { servers, partner, stack }: {
    readonly servers: LiveCallPoint["servers"];
    readonly partner: Partner;
    readonly stack: AsyncDisposableStack;
  },
): Promise<readonly PreparedWork[]> {
  if (servers === "here") return [];
  const others = servers === "2_workers" ? [stack.use(new Partner())] : [];
  return await Promise.all(
    [partner, ...others].map((one) => assignIncrementServer(one, { channel, waiter: "spin" })),
  );
}

async function prepareEpochs({ portCount, laneCount, waveCount }: LiveCallPoint): Promise<Trial> {
  const gpu = await requestGpuDevice();
  const channel = Channel.create({ portCount, laneCount });
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  const counts = gpu.device.createBuffer({ size: 8, usage });
  const shape = { channel, waveCount, source: INCREMENTS, buffers: [{ buffer: counts }] };
  const kernel = await Kernel.create(gpu, shape);
  const server = new Server(channel);
  addServices(server);
  return {
    adapter: gpu.adapterName,
    async run(turnCount) {
      gpu.device.queue.writeBuffer(counts, 0, Uint32Array.of(turnCount, 0));
      const { packetCount } = kernel.readback === "eager"
        ? kernel.run(server)
        : await kernel.runAsync(server);
      checkCalls({ packetCount, turnCount, waveCount });
    },
    async [Symbol.asyncDispose]() {
      await kernel.runAsync(server).catch(() => {});
      kernel.destroy();
      counts.destroy();
    },
  };
}

function checkCalls(
  { packetCount, turnCount, waveCount }: {
    readonly packetCount: number;
    readonly turnCount: number;
    readonly waveCount: number;
  },
): void {
  if (packetCount === turnCount * waveCount) return;
  throw new Error(
    `Cannot trust the run as ${waveCount} waves called ${packetCount} times, of ${turnCount} each`,
  );
}
