import { assertEquals, assertThrows } from "@std/assert";
import { Channel, Server } from "../../../mod.ts";
import { ApiServer } from "../../../signature/mod.ts";
import { serveMpi } from "./serve_mpi.ts";
import { mpiTest } from "./testdata/mpi_launcher.ts";

mpiTest("callers of two processes wait without holding up each other", async (launch) => {
  const lines = await launch(new URL("./testdata/two_processes.ts", import.meta.url));
  assertEquals(lines.toSorted(), [0, 1].map((rank) => `process ${rank} has made 14 checks`));
});

Deno.test("serveMpi() says what brings a library that is absent", () => {
  const server = new ApiServer(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
  const files = ["libportlab_absent.so.1"];
  for (const [library, name] of [["mpich", "mpich"], ["openmpi", "libopenmpi3"]] as const) {
    const error = assertThrows(() => serveMpi(server, { library, files }), Error, files[0]);
    assertEquals(error.message.includes(`the Debian package ${name}`), true, error.message);
  }
});
