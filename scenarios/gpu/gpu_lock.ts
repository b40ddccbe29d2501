import { Channel, type Packet, Server } from "../../core/mod.ts";
import { Kernel, requestGpuDevice } from "../../core/gpu/mod.ts";
import { LOCK_NAMES } from "../../core/gpu/internal.ts";
import type { Point } from "../axis.ts";
import kernelText from "./kernels/once.wgsl" with { type: "text" };
import { prepareRawSubmit } from "./raw_submit.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  lock: LOCK_NAMES,
  /** Ports, of which 256 waves of one lane want one each. */
  portCount: [16, 64, 256],
} as const;

type LockPoint = Point<typeof axes>;

const WAVE_COUNT = 256;
const INCREMENT = 40_000;

/** WGSL that takes one lock and drops it again, by the same atomics as the protocol's. */
const LOCK_AND_UNLOCK: Record<LockPoint["lock"], string> = {
  "fetch-or": "if atomicOr(&locks[at], 1u) == 0u { atomicStore(&locks[at], 0u); }",
  cas:
    "if atomicCompareExchangeWeak(&locks[at], 0u, 1u).exchanged { atomicStore(&locks[at], 0u); }",
  "fetch-add": "atomicAdd(&locks[at], 1u); atomicSub(&locks[at], 1u);",
};

/** As many waves take a lock each and drop it again, in one dispatch. */
const rawAtomics: Control<typeof axes> = {
  name: "raw_atomics",
  setup: ({ lock, portCount }) =>
    prepareRawSubmit({
      outBytes: 128 + portCount * (4 + 16 + 64),
      invocationCount: WAVE_COUNT,
      body: `let at = id % ${portCount}u; ${LOCK_AND_UNLOCK[lock]}`,
    }),
};

/** 256 waves call once each; with fewer ports the others wait for later epochs. */
export const gpuLock: Scenario<typeof axes> = {
  name: "gpu_lock",
  question: "What does the lock cost when 256 waves of a kernel want a port?",
  axes,
  compares: "lock",
  floor: rawAtomics,
  needsAdapter: true,
  callsPerTurn: () => WAVE_COUNT,
  setup: prepareContention,
};

async function prepareContention({ lock, portCount }: LockPoint): Promise<Trial> {
  const gpu = await requestGpuDevice();
  const channel = Channel.create({ portCount, laneCount: 1 });
  const source = `${kernelText}\nconst INCREMENT = ${INCREMENT}u;`;
  const shape = { channel, waveCount: WAVE_COUNT, source, lock };
  const kernel = await Kernel.create(gpu, { ...shape, streamBytes: 0, searchAttempts: 256 });
  const server = new Server(channel);
  server.operate(INCREMENT, (packet: Packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  return {
    adapter: gpu.adapterName,
    run: async (runCount) => {
      for (let run = 0; run < runCount; run++) {
        const { packetCount } = kernel.readback === "eager"
          ? kernel.run(server)
          : await kernel.runAsync(server);
        if (packetCount === WAVE_COUNT) continue;
        throw new Error(`Cannot trust the run as ${packetCount} of ${WAVE_COUNT} waves called`);
      }
    },
    async [Symbol.asyncDispose]() {
      await kernel.runAsync(server);
      kernel.destroy();
    },
  };
}
