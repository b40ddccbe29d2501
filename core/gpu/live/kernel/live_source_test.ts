import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { LiveBed } from "./live_bed_test.ts";
import { LIVE_WORDS, liveSource, LiveWord } from "./live_source.ts";

const LAYOUT = channelLayout({ portCount: 1, laneCount: 1 });

Deno.test("liveSource() copies no more words of a reply than the steps read", () => {
  const wordsOf = (text: string) =>
    /const REPLY_WORDS = (\d+)u/.exec(liveSource(text, { layout: LAYOUT }).code)?.[1];
  assertEquals(wordsOf("fn kernel() {}"), "1");
  assertEquals(
    wordsOf("fn step_0() { call(40000u); } fn step_1() { _ = reply(2u) + reply(1); }"),
    "3",
  );
  assertEquals(wordsOf("fn step_0() { let at = 1u; _ = reply(at); _ = reply(0u); }"), "16");
  assertEquals(wordsOf("fn step_0() { _ = reply(99u); }"), "16");
  const sent = (text: string) =>
    /const SENT_WORDS = (\d+)u/.exec(liveSource(text, { layout: LAYOUT }).code)?.[1];
  assertEquals(sent("fn step_0() { packet_set(2u, 1u); packet_set(0, 1u); }"), "3");
  assertEquals(sent("fn step_0() { let at = 1u; packet_set(at, 1u); packet_set(0u, 1u); }"), "16");
});

Deno.test("liveSource() refuses workgroups of several waves, which could keep each other from running", () => {
  const error = assertThrows(
    () => liveSource("fn kernel() {}", { layout: LAYOUT, wavesPerGroup: 2 }),
    RangeError,
  );
  assert(error.message.includes("wavesPerGroup must be an integer from 1 to 1"), error.message);
});

Deno.test("words that the host writes share no line with those that waves write", () => {
  const lineOf = (word: number) => Math.floor(word / 32);
  const lines = Object.entries(LiveWord).map(([name, word]) => [name, lineOf(word)] as const);
  const ofHost = new Set(["leave", "ownerId", "roundsMax"]);
  for (const [name, line] of lines) assertEquals(line === 0, ofHost.has(name), name);
  assertEquals(Math.max(...Object.values(LiveWord)), LIVE_WORDS); // the states, one a wave
});

onLiveDevice("a loop of barriers ends by a signal", async (device) => {
  const bed = new LiveBed(device, { portCount: 1, laneCount: 4 });
  const source = `fn kernel() { loop { storageBarrier(); if wave_index == 9u { break; } } }
    @group(1) @binding(0) var<storage, read_write> unused: array<u32>;`;
  const { kernel } = await bed.kernel({ source, waveCount: 1 });
  const run = kernel.runAsync(undefined, { signal: AbortSignal.timeout(20) });
  await assertRejects(() => run, DOMException, "timeout");
});

onLiveDevice("a run whose kernel is disposed of rejects", async (device) => {
  const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
  const source = `@service(40000) fn ask(x: u32) -> u32; fn kernel() { _ = ask(1u); }`;
  const { kernel } = await bed.kernel({ source, waveCount: 1 });
  const run = kernel.runAsync(); // which nobody serves
  const rejected = assertRejects(() => run, DOMException, "disposed of while it ran");
  await new Promise((resolve) => setTimeout(resolve, 20));
  kernel[Symbol.dispose]();
  await rejected;
});
