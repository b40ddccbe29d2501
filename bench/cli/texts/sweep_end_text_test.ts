import { assertEquals, assertMatch } from "@std/assert";
import type { RunRecord } from "../../record/record.ts";
import { sampleRecord } from "../../record/testdata/sample_record.ts";
import { decidesText, doubtText, nextLines, sweepEndText } from "./sweep_end_text.ts";

const { stopReason: _, ...plain } = sampleRecord;

Deno.test("sweepEndText() counts each reason in words, and is empty where nothing is known", () => {
  const records = (["precise", "settled", "precise", "time"] as const).map((stopReason) => ({
    ...sampleRecord,
    stopReason,
  }));
  assertEquals(
    sweepEndText(records),
    "sampling ended: precise enough 2, its noise had settled 1, its time was over 1",
  );
  assertEquals(sweepEndText([plain]), "");
});

Deno.test("sweepEndText() says at how many visits the machine was too busy", () => {
  const records = [0.05, 0.4, 0.15].map((otherShare): RunRecord => ({
    ...plain,
    noise: { otherShare, wallStepSeconds: 0, collectedBytes: 0 },
  }));
  assertEquals(
    sweepEndText(records),
    "the machine was too busy at 2 of 3 visits: other programs used up to 40 % of the processors' " +
      "time; trust ratios, and repeat the sweep when it is idle",
  );
});

Deno.test("sweepEndText() compares a floor from visit to visit, where it should be the same", () => {
  const records = [1, 1.2, 1.5].map((times): RunRecord => ({
    ...plain,
    controlSeconds: plain.controlSeconds.map((seconds) => seconds * times),
  }));
  assertEquals(
    sweepEndText(records),
    "the floor ping_pong took 101 ns to 151 ns from visit to visit: compare ratios, not times",
  );
  assertEquals(sweepEndText(records.slice(0, 2)), "");
  const own = records.map((record) => ({ ...record, hasFixedFloor: false }));
  assertEquals(sweepEndText(own), "");
});

Deno.test("decidesText() says which changes two such runs tell apart, or that they decide nothing", () => {
  const two = [sampleRecord, { ...sampleRecord, pointId: "other" }];
  for (const records of [two.slice(1), two]) {
    assertEquals(
      decidesText(records),
      "A look, with 1 visit of a point: 5 give ranges.",
    );
  }
  const rounds = [0.98, 0.99, 1, 1.01, 1.02, 1.03].map((share, round) => ({
    ...sampleRecord,
    round,
    latencySeconds: sampleRecord.latencySeconds.map((one) => one * share),
  }));
  assertMatch(decidesText(rounds), /^Two runs like this one tell [\d.]+ % apart\.$/);
});

Deno.test("doubtText() says how sure a run is, and what moved meanwhile", () => {
  const records = [1, 1.5].map((times): RunRecord => ({
    ...plain,
    controlSeconds: plain.controlSeconds.map((seconds) => seconds * times),
  }));
  assertEquals(
    doubtText(records),
    "A look, with 2 visits of a point: 5 give ranges. The floor ping_pong took 101 ns to " +
      "151 ns from visit to visit: compare ratios, not times.",
  );
  assertEquals(doubtText([]), "");
});

Deno.test("nextLines() tells what one may do, and of somebody's own scenario something else", () => {
  const own = { ...sampleRecord, moduleUrl: "file:///mine.ts" };
  const [shown, , third] = nextLines([sampleRecord]);
  assertMatch(shown!, /^Next: deno task bench --detail --from/);
  assertMatch(third!, /^ +deno task bench --scenario/);
  assertMatch(nextLines([own])[2]!, /^ +deno task bench --against/);
  assertEquals(nextLines([]), ["Next: see why above"]);
});
