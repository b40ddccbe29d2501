import { Channel, Client, type Packet } from "../../core/mod.ts";
import { GpuServer, requestGpuDevice } from "../../core/gpu/mod.ts";
import { oneAxisAtATime, type Point } from "../axis.ts";
import operationText from "./kernels/multiply.wgsl" with { type: "text" };
import { prepareRawSubmit } from "./raw_submit.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  /** Calls that are pending when the dispatch begins. */
  batchCount: [1, 16, 64, 256, 1024, 4096],
  laneCount: [1, 32],
} as const;

type BatchPoint = Point<typeof axes>;

const MULTIPLY = 40_000;
const FACTOR = 3;

const rawRound: Control<typeof axes> = {
  name: "raw_round",
  setup({ batchCount, laneCount }) {
    const bytes = batchCount * laneCount * 64;
    return prepareRawSubmit({
      outBytes: bytes,
      inBytes: bytes,
      invocationCount: batchCount * laneCount,
      body: `words[id * 16u] *= ${FACTOR}u;`,
    });
  },
};

/** The host calls, a dispatch operates on all pending ports, the host takes the results. */
export const gpuServer: Scenario<typeof axes> = {
  name: "gpu_server",
  question: "What does a batch cost when the GPU serves calls of the host?",
  axes,
  floor: rawRound,
  needsAdapter: true,
  points: () => oneAxisAtATime(axes, { batchCount: 256, laneCount: 1 }),
  callsPerTurn: ({ batchCount }) => batchCount,
  setup: prepareBatches,
};

async function prepareBatches({ batchCount, laneCount }: BatchPoint): Promise<Trial> {
  const gpu = await requestGpuDevice();
  const channel = Channel.create({ portCount: batchCount, laneCount });
  const server = await GpuServer.create(gpu, { channel, source: operationText });
  const caller = new BatchCaller(new Client(channel), batchCount);
  return {
    adapter: gpu.adapterName,
    run: async (turnCount) => {
      for (let turn = 0; turn < turnCount; turn++) {
        const take = caller.send();
        if (server.readback === "eager") { while (server.runBatch() > 0); }
        else while (await server.runBatchAsync() > 0);
        take();
      }
    },
    async [Symbol.asyncDispose]() {
      caller.send();
      await server.runBatchAsync();
      server.destroy();
      channel.shutDown();
    },
  };
}

/** Opens all ports, sends on each, and later takes the answers. */
class BatchCaller {
  readonly #client: Client;
  readonly #batchCount: number;
  #value = 1;

  constructor(client: Client, batchCount: number) {
    this.#client = client;
    this.#batchCount = batchCount;
  }

  /** @returns what takes the answers once they are there */
  send(): () => void {
    const value = this.#value++ & 0xffff;
    const fill = (packet: Packet) => {
      for (let lane = 0; lane < packet.laneCount; lane++) packet.setUint32(lane, 0, value);
    };
    const sent = Array.from(
      { length: this.#batchCount },
      () => this.#client.open(MULTIPLY).send(fill),
    );
    const check = (packet: Packet) => {
      for (let lane = 0; lane < packet.laneCount; lane++) {
        if (packet.getUint32(lane, 0) !== value * FACTOR) {
          throw new Error("Cannot trust the batch as a lane did not come back multiplied");
        }
      }
    };
    return () => sent.forEach((port) => port.recv(check).close());
  }
}
