/**
 * A process of the grid: a worker that calls MPI and HDF5. Started alone or by `mpiexec`, with the folder
 * of its files; each process writes its rows to one.
 */
import { Channel, type ChannelHandle, Client, startServer } from "../../../../mod.ts";
import { connectApi } from "../../../../signature/mod.ts";
import { H5, hdf5Api, hsizes, MPI_PROC_NULL, mpiApi } from "../../mod.ts";
import { askOwnWorker, servesAsWorker } from "../own_worker.ts";
import { COLUMNS, ROWS, startRows, step, STEPS } from "./jacobi.ts";

interface Job {
  readonly handle: ChannelHandle;
  readonly folder: string;
}

function bytesOf(array: Float64Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function work({ handle, folder }: Job): void {
  const client = new Client(Channel.attach(handle));
  const mpi = connectApi(client, mpiApi, { timeoutSeconds: 20 });
  mpi.Init_thread(0);
  const comm = mpi.Comm("MPI_COMM_WORLD");
  const [rank, size] = [mpi.Comm_rank(comm), mpi.Comm_size(comm)];
  const rowCount = ROWS / size;
  const double = mpi.Datatype("MPI_DOUBLE");
  const above = rank === 0 ? MPI_PROC_NULL : rank - 1;
  const below = rank === size - 1 ? MPI_PROC_NULL : rank + 1;

  let [from, to] = [startRows(rank * rowCount, rowCount), startRows(rank * rowCount, rowCount)];
  const row = (index: number) => bytesOf(from.subarray(index * COLUMNS, (index + 1) * COLUMNS));
  const exchange = (sent: number, there: number, taken: number, whence: number) => {
    const send = [row(sent), COLUMNS, double, there, 0] as const;
    mpi.Sendrecv(...send, row(taken), COLUMNS, double, whence, 0, comm, null);
  };
  for (let index = 0; index < STEPS; index++) {
    exchange(1, above, rowCount + 1, below);
    exchange(rowCount, below, 0, above);
    step(from, to);
    [from, to] = [to, from];
  }
  mpi.Finalize();
  write(client, `${folder}/rows_${rank}.h5`, { rank, rows: from.slice(COLUMNS, -COLUMNS) });
}

function write(
  client: Client,
  path: string,
  { rank, rows }: { readonly rank: number; readonly rows: Float64Array<ArrayBuffer> },
): void {
  const h5 = connectApi(client, hdf5Api);
  const file = h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null);
  const int = h5.H5T_NATIVE_INT32();
  const attribute = h5.H5Acreate2(file, "rank", int, h5.H5Screate(H5.H5S_SCALAR), null, null);
  h5.H5Awrite(attribute, int, new Uint8Array(Int32Array.of(rank).buffer));
  h5.H5Aclose(attribute);
  const space = h5.H5Screate_simple(2, hsizes(rows.length / COLUMNS, COLUMNS), null);
  const double = h5.H5T_NATIVE_DOUBLE();
  const dataset = h5.H5Dcreate2(file, "rows", h5.H5T_IEEE_F64LE(), space, null, null, null);
  h5.H5Dwrite(dataset, double, null, null, null, bytesOf(rows));
  h5.H5Dclose(dataset);
  h5.H5Fclose(file);
}

async function main(folder: string): Promise<void> {
  const channel = Channel.create({ portCount: 2, laneCount: 16 });
  const services = ["../../mpi/mpi_service.ts", "../../hdf5/testdata/hdf5_service.ts"]
    .map((path) => new URL(path, import.meta.url));
  await using _server = await startServer(channel, { services });
  await askOwnWorker<Job>(import.meta.url, { handle: channel.handle, folder });
}

if (!servesAsWorker(work)) await main(Deno.args[0]!);
