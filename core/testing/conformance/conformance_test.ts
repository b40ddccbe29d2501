/**
 * The test suites of other implementations, as tests that this one must pass. The names are kept
 * wherever such a test is told of: L of LLVM libc's RPC, L16 of AMD's runtime,
 * H of hostrpc, X of what went wrong in one of them.
 *
 * | name | asks | stands in |
 * | --- | --- | --- |
 * | L1 | each thread of a grid counts by calls to a number of its own (`rpc_test`) | here |
 * | L2 | then odd and even lanes of a wave open ports of their own (`rpc_test`) | here |
 * | L3 | the answer to a lane is that lane's (`rpc_lane_test`) | here |
 * | L4 | sends and receives in every order, from both parities (`rpc_interface_test`) | here |
 * | L5 | every lane sends the same long string and gets it back (`rpc_stream_test`) | here |
 * | L6 | the same with a length of its own for each lane | here |
 * | L8 | lanes call at random, in bursts, after random pauses (`rpc_divergence_test`) | here |
 * | L16 | a server that sleeps after every call misses no ring | `inbox_waiter_test.ts` |
 * | H4 | every bit of a bitmap is claimed once and released | `hint_test.ts` |
 * | H8 | calls with and without an answer, mixed, are all served | here |
 * | H9 | whole pages of many clients and servers never mix | here |
 * | X1 | a sparse lane mask: each lane gets its own result | `defects_test.ts` |
 * | X2 | an opcode that nobody serves is refused, whatever shape the call has | `defects_test.ts` |
 * | X3 | one port: calls that nobody waits for, nested calls, more clients than ports | `defects_test.ts` |
 * | X4 | every port is open: the next is refused until one is closed | `defects_test.ts` |
 * | X5 | the server goes away while clients wait | `defects_test.ts` |
 * | X6 | several servers race for one port | `defects_test.ts` |
 * | X7 | payloads that end at the edge of a packet | `defects_test.ts` |
 * | X8 | a port is closed without any operation | `defects_test.ts` |
 * | X9 | the highest port is served while lower ones stay busy | `defects_test.ts` |
 * | X10 | lanes that are done leave nothing in the longer streams of others | `defects_test.ts` |
 */
import { assertEquals } from "@std/assert";
import { WAITER_NAMES } from "../../wait/strategy.ts";
import { TestBed } from "./test_bed.ts";

const WAVES = { portCount: 64, laneCount: 32 };

Deno.test("L1, L2: every thread of the grid counts to its number, then the halves diverge", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2 });
  const calls = await bed.run("countUp", 2);
  // The longest lane of a wave decides: 10 + 10 x 31 or 10 x 63, plus 10 for each block before it.
  const longest = Array.from({ length: 8 }, (_, block) => 330 + 640 + 20 * block - 10);
  assertEquals(calls[0]! + calls[1]!, longest.reduce((sum, count) => sum + count));
});

Deno.test("L3: data does not cross lanes", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2 });
  assertEquals(await bed.run("laneIds", 2), [1000, 1000]);
});

for (const waiter of WAITER_NAMES) {
  Deno.test(`L4: sends and receives in every order, waiting by ${waiter}`, async () => {
    await using bed = await TestBed.start({ portCount: 1, laneCount: 1, waiter });
    assertEquals(await bed.run("walkInterface"), [6]);
  });
}

Deno.test("L5: every lane echoes a string of 251 bytes", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2 });
  assertEquals(await bed.run("echoStrings", 2), [8, 8]);
});

Deno.test("L6: lanes of one wave echo payloads of 0 to 127 bytes", async () => {
  await using bed = await TestBed.start({ ...WAVES, serverCount: 2 });
  assertEquals(await bed.run("echoDivergent", 2), [8, 8]);
});

Deno.test("L8: lanes that call at random each count their own calls", async () => {
  await using bed = await TestBed.start({ portCount: 4, laneCount: 32, serverCount: 2 });
  const iterations = await bed.run("callAtRandom", 4);
  assertEquals(iterations.every((count) => count >= 128 && count < 256), true);
});

Deno.test("H8: 1024 calls on 64 ports, a third of them asynchronous, are 1024 served", async () => {
  await using bed = await TestBed.start({ portCount: 64, laneCount: 1 });
  // The last call is answered when the asynchronous ones may still be under way, so the server's
  // count is asked for once more by a call that needs every port back.
  await bed.run("mixedCalls");
  assertEquals(await settledCount(bed), 1025);
});

Deno.test("H9: whole pages of many clients and servers never mix", async () => {
  await using bed = await TestBed.start({ portCount: 128, laneCount: 64, serverCount: 2 });
  assertEquals(await bed.run("stressPages", 4), [8192, 8192, 8192, 8192]);
});

/** Asks for the server's count until no asynchronous call is left that it could have missed. */
async function settledCount(bed: TestBed): Promise<number> {
  const { clientOutboxWord, serverOutboxWord, portCount } = bed.channel.layout;
  const { words } = bed.channel;
  const isPending = (index: number) =>
    words.load(clientOutboxWord + index) !== words.load(serverOutboxWord + index);
  while (Array.from({ length: portCount }, (_, index) => index).some(isPending)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const [count] = await bed.run("countOnce");
  return count!;
}
