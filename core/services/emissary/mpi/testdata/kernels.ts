/** Kernels whose waves call MPI: started by `mpiexec`; each process prints the doubles in its heap. */
import { createOwnBuffer, Kernel, requestGpuDevice } from "../../../../gpu/mod.ts";
import { Channel, Server } from "../../../../mod.ts";
import { ApiServer } from "../../../../signature/mod.ts";
import { wgslStubs } from "../../../../signature/wgsl/mod.ts";
import { mpiApi } from "../mpi_api.ts";
import { serveMpi } from "../serve_mpi.ts";
import pi from "./pi.wgsl" with { type: "text" };
import ring from "./ring.wgsl" with { type: "text" };
import waves from "./waves.wgsl" with { type: "text" };

const WAVE_COUNT = 4;
const OWN_BYTE = 16;
const OWN_BYTES = 16 * WAVE_COUNT;
const TURN = 40_000;
const PROGRAMS: Record<string, string> = { pi, ring };

async function main(name: string): Promise<number[]> {
  const gpu = await requestGpuDevice();
  // Reduce has 8 slots of 8 bytes here: 7 arguments, and the hash of its signature.
  const channel = Channel.create({ portCount: WAVE_COUNT, laneCount: 1, laneBytes: 128 });
  const addresses = createOwnBuffer(gpu, 4);
  const kernel = await Kernel.create(gpu, {
    channel,
    waveCount: WAVE_COUNT,
    source: `const WAVE_COUNT = ${WAVE_COUNT}u;\n${wgslStubs(mpiApi)}${waves}${PROGRAMS[name]}`,
    heapBytes: 1 << 16,
    buffers: [{ buffer: addresses }],
  });
  const { heap } = kernel;
  const address = heap.malloc(OWN_BYTE + OWN_BYTES);
  heap.write(address, new Uint8Array(OWN_BYTE + OWN_BYTES));
  gpu.device.queue.writeBuffer(addresses, 0, Uint32Array.of(address));

  const server = new Server(channel);
  serveMpi(new ApiServer(server, { heap, timeoutSeconds: 20 }));
  server.operate(TURN, () => {});
  await kernel.runAsync(server);
  const left = heap.read(address + OWN_BYTE, OWN_BYTES).slice();
  kernel.destroy();
  addresses.destroy();
  return [...new Float64Array(left.buffer)];
}

Deno.stdout.writeSync(new TextEncoder().encode(`${await main(Deno.args[0]!)}\n`));
Deno.exit(); // the adapter's threads would go on
