/** The grid by a kernel that calls MPI and HDF5: started as `halo_worker.ts` is. */
import { createOwnBuffer, Kernel, requestGpuDevice } from "../../../../gpu/mod.ts";
import { Channel, Server } from "../../../../mod.ts";
import { ApiServer } from "../../../../signature/mod.ts";
import { wgslStubs } from "../../../../signature/wgsl/mod.ts";
import { hdf5Api, mpiApi, serveHdf5, serveMpi } from "../../mod.ts";
import { COLUMNS, ROWS } from "./jacobi.ts";
import program from "./halo.wgsl" with { type: "text" };

const TURN = 40_000;

/** Which process this is, for the name of its file: either launcher says so. */
function rankOf(): string {
  return Deno.env.get("PMI_RANK") ?? Deno.env.get("OMPI_COMM_WORLD_RANK") ?? "0";
}

async function main(folder: string): Promise<void> {
  const gpu = await requestGpuDevice();
  // Sendrecv has 14 parameters here: 8 bytes each, and those of the signature's hash.
  const channel = Channel.create({ portCount: 4, laneCount: 1, laneBytes: 128 });
  const addresses = createOwnBuffer(gpu, 16);
  const kernel = await Kernel.create(gpu, {
    channel,
    waveCount: 4,
    source: wgslStubs(mpiApi, hdf5Api) + program,
    heapBytes: 1 << 16,
    buffers: [{ buffer: addresses }],
  });
  const { heap } = kernel;
  const path = new TextEncoder().encode(`${folder}/rows_${rankOf()}.h5\0`);
  const rowsBytes = 4 * (ROWS + 2) * COLUMNS;
  const places = [rowsBytes, rowsBytes, 32, path.length].map((bytes) => {
    const address = heap.malloc(bytes);
    heap.write(address, new Uint8Array(bytes));
    return address;
  });
  heap.write(places[3]!, path);
  gpu.device.queue.writeBuffer(addresses, 0, Uint32Array.from(places));

  const server = new Server(channel);
  const apis = new ApiServer(server, { heap, timeoutSeconds: 20 });
  serveMpi(apis);
  serveHdf5(apis);
  server.operate(TURN, () => {});
  await kernel.runAsync(server);
  kernel.destroy();
  addresses.destroy();
}

await main(Deno.args[0]!);
Deno.exit(); // the adapter's threads would go on
