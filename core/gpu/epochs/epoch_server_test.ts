import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { onDevice } from "../device/on_device_test.ts";
import { checkSynchronous } from "./epoch_server.ts";
import { Epochs } from "./epochs.ts";
import { Kernel } from "./kernel.ts";
import { INCREMENT } from "./kernel_run_test.ts";

Deno.test("checkSynchronous() lets through a server that says nothing of asynchronous services", () => {
  const server = { serveOnce: () => false, serveAll: () => 0 };
  checkSynchronous(server, "run()");
  checkSynchronous({ ...server, hasAsync: false }, "run()");
  assertThrows(
    () => checkSynchronous({ ...server, hasAsync: true }, "run()"),
    TypeError,
    "use run()",
  );
});

onDevice(
  "without an event loop, asynchronous services are refused, and may be taken away",
  async (gpu) => {
    const channel = Channel.create({ portCount: 1, laneCount: 1 });
    const source = `fn step_0() { packet_set(0u, wave_index); call(${INCREMENT}u); }`;
    const kernel = await Kernel.create(gpu, { channel, waveCount: 3, source });
    const epochs = await Epochs.create(kernel, { readback: "eager" });
    const server = new Server(channel, { portWaiter: epochs.portWaiter });
    server.operate(INCREMENT, () => {});
    server.operateAsync(50_000, () => Promise.resolve());
    const refused = [[() => epochs.runNow(server), "run()"], [
      () => epochs.advanceNow(server, 1),
      "advance()",
    ]] as const;
    for (const [work, way] of refused) {
      assertThrows(work, TypeError, `as a service is asynchronous: use ${way}`);
    }
    server.unregister(50_000);
    assertEquals(epochs.runNow(server).packetCount, 3);
    epochs.destroy();
  },
);
