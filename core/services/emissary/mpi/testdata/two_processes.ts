/** What `serve_mpi_test.ts` starts as two processes: each does the same, and says how far it came. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError, Channel, Client, startServer } from "../../../../mod.ts";
import { reclaimClient, snapshotPort } from "../../../../internal.ts";
import { connectApi, ErrnoError, fn, hostApi, i32 } from "../../../../signature/mod.ts";
import {
  MPI_ANY_SOURCE,
  MPI_ANY_TAG,
  MPI_PROC_NULL,
  MPI_UNDEFINED,
  mpiApi,
  requestBytes,
} from "../mpi_api.ts";
import { doubles, ints, inWorker, messageOf, numbers } from "./caller.ts";

const MEGABYTE = 1 << 20;
const channel = Channel.create({ portCount: 8, laneCount: 2, laneBytes: 4096 });
const services = [new URL("../mpi_service.ts", import.meta.url)];
await using _server = await startServer(channel, { services });
const limits = { timeoutSeconds: 20 };
const mpi = connectApi(new Client(channel), mpiApi, limits);

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

assertThrows(() => mpi.Comm("MPI_COMM_WORLD"), CallError, "MPI has not been started");
assertThrows(() => mpi.Init_thread(4), CallError, "must be 0 to 3: current value is 4");
assert(mpi.Init_thread(0) >= 0);
assertThrows(() => mpi.Init_thread(0), CallError, "this process has started MPI before");

const comm = mpi.Comm("MPI_COMM_WORLD");
const [byte, double] = [mpi.Datatype("MPI_BYTE"), mpi.Datatype("MPI_DOUBLE")];
const sum = mpi.Op("MPI_SUM");
const rank = mpi.Comm_rank(comm);
const other = 1 - rank;
const status = { source: 0, tag: 0, error: 0, count: 0 };

/** Two callers of this process at once, in workers of their own. */
function both(call: "Send" | "Recv", tags: readonly number[]): Promise<unknown> {
  const job = { handle: channel.handle, call, length: MEGABYTE, other };
  return Promise.all(tags.map((tag) => inWorker({ ...job, tag })));
}

/** Waits until the server has a call of a client. */
async function untilServed({ id }: Client, opcode: number): Promise<void> {
  const ports = Array.from({ length: channel.layout.portCount }, (_, index) => index);
  const isServed = (index: number) => {
    const { clientLock, serverLock, opcode: asked } = snapshotPort(channel, index);
    return clientLock === id && serverLock !== 0 && asked === opcode;
  };
  while (!ports.some(isServed)) await new Promise((resolve) => setTimeout(resolve, 1));
}

const checks: Record<string, () => void | Promise<void>> = {
  "what is known": () => {
    assertEquals([mpi.Comm_size(comm), mpi.Type_size(double)], [2, 8]);
    assertEquals(mpi.Type_size(mpi.Datatype("MPI_DOUBLE_INT")), 12);
    assert(mpi.Wtime() >= 0);
  },
  "what no message fills stays": () => {
    const room = doubles(0.5, 1.5);
    mpi.Recv(room, 2, double, MPI_PROC_NULL, 0, comm, status);
    assertEquals([numbers(room), status.count], [[0.5, 1.5], 0]);
    mpi.Sendrecv(doubles(7.5), 1, double, other, 4, room, 2, double, other, 4, comm, null);
    assertEquals(numbers(room), [7.5, 1.5]);
  },
  "what is unknown is refused": () => {
    const wrong = connectApi(new Client(channel), hostApi("mpi", { Isent: fn([i32], i32) }));
    assertThrows(() => wrong.Isent(1), CallError, "did you mean mpi.Isend");
    assertThrows(() => mpi.Datatype("MPI_REAL8"), CallError, "names are MPI_CHAR");
  },
  "errors come back as classes with texts": () => {
    for (const nobody of [99, MPI_ANY_SOURCE]) {
      const send = () => mpi.Send(doubles(1), 1, double, nobody, 0, comm);
      const error = assertThrows(send, ErrnoError, "Cannot call mpi.Send: invalid rank");
      assertEquals([error.errno, error.code, mpi.Send.errno], [6, "MPI_ERR_RANK", 6]);
    }
    if (rank === 0) assertThrows(() => mpi.Comm_split(comm, -5, 0), ErrnoError, "MPI_ERR_ARG");
    assert(/rank/i.test(mpi.Error_string(6)), mpi.Error_string(6));
  },
  "what has a name stays, whoever frees it, and what is freed has ended": () => {
    for (const name of ["MPI_COMM_WORLD", "MPI_COMM_SELF"]) {
      const named = mpi.Comm(name);
      assertThrows(() => mpi.Comm_free(named), ErrnoError, "MPI_ERR_COMM");
      assertEquals(mpi.Comm_size(named), named === comm ? 2 : 1);
    }
    assertThrows(() => mpi.Type_free(double), ErrnoError, "MPI_ERR_TYPE");
    assertEquals(mpi.Type_size(double), 8);
    const pair = mpi.Type_contiguous(2, double)!;
    assertEquals([mpi.Type_commit(pair), mpi.Type_free(pair)], [0, 0]);
    assertThrows(() => mpi.Type_free(pair), CallError, "has ended");
  },
  "a buffer of another length than its count is refused": () => {
    for (const count of [0, 2, 4, -1]) {
      const send = () => mpi.Send(new Uint8Array(24), count, double, other, 0, comm);
      assertThrows(send, CallError, `a buffer must have ${count} of MPI_DOUBLE, 8 bytes each`);
    }
    const reduce = () => mpi.Reduce(doubles(1), doubles(1, 2), 1, double, sum, rank, comm);
    assertThrows(reduce, CallError, "its length is 16");
    const gather = () => mpi.Gather(doubles(1), 1, double, doubles(1), 1, double, rank, comm);
    assertThrows(gather, CallError, "2 times 1 of MPI_DOUBLE");
    assertThrows(() => mpi.Irecv(1 << 30, double, other, 0, comm), CallError, "may have");
  },
  "long messages whose tags are received in the other order": async () => {
    await both(rank === 0 ? "Send" : "Recv", rank === 0 ? [0, 1] : [1, 0]);
  },
  "one caller waits for what the other is to send": async () => {
    const job = { handle: channel.handle, call: "Recv", tag: 5, length: MEGABYTE, other } as const;
    const waiting = inWorker(job);
    mpi.Barrier(comm); // goes on although a receive waits here
    mpi.Send(messageOf(5, MEGABYTE), MEGABYTE, byte, other, 5, comm);
    await waiting;
  },
  "lanes wait together, with one address": () => {
    const [one, two] = [new Uint8Array(MEGABYTE), new Uint8Array(MEGABYTE)];
    const shared = messageOf(3, MEGABYTE);
    if (rank === 0) {
      const lane = (tag: number) => [shared, MEGABYTE, byte, other, tag, comm] as const;
      assertEquals(mpi.Send.lanes([[...lane(0)], [...lane(1)]]), [0, 0]);
      return;
    }
    mpi.Recv.lanes([
      [one, MEGABYTE, byte, other, 1, comm, null],
      [two, MEGABYTE, byte, other, 0, comm, null],
    ]);
    assertEquals([one, two], [shared, shared]);
  },
  "several transfers a lane": () => {
    const taken = [new Uint8Array(8), new Uint8Array(8)];
    const lane = (index: number) =>
      [
        ...[doubles(rank + index / 4), 1, double, other, index],
        ...[taken[index], 1, double, other, index, comm, null],
      ] as unknown as Parameters<typeof mpi.Sendrecv>;
    assertEquals(mpi.Sendrecv.lanes([lane(0), lane(1)]), [0, 0]);
    assertEquals(taken.map((bytes) => numbers(bytes)), [[other], [other + 0.25]]);
  },
  "a message is looked at before it is taken": () => {
    mpi.Send(doubles(0.5, 0.25), 2, double, other, 8, comm);
    assertEquals(mpi.Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status), 0);
    assertEquals(status, { source: other, tag: 8, error: 0, count: 16 });
    assertEquals([mpi.Get_count(status, double), mpi.Iprobe(other, 8, comm, null)], [2, 1]);
    assertEquals(mpi.Get_count({ ...status, count: 15 }, double), MPI_UNDEFINED);
    const bytes = new Uint8Array(32);
    mpi.Recv(bytes, 4, double, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status);
    assertEquals([numbers(bytes), status.count], [[0.5, 0.25, 0, 0], 16]);
    assertEquals(mpi.Iprobe(other, 8, comm, null), 0);
    mpi.Recv(new Uint8Array(), 0, byte, MPI_PROC_NULL, 0, comm, status);
    assertEquals([status.source, status.count], [MPI_PROC_NULL, 0]);
    mpi.Send(doubles(1, 2), 2, double, other, 9, comm);
    const short = () => mpi.Recv(new Uint8Array(8), 1, double, other, 9, comm, null);
    assertThrows(short, ErrnoError, "MPI_ERR_TRUNCATE");
  },
  "requests end in any order": () => {
    mpi.Barrier(comm);
    const receives = [0, 1, 2].map((tag) => mpi.Irecv(1, double, other, tag, comm)!);
    assertEquals(mpi.Test(receives[0]!, null, null), 0);
    assertEquals(mpi.Testall(3, requestBytes(receives), null, null), 0);
    assertEquals(mpi.Testany(3, requestBytes(receives), null, null), MPI_UNDEFINED);
    mpi.Barrier(comm);
    const sent = mpi.Isend(doubles(2.5), 1, double, other, 2, comm)!;
    const data = new Uint8Array(8);
    assertEquals(mpi.Waitany(3, requestBytes(receives), data, status), 2);
    assertEquals([numbers(data), status.tag], [[2.5], 2]);
    assertThrows(() => mpi.Wait(receives[2]!, null, null), CallError, "has ended");
    assertThrows(() => mpi.Waitall(2, requestBytes([sent, sent]), null, null), CallError, "twice");
    mpi.Barrier(comm); // else these might be there before the other's Waitany has looked
    for (const tag of [0, 1]) mpi.Send(doubles(tag + 0.5), 1, double, other, tag, comm);
    const room = () => mpi.Wait(receives[0]!, new Uint8Array(4), null);
    assertThrows(room, CallError, "there must be room for 8 bytes");
    const [all, statuses] = [new Uint8Array(16), new Uint8Array(48)];
    const three = requestBytes([receives[0]!, sent, receives[1]!]);
    assertEquals(mpi.Waitall(3, three, all, statuses), 0);
    assertEquals(numbers(all), [0.5, 1.5]);
    assertEquals([...new Int32Array(statuses.buffer)].slice(8), [other, 1, 0, 8]);
    assertEquals(mpi.Waitany(0, new Uint8Array(), null, null), MPI_UNDEFINED);
  },
  "collectives": () => {
    const [one, two] = [new Uint8Array(8), new Uint8Array(16)];
    const mine = doubles(rank + 0.25);
    mpi.Reduce(mine, rank === 1 ? one : null, 1, double, sum, 1, comm);
    assertEquals(numbers(one), [rank === 1 ? 1.5 : 0]);
    mpi.Allreduce(mine, one, 1, double, mpi.Op("MPI_MAX"), comm);
    assertEquals(numbers(one), [1.25]);
    mpi.Scan(mine, one, 1, double, sum, comm);
    assertEquals(numbers(one), [rank === 0 ? 0.25 : 1.5]);
    mpi.Gather(mine, 1, double, rank === 0 ? two : null, 1, double, 0, comm);
    assertEquals(numbers(two), rank === 0 ? [0.25, 1.25] : [0, 0]);
    mpi.Scatter(rank === 0 ? doubles(7.5, 8.5) : null, 1, double, one, 1, double, 0, comm);
    assertEquals(numbers(one), [7.5 + rank]);
    mpi.Allgather(mine, 1, double, two, 1, double, comm);
    assertEquals(numbers(two), [0.25, 1.25]);
    mpi.Alltoall(doubles(rank, rank + 10), 1, double, two, 1, double, comm);
    assertEquals(numbers(two), rank === 0 ? [0, 1] : [10, 11]);
    const told = rank === 1 ? doubles(0.125) : new Uint8Array(8);
    mpi.Bcast(told, 1, double, 1, comm);
    assertEquals(numbers(told), [0.125]);
  },
  "each process has another number of elements": () => {
    // Process 0 has one, process 1 two; places leave a gap that stays as it is.
    const mine = rank === 0 ? doubles(0.5) : doubles(1.5, 2.5);
    const [counts, places] = [ints(1, 2), ints(2, 0)];
    const room = doubles(-1, -1, -1, -1);
    const [given, some] = rank === 1 ? [room, counts] : [null, null];
    mpi.Gatherv(mine, rank + 1, double, given, some, some && places, double, 1, comm);
    const all = [1.5, 2.5, 0.5, -1];
    assertEquals(numbers(room), rank === 1 ? all : [-1, -1, -1, -1]);
    mpi.Allgatherv(mine, rank + 1, double, room, counts, places, double, comm);
    assertEquals(numbers(room), all);
    const back = new Uint8Array(8 * (rank + 1));
    const own = [back, rank + 1, double] as const;
    mpi.Scatterv(rank === 1 ? room : null, some, some && places, double, ...own, 1, comm);
    assertEquals(back, mine);
    // From each to each: as many as the receiver's rank, and one more.
    const out = doubles(rank, rank + 10, rank + 20);
    const into = doubles(...Array(2 * (rank + 1)).fill(-1));
    const taken = [ints(rank + 1, rank + 1), ints(rank + 1, 0)] as const;
    mpi.Alltoallv(out, ints(1, 2), ints(0, 1), double, into, ...taken, double, comm);
    assertEquals(numbers(into), rank === 0 ? [1, 0] : [11, 21, 10, 20]);
    const beyond = [[ints(1, 5), places], [counts, ints(2, -1)], [ints(1, -1), places]] as const;
    for (const wrong of beyond) {
      const call = () => mpi.Allgatherv(mine, rank + 1, double, room, ...wrong, double, comm);
      assertThrows(call, CallError, "must be within the buffer");
    }
    const short = () => mpi.Allgatherv(mine, rank + 1, double, room, ints(1), places, double, comm);
    assertThrows(short, CallError, "a number of 4 bytes for each of 2 processes");
  },
  "what is sent is where it comes": () => {
    const one = doubles(rank + 0.5);
    mpi.Allreduce(null, one, 1, double, sum, comm);
    assertEquals(numbers(one), [2]);
    mpi.Scan(null, one, 1, double, sum, comm);
    assertEquals(numbers(one), [2 * (rank + 1)]);
    if (rank === 0) mpi.Reduce(null, one, 1, double, sum, 0, comm);
    else mpi.Reduce(one, null, 1, double, sum, 0, comm);
    assertEquals(numbers(one), [rank === 0 ? 6 : 4]);
    const two = rank === 0 ? doubles(7, 0) : doubles(0, 8);
    mpi.Allgather(null, 0, double, two, 1, double, comm);
    assertEquals(numbers(two), [7, 8]);
    if (rank === 1) mpi.Gather(null, 0, double, two, 1, double, 1, comm);
    else mpi.Gather(doubles(9), 1, double, null, 1, double, 1, comm);
    assertEquals(numbers(two), [rank === 1 ? 9 : 7, 8]);
    if (rank === 1) mpi.Scatter(two, 1, double, null, 1, double, 1, comm);
    else mpi.Scatter(null, 1, double, two.subarray(0, 8), 1, double, 1, comm);
    mpi.Alltoall(null, 0, double, two, 1, double, comm);
    assertEquals(numbers(two), rank === 0 ? [9, 9] : [8, 8]);
    mpi.Alltoallv(null, null, null, double, two, ints(1, 1), ints(0, 1), double, comm);
    assertEquals(numbers(two), rank === 0 ? [9, 8] : [9, 8]);
    const send = () => mpi.Gather(null, 1, double, null, 1, double, other, comm);
    assertThrows(send, CallError, "its length is 0");
  },
  "datatypes of others, and processes in a grid": () => {
    const column = mpi.Type_vector(3, 1, 2, double)!;
    assertEquals([mpi.Type_commit(column), mpi.Type_size(column)], [0, 24]);
    mpi.Send(doubles(1, 0, 2, 0, 3), 1, column, other, 6, comm);
    const room = doubles(-1, -1, -1, -1, -1);
    mpi.Recv(room, 1, column, other, 6, comm, status);
    assertEquals([numbers(room), mpi.Get_count(status, column)], [[1, -1, 2, -1, 3], 1]);
    mpi.Send(doubles(1, 0, 2, 0, 3), 1, column, other, 6, comm);
    mpi.Wait(mpi.Irecv(1, column, other, 6, comm)!, room, null);
    assertEquals(numbers(room), [1, 0, 2, 0, 3]);
    room.set(doubles(-1), 24);
    const pair = mpi.Type_contiguous(2, double)!;
    mpi.Type_commit(pair);
    mpi.Send(doubles(4, 5), 1, pair, other, 7, comm);
    mpi.Recv(room.subarray(0, 16), 2, double, other, 7, comm, null);
    assertEquals(numbers(room), [4, 5, 2, -1, 3]);
    assertThrows(() => mpi.Send(doubles(1), 1, pair, other, 7, comm), CallError, "16 bytes each");
    assertEquals([mpi.Type_free(pair), mpi.Type_free(column)], [0, 0]);
    assertThrows(() => mpi.Type_size(pair), CallError, "has ended");
    assertThrows(() => mpi.Type_vector(2, 1, -1, double), ErrnoError, "MPI_ERR_ARG");
    const sizes = ints(0, 1);
    assertEquals([mpi.Dims_create(2, 2, sizes), sizes], [0, ints(2, 1)]);
    const grid = mpi.Cart_create(comm, 2, sizes, ints(0, 1), 0)!;
    const place = new Uint8Array(8);
    mpi.Cart_coords(grid, rank, 2, place);
    assertEquals([place, mpi.Cart_rank(grid, ints(other, 5))], [ints(rank, 0), other]);
    const along = { source: 0, destination: 0 };
    mpi.Cart_shift(grid, 0, 1, along);
    const [source, destination] = rank === 0 ? [MPI_PROC_NULL, 1] : [0, MPI_PROC_NULL];
    assertEquals(along, { source, destination });
    mpi.Cart_shift(grid, 1, 1, along);
    assertEquals(along, { source: rank, destination: rank });
    assertThrows(() => mpi.Cart_rank(grid, ints(1)), CallError, "each of 2 dimensions");
    assertThrows(() => mpi.Cart_rank(comm, ints(1)), ErrnoError, "MPI_ERR_TOPOLOGY");
    assertEquals(mpi.Comm_free(grid), 0);
  },
  "one thread of a process has MPI": async () => {
    const elsewhere = Channel.create({ portCount: 1, laneCount: 1 });
    await using _second = await startServer(elsewhere, { services });
    const second = connectApi(new Client(elsewhere), mpiApi, limits);
    assertThrows(() => second.Comm("MPI_COMM_WORLD"), CallError, "MPI has not been started");
    assertThrows(() => second.Init_thread(3), CallError, "this process has started MPI before");
  },
  "communicators are made and freed": () => {
    const copy = mpi.Comm_dup(comm)!;
    mpi.Send(doubles(1), 1, double, other, 0, comm);
    assertEquals(mpi.Iprobe(other, 0, copy, null), 0);
    mpi.Recv(new Uint8Array(8), 1, double, other, 0, comm, null);
    const reversed = mpi.Comm_split(copy, 3, -rank)!;
    assertEquals([mpi.Comm_rank(reversed), mpi.Comm_size(reversed)], [other, 2]);
    assertEquals(mpi.Comm_split(comm, MPI_UNDEFINED, 0), null);
    assertEquals([mpi.Comm_free(reversed), mpi.Comm_free(copy)], [0, 0]);
    assertThrows(() => mpi.Comm_rank(copy), CallError, "has ended");
  },
  "a receive whose caller gave up or died takes no message": async () => {
    const late = connectApi(new Client(channel), mpiApi, { timeoutSeconds: 0.05 });
    const bytes = new Uint8Array(8);
    const wait = () => late.Recv(bytes, 1, double, other, 11, comm, null);
    assertThrows(wait, DOMException, "within 0.05 s");
    const lost = new Client(channel);
    const dead = connectApi(lost, mpiApi).Recv.async(bytes, 1, double, other, 12, comm, null);
    const gone = assertRejects(() => dead);
    await untilServed(lost, mpi.Recv.opcode + 1);
    assertEquals(reclaimClient(channel, lost.id), 1);
    // The server looks at what is pending between two calls.
    for (let call = 0; call < 2; call++) mpi.Barrier(comm);
    for (const tag of [11, 12]) mpi.Send(doubles(tag + 0.5), 1, double, other, tag, comm);
    for (const tag of [11, 12]) {
      mpi.Recv(bytes, 1, double, other, tag, comm, null);
      assertEquals(numbers(bytes), [tag + 0.5]);
    }
    void gone;
  },
  "the end": () => {
    assertEquals(mpi.Finalize(), 0);
    assertThrows(() => mpi.Comm_rank(comm), CallError, "MPI has been ended by Finalize");
    assertThrows(() => mpi.Init_thread(0), CallError, "this process has started MPI before");
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (cause) {
    throw new Error(`Process ${rank}, ${name}`, { cause });
  }
}
say(`process ${rank} has made ${Object.keys(checks).length} checks`);
