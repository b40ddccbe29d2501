import { assert, assertEquals, assertRejects } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { LiveBed, translate } from "./live_bed_test.ts";
import { directCode } from "./live_direct.ts";
import { liveSource } from "./live_source.ts";

const ASK = "@service(40000) fn ask(x: u32) -> u32;\n";

function directOf(text: string): string | undefined {
  const layout = channelLayout({ portCount: 2, laneCount: 1 });
  return directCode(liveSource(text, { layout }));
}

Deno.test("directCode() leaves the author's functions where they are, and other functions out", () => {
  const text = `${ASK}fn other() -> u32 { return ask(2u); }
    @service(40001)
    @cast fn unused(v: vec3f);
    fn kernel() { _ = ask(1u); }`;
  const code = directOf(text)!;
  translate(code);
  assertEquals(code.split("\n").findIndex((line) => line.includes("fn kernel()")), 4);
  assert(!/fn (?:other|run_steps|wave_call)\b/.test(code));
});

Deno.test("directCode() leaves to steps what lanes have to be brought together for", () => {
  const calls = "_ = ask(1u);";
  assert(directOf(`${ASK}fn kernel() { ${calls} }`));
  for (
    const text of [
      "fn step_0() { call(40000u); }",
      `fn kernel() { printf("a line\\n"); }`,
      "fn kernel() { storageBarrier(); }",
      `${ASK}fn kernel() { begin(40000u); close(); }`,
      // An error tells the place of a call, and the chain of functions that led there.
      `${ASK}fn kernel() { ${calls} ${calls} }`,
      `${ASK}fn inner() { ${calls} }\nfn kernel() { inner(); }`,
      `${ASK}fn kernel() { ${calls} assert(lane_index < 9u); }`,
      `${ASK}fn direct_opens() {}\nfn kernel() { ${calls} }`,
    ]
  ) assertEquals(directOf(text), undefined, text);
});

/** Where a function may be when its lane ends: each goes on to what must not be done. */
const PLACES = [
  "_ = ask(1u);",
  "if ask(1u) == 1u { return; } else if lane_index == 9u { return; }",
  "switch ask(1u) { default: { results[0] = 2u; } }",
  "while ask(1u) != 1u { results[0] = 3u; }",
  "for (var x = 0u; x < 9u; x += ask(1u)) { if x > 0u { results[0] = 4u; } }",
  "loop { continuing { break if ask(1u) == 1u; } }",
];

onLiveDevice("a lane that has to end does nothing more, wherever it is", async (device) => {
  for (const [wave, laneCount] of [["workgroup", 1], ["subgroup", 3]] as const) {
    const bed = new LiveBed(device, { portCount: 2, laneCount });
    for (const place of PLACES) {
      const source = `${ASK}@group(1) @binding(0) var<storage, read_write> results: array<u32>;
        fn kernel() {
          ${place}
          results[0] = 1u;
        }`;
      const { kernel, results } = await bed.kernel({ source, wave, waveCount: 1 });
      const run = () => kernel.runAsync(undefined, { roundsMax: 300 });
      await assertRejects(run, DOMException, "1 of 1 waves waited for longer than roundsMax");
      assertEquals(results[0], 0, place);
    }
  }
});
