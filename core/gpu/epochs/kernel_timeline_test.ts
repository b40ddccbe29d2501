import { assertEquals, assertThrows } from "@std/assert";
import { gpu as device, onDevice } from "../device/on_device_test.ts";
import { openGpu } from "../run/gpu.ts";
import { KernelTimeline, type TraceEvent } from "./kernel_timeline.ts";
import type { Packet } from "../../memory/packet.ts";

onDevice(
  "a timeline has every epoch, the calls that overlap, and the waves under way",
  async () => {
    assertEquals(device === undefined, false);
    using gpu = await openGpu();
    const timeline = new KernelTimeline();
    const source = `@service fn slow(x: u32) -> u32; @service fn fast(x: u32) -> u32;
    fn kernel() { _ = fast(slow(wave_index)); }`;
    const functions = {
      slow: async (x: number) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return x;
      },
      fast: (x: number) => x,
    };
    const { epochCount } = await gpu.run(source, {
      functions,
      waveCount: 3,
      laneCount: 2,
      timeline,
    });
    const { traceEvents, displayTimeUnit } = JSON.parse(JSON.stringify(timeline));
    const events = (wanted: RegExp) =>
      (traceEvents as TraceEvent[]).filter(({ name, ph }) => ph !== "M" && wanted.test(name));
    assertEquals(displayTimeUnit, "ms");
    assertEquals(events(/^epoch \d/).length, epochCount);
    const slow = events(/^slow$/);
    assertEquals(slow.map(({ args }) => args.lanes), [2, 2, 2]);
    assertEquals(new Set(slow.map(({ tid }) => tid)).size, 3);
    assertEquals(slow.every(({ dur }) => dur! >= 4000), true);
    assertEquals(events(/^fast$/).length, 3);
    assertEquals(Math.max(...events(/^waves/).map(({ args }) => Number(args.waves))), 3);
    for (const { ts, dur = 0 } of events(/./)) assertEquals(ts >= 0 && dur >= 0, true);
  },
);

Deno.test("KernelTimeline ends the call of a service that throws", () => {
  const timeline = new KernelTimeline();
  const packet = { forEachLane: () => {} } as unknown as Packet;
  const failing = timeline.timed("bad", () => {
    throw new Error("as it is");
  });
  for (const _ of [1, 2]) assertThrows(() => failing(packet), Error, "as it is");
  const events = timeline.toJSON().traceEvents as readonly TraceEvent[];
  const tracks = events.filter(({ name }) => name === "bad");
  assertEquals(tracks.map(({ tid }) => tid), [3, 3]);
  assertEquals(timeline.lostCount, 0);
});
