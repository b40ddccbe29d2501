/** A worker that calls MPI: started by `mpiexec`; each process prints what came round, and its pi. */
import { Channel, type ChannelHandle, Client, startServer } from "../../../../mod.ts";
import { connectApi, type HostStubs } from "../../../../signature/mod.ts";
import { askOwnWorker, servesAsWorker } from "../../testdata/own_worker.ts";
import { mpiApi, type MpiSignatures } from "../mpi_api.ts";

type Mpi = HostStubs<MpiSignatures>;
type Comm = ReturnType<Mpi["Comm"]>;

const STEPS = 4096;
/** The exit code of processes that abort. */
const ABORT_CODE = 3;

interface Job {
  readonly handle: ChannelHandle;
  /** Whether MPI is to end both processes before anything else. */
  readonly isAborted: boolean;
}

/** A number goes round all processes, and each adds to it. */
function ring(mpi: Mpi, comm: Comm): number {
  const [rank, size] = [mpi.Comm_rank(comm), mpi.Comm_size(comm)];
  const double = mpi.Datatype("MPI_DOUBLE");
  const token = new Float64Array(1);
  const bytes = new Uint8Array(token.buffer);
  const before = (rank + size - 1) % size;
  if (rank > 0) mpi.Recv(bytes, 1, double, before, 0, comm, null);
  token[0]! += rank + 0.5;
  mpi.Send(bytes, 1, double, (rank + 1) % size, 0, comm);
  if (rank === 0) mpi.Recv(bytes, 1, double, before, 0, comm, null);
  return token[0]!;
}

/** The area below 4 / (1 + x * x): the processes take steps in turn, and process 0 has the sum. */
function pi(mpi: Mpi, comm: Comm): number {
  const [rank, size] = [mpi.Comm_rank(comm), mpi.Comm_size(comm)];
  const [part, sum] = [new Float64Array(1), new Float64Array(1)];
  for (let step = rank; step < STEPS; step += size) {
    part[0]! += 4 / (1 + ((step + 0.5) / STEPS) ** 2) / STEPS;
  }
  const [sent, taken] = [part, sum].map(({ buffer }) => new Uint8Array(buffer));
  const what = [1, mpi.Datatype("MPI_DOUBLE"), mpi.Op("MPI_SUM"), 0, comm] as const;
  mpi.Reduce(sent!, rank === 0 ? taken! : null, ...what);
  return sum[0]!;
}

function work({ handle, isAborted }: Job): string {
  const mpi = connectApi(new Client(Channel.attach(handle)), mpiApi, { timeoutSeconds: 20 });
  mpi.Init_thread(0);
  const comm = mpi.Comm("MPI_COMM_WORLD");
  if (isAborted) mpi.Abort(comm, ABORT_CODE);
  const results = [mpi.Comm_rank(comm), ring(mpi, comm), pi(mpi, comm)];
  mpi.Finalize();
  return results.join();
}

async function main(): Promise<string> {
  const channel = Channel.create({ portCount: 2, laneCount: 1, laneBytes: 256 });
  const services = [new URL("../mpi_service.ts", import.meta.url)];
  await using _server = await startServer(channel, { services });
  const isAborted = Deno.args[0] === "abort";
  return await askOwnWorker<Job, string>(import.meta.url, { handle: channel.handle, isAborted });
}

if (!servesAsWorker(work)) {
  Deno.stdout.writeSync(new TextEncoder().encode(`${await main()}\n`));
}
