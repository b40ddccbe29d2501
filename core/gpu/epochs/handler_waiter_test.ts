import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { onDevice } from "../device/on_device_test.ts";
import { Epochs } from "./epochs.ts";
import { Kernel } from "./kernel.ts";
import { runKernel } from "./kernel_run_test.ts";

const shape = { portCount: 2, laneCount: 1, waveCount: 1 };

onDevice("a handler gets the packets of a call from later epochs", async (gpu) => {
  const seen: number[] = [];
  const source = `
    fn step_0() { packet_set(0u, 1u); begin(50000u); }
    fn step_1() { packet_set(0u, 2u); send(); }
    fn step_2() { close(); }`;
  const { faults } = await runKernel(gpu, {
    ...shape,
    source,
    register: (server) =>
      server.register(50_000, (port) => {
        const take = (packet: { getUint32(lane: number, word: number): number }) =>
          seen.push(packet.getUint32(0, 0));
        port.recv(take).recv(take);
      }),
  });
  assertEquals([seen, faults], [[1, 2], []]);
});

for (
  const [readback, reason] of [
    ["eager", "its wave has left it"],
    ["awaited", "as the readback is awaited"],
  ] as const
) {
  onDevice(
    `a handler that waits in vain with ${readback} readback fails and says why`,
    async (gpu) => {
      const { faults } = await runKernel(gpu, {
        ...shape,
        source: "fn step_0() { cast_call(50000u); }",
        readback,
        refusals: "count",
        register: (server) => server.register(50_000, (port) => port.recv(() => {}).recv(() => {})),
      });
      assertStringIncludes(`${faults[0]?.cause}`, reason);
    },
  );
}

onDevice("a handler cannot await", async (gpu) => {
  const channel = Channel.create(shape);
  const kernel = await Kernel.create(gpu, { channel, waveCount: 1, source: "fn step_0() {}" });
  const epochs = await Epochs.create(kernel);
  await assertRejects(
    () => epochs.portWaiter.waitAsync(0, 0, { check() {}, leftMilliseconds: Infinity }),
    TypeError,
    "its receives are synchronous",
  );
  epochs.destroy();
});
