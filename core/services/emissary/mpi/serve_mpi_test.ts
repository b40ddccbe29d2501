import {
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Channel, Server } from "../../../mod.ts";
import { ApiServer } from "../../../signature/mod.ts";
import { serveMpi } from "./serve_mpi.ts";
import { mpiTest } from "./testdata/launch.ts";

function program(name: string): URL {
  return new URL(`./testdata/${name}.ts`, import.meta.url);
}

mpiTest("callers of two processes wait without holding up each other", async (launch) => {
  const lines = await launch(program("two_processes"));
  assertEquals(lines, [0, 1].map((rank) => `process ${rank} has made 20 checks`));
});

mpiTest("what timed out takes no message, and handles are the same for kernels", async (launch) => {
  assertEquals(await launch(program("by_hand")), ["5 checks", "5 checks"]);
});

mpiTest("a worker of each process: a ring, and pi by a Reduce", async (launch) => {
  const lines = await launch(program("workers"));
  const [first, second] = lines.map((line) => line.split(",").map(Number));
  assertEquals([first!.slice(0, 2), second], [[0, 2], [1, 2, 0]]);
  assertAlmostEquals(first![2]!, Math.PI, 1e-8);
});

mpiTest("MPI ends the processes where a caller aborts", async (launch) => {
  const error = await assertRejects(() => launch(program("workers"), { args: ["abort"] }), Error);
  // Not by the words: Open MPI loses them now and then when both processes abort.
  assertStringIncludes(error.message, "code 3: ");
});

mpiTest("waves of each process: a ring for each, or pi by a Reduce", async (launch, library) => {
  // One of each, as they take most of their time to start.
  const name = library === "mpich" ? "ring" : "pi";
  const lines = await launch(program("kernels"), { args: [name], hasGpu: true });
  const values = lines.map((line) => line.split(",").map(Number));
  if (name === "ring") return assertEquals(values, Array(2).fill([2, 3, 4, 5, 0, 0, 0, 0]));
  const sums = values.flatMap((words) => words.slice(4)).filter((sum) => sum !== 0);
  assertEquals(sums.length, 4, "process 0 has them");
  assertAlmostEquals(sums.reduce((sum, value) => sum + value), Math.PI, 1e-5);
});

Deno.test("serveMpi() says what brings a library that is absent", () => {
  const server = new ApiServer(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
  const files = ["libportlab_absent.so.1"];
  for (const [library, name] of [["mpich", "mpich"], ["openmpi", "libopenmpi3"]] as const) {
    const error = assertThrows(() => serveMpi(server, { library, files }), Error, files[0]);
    assertEquals(error.message.includes(`the Debian package ${name}`), true, error.message);
  }
});
