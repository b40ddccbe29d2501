import { assertEquals } from "@std/assert";
import { Server } from "../../../toggle/server/server.ts";
import { Channel } from "../../../toggle/channel.ts";
import { requestLiveDevice } from "../device/live_device.ts";
import { liveObstacle, onLiveDevice } from "../device/on_live_device_test.ts";
import { translate } from "./live_bed_test.ts";
import { LiveKernel } from "./live_kernel.ts";

const PROGRAM = new URL("./testdata/live_gpu_program.ts", import.meta.url).href;

for (
  const [what, mode, said] of [
    [
      "a run goes on while all that nobody holds is collected",
      "collect",
      "4950 4950 4950 4950 4950,4950",
    ],
    [
      "a kernel that never ends is told of, and its program ends",
      "endless",
      "TimeoutError: Cannot end the kernel as 1 waves have not left 5 s after they were told to: " +
      "a loop without calls cannot be interrupted; 1 of 1 waves have begun",
    ],
  ] as const
) {
  Deno.test({
    name: what,
    ignore: liveObstacle !== undefined,
    async fn() {
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "-A", "--no-check", "--quiet", "--v8-flags=--expose-gc"],
          ...["--preload=bench/adapters/software_gpu.ts", PROGRAM, mode],
        ],
        env: { NO_COLOR: "1" },
      }).output();
      const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
      assertEquals({ code, out, error }, { code: 0, out: said, error: "" });
    },
  });
}

onLiveDevice("waves of two devices are clients of one channel", async (device) => {
  using other = requestLiveDevice();
  const channel = Channel.create({ portCount: 3, laneCount: 2 });
  const source = `
    @group(1) @binding(0) var<storage, read_write> sums: array<u32>;
    @service(40000) fn next(x: u32) -> u32;
    fn kernel() {
      var x = 0u;
      for (var time = 0u; time < 500u; time++) { x = next(x); }
      sums[wave_index * 2u + lane_index] = x;
    }`;
  const runs = [device, other].map(async (one) => {
    const results = one.createBuffer(4 * 4, "host");
    const kernel = await LiveKernel.create(one, {
      source,
      channel,
      memory: one.importBuffer(channel.handle.buffer),
      waveCount: 2,
      buffers: [results],
      translate,
    });
    const server = new Server(channel, { waiter: "spin" });
    server.operate(
      40_000,
      (packet) =>
        packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1)),
    );
    const { packetCount } = await kernel.runAsync(server);
    return { packetCount, sums: [...new Uint32Array(results.words!)] };
  });
  const expected = { packetCount: 1000, sums: [500, 500, 500, 500] };
  assertEquals(await Promise.all(runs), [expected, expected]);
});

onLiveDevice(
  "calls that were made before a run ends early are done, and none after",
  async (device) => {
    const channel = Channel.create({ portCount: 2, laneCount: 1 });
    const { hintWord, clientOutboxWord } = channel.layout;
    const kernel = await LiveKernel.create(device, {
      source: "@service(40000) fn end() -> u32; fn kernel() { loop { if end() == 9u { break; } } }",
      channel,
      memory: device.importBuffer(channel.handle.buffer),
      waveCount: 2,
      translate,
    });
    const server = new Server(channel, { waiter: "spin" });
    let servedCount = 0;
    let tell: (() => void) | undefined;
    server.operate(40_000, () => {
      servedCount++;
      tell?.();
    });
    // A wave marks the hint after it has flipped its outbox.
    const haveBothAsked = () => channel.words.load(hintWord) === 0b11;
    const hasEachAskedOnce = () =>
      [0, 1].every((index) => channel.words.load(clientOutboxWord + index) === 1);
    await kernel.runAsync({
      // One of the two, once both are there; and then its wave has the time to call again.
      runOnce() {
        if (servedCount > 0 || !haveBothAsked() || !server.runOnce()) return false;
        for (let looks = 0; looks < 1e6 && hasEachAskedOnce(); looks++);
        return true;
      },
      runAll: () => server.runAll(),
      get hasEnded() {
        return servedCount > 0;
      },
      tellEnd: (listener) => tell = listener,
    });
    assertEquals(servedCount, 2);
  },
);
