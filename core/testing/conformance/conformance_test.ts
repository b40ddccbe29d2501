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
import { CASES } from "./cases/cases.ts";

for (const { name, run, expected } of CASES) {
  Deno.test(name, async () => assertEquals(await run(), expected));
}
