/** What `serve_mpi_test.ts` starts: a server that looks at what waits only when nobody calls it. */
import { assertEquals, assertThrows } from "@std/assert";
import { Channel, Client, Server } from "../../../../mod.ts";
import { snapshotPort } from "../../../../internal.ts";
import { ApiServer, connectApi } from "../../../../signature/mod.ts";
import type { ApiFunction } from "../../../../signature/declaration_types.ts";
import { ArrayHeap, callByHeap } from "../../../../signature/testdata/array_heap.ts";
import type { PortWaiter } from "../../../../wait/inbox_waiter.ts";
import { MPI_ANY_SOURCE, MPI_PROC_NULL, MPI_UNDEFINED, mpiApi, requestBytes } from "../mpi_api.ts";
import { serveMpi } from "../serve_mpi.ts";
import { doubles, numbers } from "./caller.ts";

const channel = Channel.create({ portCount: 8, laneCount: 1, laneBytes: 4096 });
const server = new Server(channel);
const waiter: PortWaiter = {
  wait(index, foreign, guard) {
    while (snapshotPort(channel, index).serverOutbox === foreign) {
      if (!server.runOnce() && server.pollPending() === 0) guard.check();
    }
  },
  waitAsync: () => Promise.reject(new Error("nobody waits so")),
};
const heap = new ArrayHeap(1 << 16);
serveMpi(new ApiServer(server, { heap }));
const client = new Client(channel, { waiter });
const mpi = connectApi(client, mpiApi, { timeoutSeconds: 20 });
const late = connectApi(new Client(channel, { waiter }), mpiApi, { timeoutSeconds: 0.02 });

mpi.Init_thread(0);
const [comm, double] = [mpi.Comm("MPI_COMM_SELF"), mpi.Datatype("MPI_DOUBLE")];

/** The next message, of one number. */
function next(tag: number): number {
  const bytes = new Uint8Array(8);
  mpi.Recv(bytes, 1, double, MPI_ANY_SOURCE, tag, comm, null);
  return numbers(bytes)[0]!;
}

/** Sends a number to this process; to be received, as the library may wait for that. */
function send(value: number, tag: number): void {
  mpi.Isend(doubles(value), 1, double, 0, tag, comm);
}

/** What a kernel gets and gives: handles as two words. */
function byHeap(name: keyof typeof mpiApi.functions, ...values: readonly unknown[]) {
  return callByHeap({ client, heap }, mpiApi.functions[name] as ApiFunction, values);
}

const checks: Record<string, () => void> = {
  "a receive that timed out takes no message, whatever waited": () => {
    const room = new Uint8Array(8);
    const receives: readonly (() => unknown)[] = [
      () => late.Recv(room, 1, double, 0, 7, comm, null),
      () => late.Recv(room, 1, double, MPI_ANY_SOURCE, 7, comm, null),
      () => late.Sendrecv(room, 1, double, MPI_PROC_NULL, 7, room, 1, double, 0, 7, comm, null),
      () => late.Probe(0, 7, comm, null),
    ];
    for (const [index, receive] of receives.entries()) {
      assertThrows(receive, DOMException, "within 0.02 s");
      send(index, 7);
      assertEquals(next(7), index);
    }
    const request = mpi.Irecv(1, double, 0, 7, comm)!;
    const array = requestBytes([request]);
    assertThrows(() => late.Wait(request, room, null), DOMException, "within 0.02 s");
    assertThrows(() => late.Waitany(1, array, room, null), DOMException, "within 0.02 s");
    assertThrows(() => late.Waitall(1, array, room, null), DOMException, "within 0.02 s");
    send(5, 7);
    mpi.Wait(request, room, null);
    assertEquals(numbers(room), [5]);
  },
  "a Sendrecv that cannot be sent takes no message, and one that cannot be received sends none":
    () => {
      send(1, 7);
      const sent = [doubles(2), 1, double] as const;
      const back = [new Uint8Array(8), 1, double] as const;
      const exchange = (to: number, from: number) => () =>
        mpi.Sendrecv(...sent, to, 7, ...back, from, 7, comm, null);
      assertThrows(exchange(9, 0), Error, "rank");
      assertThrows(exchange(0, 9), Error, "rank");
      assertEquals([next(7), mpi.Iprobe(0, 7, comm, null)], [1, 0]);
    },
  "arrays of requests are the same for kernels, and hold null for those that are done": () => {
    const receive = (tag: number) => byHeap("Irecv", 2, double, 0, tag, comm).words;
    const words = [...receive(1), 0, 0, ...receive(2)];
    for (const tag of [1, 2]) send(tag, tag);
    const handles = new Uint8Array(Uint32Array.from(words).buffer);
    const room = doubles(0.5, 0.25, 0.125, 0.0625);
    const statuses = new Uint8Array(48);
    const { words: [code], addresses } = byHeap("Waitall", 3, handles, room, statuses);
    const [, first, second, third] = addresses.map((address, index) =>
      heap.read(address, [0, 24, 32, 48][index]!).slice()
    );
    assertEquals([code, [...first!]], [0, Array(24).fill(0)]);
    assertEquals(numbers(second!), [1, 0.25, 2, 0.0625]); // what is behind a message stays
    assertEquals([...new Int32Array(third!.buffer)].filter((_, word) => word % 4 === 3), [8, 0, 8]);
  },
  "a request that is done is passed over": () => {
    const receives = [1, 2].map((tag) => mpi.Irecv(2, double, 0, tag, comm));
    const array = requestBytes([...receives, null]);
    const room = doubles(0.5, 0.25);
    assertEquals(mpi.Testall(3, array, doubles(0, 0, 0, 0), null), 0);
    assertEquals([mpi.Testany(3, array, room, null), numbers(room)], [MPI_UNDEFINED, [0.5, 0.25]]);
    const order = [2, 1].map((tag) => {
      send(tag, tag);
      return [mpi.Waitany(3, array, room, null), ...numbers(room)];
    });
    assertEquals(order, [[1, 2, 0.25], [0, 1, 0.25]]);
    assertEquals([...array], [...new Uint8Array(24)]);
    assertEquals(mpi.Waitany(3, array, room, null), MPI_UNDEFINED);
    assertEquals(mpi.Testall(3, array, new Uint8Array(), null), 1);
  },
  "what one process has stays with the others": () => {
    const given = doubles(3);
    mpi.Reduce(doubles(1), given, 1, double, mpi.Op("MPI_SUM"), 0, comm);
    assertEquals(numbers(given), [1]);
  },
};

for (const check of Object.values(checks)) check();
mpi.Finalize();
console.log(`${Object.keys(checks).length} checks`);
