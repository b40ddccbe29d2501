import { assertEquals, assertNotEquals } from "@std/assert";
import { onLiveDevice } from "../../gpu/live/device/on_live_device_test.ts";
import { LiveBed } from "../../gpu/live/kernel/live_bed_test.ts";
import { declareConstants } from "../../gpu/wgsl/layout_constants.ts";
import { Server } from "../../toggle/server/server.ts";
import { startServer } from "../../worker/start_server.ts";
import { isThorough } from "../thorough.ts";
import { CASES } from "./program_cases.ts";
import { runProgram } from "./run_program.ts";
import { addServices, KernelOpcode } from "./services.ts";

const SERVICES = new URL("./services.ts", import.meta.url);

/**
 * Waves of one lane and of many, several exchanges, streams and lanes that part ways, in both layouts;
 * of a release every case, which takes a minute.
 */
const LIVE_CASES = isThorough ? CASES : [1, 3, 5, 6, 8, 11].map((at) => CASES[at]!);

for (const [at, [label, program, source, shape]] of LIVE_CASES.entries()) {
  const isInWorkers = at % 2 === 1;
  const where = isInWorkers ? "servers in Workers" : "a server in this thread";
  onLiveDevice(
    `${label}: live waves and ${where} give what a Worker client gets`,
    async (device) => {
      const bed = new LiveBed(device, shape);
      const { waveCount, laneCount } = shape;
      const { kernel, results } = await bed.kernel({
        waveCount,
        source: `${source}\n${declareConstants(KernelOpcode)}`,
        resultWords: waveCount * laneCount,
      });
      await using servers = new AsyncDisposableStack();
      const server = isInWorkers ? undefined : new Server(bed.channel, { waiter: "spin" });
      if (server) addServices(server);
      else {
        // One of them sleeps when it finds nothing: whom waves cannot wake, the run does.
        for (const waiter of ["spin", "park"] as const) {
          servers.use(await startServer(bed.channel, { services: [SERVICES], waiter }));
        }
      }
      const { refusedCallCount } = await kernel.runAsync(server);
      assertEquals(refusedCallCount, 0);
      const expected = await runProgram(program, shape);
      assertEquals([...results], [...new Uint32Array(expected)]);
      assertNotEquals(
        expected.findIndex((value) => value !== 0),
        -1,
        "there are results to compare",
      );
    },
  );
}
