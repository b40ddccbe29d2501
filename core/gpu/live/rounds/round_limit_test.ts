import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { until } from "../../../testing/conformance/test_bed.ts";
import { type LiveDevice, requestLiveDevice } from "../device/live_device.ts";
import { LiveBed, translate } from "../kernel/live_bed_test.ts";
import { LiveGpu } from "../kernel/live_gpu.ts";
import { liveSource } from "../kernel/live_source.ts";
import { countingRounds, leavesLoops } from "./round_limit.ts";

/** Why no test here can have such a device, as where the preload has chosen SwiftShader. */
function obstacleHere(): string | undefined {
  try {
    requestLiveDevice({ name: "llvmpipe" })[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const obstacle = obstacleHere();

function onLlvmpipe(name: string, run: (device: LiveDevice) => Promise<void>): void {
  Deno.test({
    name: obstacle === undefined ? name : `${name} (${obstacle})`,
    ignore: obstacle !== undefined,
    async fn() {
      using device = requestLiveDevice({ name: "llvmpipe" });
      await run(device);
    },
  });
}

Deno.test("waves pause where a device leaves loops, unless their lanes share memory", () => {
  assertEquals(leavesLoops({ name: "SwiftShader Device (Subzero)" }), false);
  assertEquals(leavesLoops({ name: "llvmpipe (LLVM 15.0.6, 256 bits)" }), true);
  const layout = channelLayout({ portCount: 1, laneCount: 1 });
  const source = liveSource("fn kernel() {}", { layout });
  assertEquals([source.edited, source.direct?.includes("direct_run(")], [undefined, true]);
  const limited = liveSource("fn kernel() {}", { layout, leavesLoops: true });
  assertEquals([limited.edited, limited.direct], [countingRounds, undefined]);
  assertEquals(limited.pausedBytes, 96);
  const shared = "var<workgroup> x: u32;\nfn kernel() { x = 1u; }";
  assertEquals(liveSource(shared, { layout, leavesLoops: true }).edited, undefined);
});

Deno.test("countingRounds() counts the loops within a round, of called functions as well", () => {
  const code = "fn f() { while true { } for (;;) { } }\nfn g() { loop { f(); f(); loop { } } }";
  const counted = countingRounds(code);
  assertStringIncludes(counted, "loop_rounds++; while true { loop_rounds += 1u;");
  assertStringIncludes(counted, "loop_rounds++; loop { loop_rounds += 6u;  f();");
});

function counting(times: number): string {
  return `
  @group(1) @binding(0) var<storage, read_write> wrong: array<u32>;
  @service(40000) fn increment(nonce: u32) -> u32;
  var<private> skipped: u32;
  fn kernel() {
    let me = wave_index * LANE_COUNT + lane_index;
    var nonce = me * 2654435761u;
    var wrong_count = 0u;
    for (var time = 0u; time < ${times}u; time++) {
      if (time + lane_index) % 3u == 2u { skipped++; continue; }
      let answer = increment(nonce);
      if answer != nonce + 1u { wrong_count++; }
      nonce = answer * 1664525u + time;
    }
    wrong[me] = (wrong_count << 24u) + skipped;
  }`;
}

for (
  const [times, laneCount, waveCount, wave] of [
    [100_000, 1, 1, "workgroup"],
    [1500, 4, 5, "workgroup"],
    [1500, 8, 2, "subgroup"],
  ] as const
) {
  onLlvmpipe(
    `${waveCount} waves of ${laneCount} lanes go on in other dispatches: ${wave}`,
    async (device) => {
      const bed = new LiveBed(device, { portCount: 2, laneCount });
      const resultWords = laneCount * waveCount;
      const source = counting(times);
      const { kernel, results } = await bed.kernel({ source, wave, waveCount, resultWords });
      await kernel.runAsync(bed.server());
      const skipped = Array.from({ length: resultWords }, (_, index) => {
        const lane = index % laneCount;
        return Array.from({ length: times }, (_, time) => time)
          .filter((time) => (time + lane) % 3 === 2).length;
      });
      assertEquals([...results], skipped);
    },
  );
}

onLlvmpipe("waves that nobody serves end by a signal and by roundsMax", async (device) => {
  const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
  const { kernel } = await bed.kernel({ source: counting(1), waveCount: 2 });
  // More than one dispatch may have.
  const waits = () => kernel.runAsync(undefined, { roundsMax: 100_000 });
  await assertRejects(waits, DOMException, "2 of 2 waves waited for longer than roundsMax");
  const signal = AbortSignal.timeout(200);
  await assertRejects(() => kernel.runAsync(undefined, { signal }), DOMException, "timeout");
  assertEquals(bed.channel.words.load(bed.channel.layout.clientLockWord), 0);
});

onLlvmpipe(
  "waves that are paused when their kernel is disposed of hold no ports",
  async (device) => {
    const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
    const { kernel } = await bed.kernel({ source: counting(1), waveCount: 2 });
    const run = kernel.runAsync();
    const rejected = assertRejects(() => run, DOMException, "disposed of while it ran");
    const lock = () => bed.channel.words.load(bed.channel.layout.clientLockWord);
    await until(() => lock() !== 0);
    // A dispatch ends that this thread does not see: between two of them waves are paused.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    kernel[Symbol.dispose]();
    await rejected;
    assertEquals(lock(), 0);
  },
);

onLlvmpipe("lines come whole and in order from waves that pause", async (device) => {
  let text = "";
  await new LiveGpu(device, translate).run(
    `fn kernel() {
      for (var time = 0u; time < 400u; time++) { printf("%u of %u\\n", time, wave_index); }
    }`,
    { laneCount: 1, waveCount: 2, print: (part) => text += part },
  );
  const lines = text.trimEnd().split("\n");
  for (const wave of [0, 1]) {
    const own = lines.filter((line) => line.endsWith(`of ${wave}`));
    assertEquals(own, Array.from({ length: 400 }, (_, time) => `${time} of ${wave}`));
  }
});
