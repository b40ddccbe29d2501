import { assertEquals, assertRejects } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { type LiveDevice, requestLiveDevice } from "../device/live_device.ts";
import { LiveRun } from "../device/live_run.ts";
import { liveObstacle, onLiveDevice } from "../device/on_live_device_test.ts";
import { VulkanError } from "../vulkan/vulkan.ts";
import { LiveBed } from "./live_bed_test.ts";

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
          ...["--lock=.ci/deno.lock", "--preload=bench/adapters/software_gpu.ts", PROGRAM, mode],
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
    const bed = new LiveBed(one, channel);
    const { kernel, results } = await bed.kernel({ source, waveCount: 2, resultWords: 4 });
    const { packetCount } = await kernel.runAsync(bed.server());
    return { packetCount, sums: [...results] };
  });
  const expected = { packetCount: 1000, sums: [500, 500, 500, 500] };
  assertEquals(await Promise.all(runs), [expected, expected]);
});

onLiveDevice(
  "calls that were made before a run ends early are done, and none after",
  async (device) => {
    const bed = new LiveBed(device, { portCount: 2, laneCount: 1 });
    const { channel } = bed;
    const { hintWord, clientOutboxWord } = channel.layout;
    const source =
      "@service(40000) fn end() -> u32; fn kernel() { loop { if end() == 9u { break; } } }";
    const { kernel } = await bed.kernel({ source, waveCount: 2, buffers: [] });
    const server = bed.server();
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

const ASKS = "@service(40000) fn ask() -> u32; fn kernel() { _ = ask(); }";

onLiveDevice("a server that throws ends the run, and the next one is served", async (device) => {
  const { bed, kernel } = await bedOf(device, ASKS);
  const error = new Error("no disk");
  const broken = { runOnce: () => fail(error), runAll: () => 0 };
  assertEquals(await assertRejects(() => kernel.runAsync(broken)), error);
  assertEquals(kernel.isRunning, false);
  assertEquals((await kernel.runAsync(bed.server())).packetCount, 1);
});

onLiveDevice("the ports of a lost device's waves are free again", async (device) => {
  const { channel: { words, layout }, kernel } = await bedOf(device, ASKS);
  const real = Object.getOwnPropertyDescriptor(LiveRun.prototype, "isDone")!;
  let isLost = false;
  const get = () => {
    if (isLost || words.load(layout.clientLockWord) === 0) return isLost;
    isLost = true;
    throw new VulkanError("a kernel", -4);
  };
  Object.defineProperty(LiveRun.prototype, "isDone", { ...real, get });
  try {
    await assertRejects(() => kernel.runAsync(), VulkanError, "VK_ERROR_DEVICE_LOST");
  } finally {
    Object.defineProperty(LiveRun.prototype, "isDone", real);
  }
  assertEquals(words.load(layout.clientLockWord), 0);
});

onLiveDevice("waves that were given up are forgotten once they have left", async (device) => {
  // The device runs one of the two at a time: the second waits for the end of the first.
  const first = await bedOf(
    device,
    `@group(1) @binding(0) var<storage, read_write> gate: array<atomic<u32>>;
    fn kernel() { loop { if atomicLoad(&gate[0]) != 0u { break; } } }`,
  );
  const second = await bedOf(device, "fn kernel() {}");
  const late = () => ({ signal: AbortSignal.timeout(100) });
  const whys = ["a loop without calls cannot be interrupted; 1 of 1", "they wait for what else"];
  await Promise.all([first, second].map(({ kernel }, at) => {
    const text = `1 waves have not left 5 s after they were told to: ${whys[at]}`;
    return assertRejects(() => kernel.runAsync(undefined, late()), DOMException, text);
  }));
  for (const { kernel } of [first, second]) {
    await assertRejects(() => kernel.runAsync(), TypeError, "as it runs already");
  }
  first.results[0] = 1;
  for (const { kernel } of [first, second]) {
    while (kernel.isRunning) await new Promise((resolve) => setTimeout(resolve));
    await kernel.runAsync();
  }
});

/** A channel of one port, and a kernel of one wave on it. */
async function bedOf(device: LiveDevice, source: string) {
  const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
  return { bed, channel: bed.channel, ...await bed.kernel({ source, waveCount: 1 }) };
}

function fail(error: Error): never {
  throw error;
}
