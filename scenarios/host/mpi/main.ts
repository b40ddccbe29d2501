/**
 * A process that calls MPI in one of three ways: what `MpiProcesses` starts by `mpiexec`. It reads numbers of
 * calls, each a line, and answers each with a byte when the calls were made; 0 is the end.
 */
import { Channel, Client, startServer } from "../../../core/mod.ts";
import { mpiApi } from "../../../core/services/emissary/mpi/mpi_api.ts";
import {
  MpiLibrary,
  type MpiLibraryName,
} from "../../../core/services/emissary/mpi/mpi_library.ts";
import { connectApi } from "../../../core/signature/mod.ts";
import { MESSAGE_BYTES, type MpiCall, type MpiWay } from "./mpi_processes.ts";

/** Calls of MPI that this process can make. */
interface Calls extends AsyncDisposable {
  readonly rank: number;
  /** Makes so many; returns how many brought what they should. */
  run(count: number): number;
}

/** What a process does of a call, once. */
interface Steps {
  readonly rank: () => number;
  readonly send: (target: number) => void;
  readonly receive: (source: number) => void;
}

const buffer = new Uint8Array(MESSAGE_BYTES);

function countRight(call: MpiCall, { rank, send, receive }: Steps, count: number): number {
  const own = rank();
  let right = 0;
  for (let index = 0; index < count; index++) {
    const due = index & 0xff;
    if (call === "empty") right += Number(rank() === own);
    else if (own === 0) {
      buffer[0] = due;
      send(1);
      receive(1);
      right += Number(buffer[0] === ((due + 1) & 0xff));
    } else {
      receive(0);
      right += Number(buffer[0] === due);
      buffer[0]!++;
      send(0);
    }
  }
  return right;
}

/** By a server worker, through a channel. */
async function throughChannel(call: MpiCall): Promise<Calls> {
  const channel = Channel.create({ portCount: 1, laneCount: 1, laneBytes: 512 });
  const services = [new URL("../../../core/services/emissary/mpi/mpi_service.ts", import.meta.url)];
  const server = await startServer(channel, { services });
  const mpi = connectApi(new Client(channel), mpiApi);
  mpi.Init_thread(0);
  const [comm, byte] = [mpi.Comm("MPI_COMM_WORLD"), mpi.Datatype("MPI_BYTE")];
  const steps = {
    rank: () => mpi.Comm_rank(comm),
    send: (target: number) => void mpi.Send(buffer, MESSAGE_BYTES, byte, target, 0, comm),
    receive: (source: number) => void mpi.Recv(buffer, MESSAGE_BYTES, byte, source, 0, comm, null),
  };
  return {
    rank: steps.rank(),
    run: (count) => countRight(call, steps, count),
    async [Symbol.asyncDispose]() {
      mpi.Finalize();
      await server.terminate();
    },
  };
}

/** By this thread, with Deno's FFI. */
function byForeignFunctions(library: MpiLibrary, call: MpiCall): Calls {
  const { MPI_Comm_rank, MPI_Send, MPI_Recv } = library.symbols;
  const { number, status } = library;
  const [comm, byte] = [library.handle("MPI_COMM_WORLD"), library.handle("MPI_BYTE")];
  const steps = {
    rank: () => (MPI_Comm_rank(comm, number), number[0]!),
    send: (target: number) => void MPI_Send(buffer, MESSAGE_BYTES, byte, target, 0, comm),
    receive: (from: number) => void MPI_Recv(buffer, MESSAGE_BYTES, byte, from, 0, comm, status),
  };
  return started(library, { rank: steps.rank, run: (count) => countRight(call, steps, count) });
}

/** By C, in one go: see `mpi_calls.c`. */
function byC(library: MpiLibrary, call: MpiCall, path: string): Calls {
  const { symbols } = Deno.dlopen(path, {
    empty_calls: { parameters: ["u32", "i32"], result: "u32" },
    ping_pongs: { parameters: ["u32", "i32", "buffer", "i32"], result: "u32" },
  });
  const { number } = library;
  const rank = () => {
    library.symbols.MPI_Comm_rank(library.handle("MPI_COMM_WORLD"), number);
    return number[0]!;
  };
  const run = (count: number) =>
    call === "empty"
      ? symbols.empty_calls(count, rank())
      : symbols.ping_pongs(count, rank(), buffer, MESSAGE_BYTES);
  return started(library, { rank, run });
}

function started(
  library: MpiLibrary,
  { rank, run }: { readonly rank: () => number; readonly run: (count: number) => number },
): Calls {
  library.symbols.MPI_Init_thread(null, null, 0, library.number);
  return {
    rank: rank(),
    run,
    [Symbol.asyncDispose]: () => Promise.resolve(void library.symbols.MPI_Finalize()),
  };
}

function callsOf(way: MpiWay, call: MpiCall, rest: readonly string[]): Calls | Promise<Calls> {
  const [name, compiled] = rest;
  if (way === "channel") return throughChannel(call);
  const library = new MpiLibrary(name as MpiLibraryName);
  return way === "direct" ? byForeignFunctions(library, call) : byC(library, call, compiled!);
}

const [way, call, folder, ...rest] = Deno.args;
await using calls = await callsOf(way as MpiWay, call as MpiCall, rest);
using orders = Deno.openSync(`${folder}/orders_${calls.rank}`, { read: true, write: true });
using answers = Deno.openSync(`${folder}/answers`, { read: true, write: true });
const line = new Uint8Array(64);
answers.writeSync(Uint8Array.of(1));
for (;;) {
  const count = Number(new TextDecoder().decode(line.subarray(0, orders.readSync(line)!)));
  if (count === 0) break;
  answers.writeSync(Uint8Array.of(calls.run(count) === count ? 1 : 0));
}
