import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { RunRecord } from "../../bench/record/record.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { summarize } from "../statistics/summary.ts";
import { gpuRecords } from "../testdata/gpu_records.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { copyRecords } from "../testdata/copy_records.ts";
import { makeCharts } from "./make_charts.ts";

function namesOf(charts: ReturnType<typeof makeCharts>): string[] {
  return charts.map(({ name }) => name);
}

Deno.test("makeCharts() has for each scenario and each axis that moves alone the time and the ratio", async () => {
  const gpu = gpuRecords().map((record) => ({ ...record, runId: sampleRecord.runId }));
  const charts = makeCharts(summarize([...gpu.toReversed(), ...sweepRecords()]));
  assertEquals(namesOf(charts).filter((name) => !name.endsWith("_ratio")), [
    "round_trip",
    "round_trip_waiting",
    "many_clients",
    "many_clients_one_client",
    "gpu_epoch",
    "gpu_epoch_callsPerWave",
    "gpu_live",
    "gpu_lock",
    "gpu_lock_lock",
    "gpu_server",
    "gpu_server_laneCount",
  ]);
  assert(namesOf(charts).includes("round_trip_waiting_ratio"));
  for (const { name, scenario, chart } of charts) {
    assert(name.startsWith(scenario));
    const svg = await chart.svg();
    assert(svg.startsWith("<svg") && !/NaN|undefined/.test(svg), name);
  }
  assertEquals(makeCharts([]), []);
});

Deno.test("makeCharts() draws no ratio where there is no floor, and none of a floor to itself", () => {
  const { control: _, ...alone } = sampleRecord;
  assertEquals(namesOf(makeCharts(summarize([{ ...alone, controlSeconds: [] }]))), ["round_trip"]);
  const itself = { ...sampleRecord, scenario: "ping_pong" };
  assertEquals(namesOf(makeCharts(summarize([itself]))), ["ping_pong"]);
});

Deno.test("makeCharts() draws processor time where it was counted", () => {
  const counted = { ...sampleRecord, cpuSecondsPerCall: [4e-7, 5e-7] };
  const names = namesOf(makeCharts(summarize([counted])));
  assertEquals(names, ["round_trip", "round_trip_ratio", "round_trip_cpu"]);
});

Deno.test("makeCharts() draws bytes a second where the records say how many a call moves", () => {
  const charts = makeCharts(summarize([{ ...sampleRecord, bytesPerCall: 201 }]));
  assertEquals(namesOf(charts), ["round_trip", "round_trip_ratio", "round_trip_bytes"]);
  const { values } = charts.at(-1)!.chart.spec.data as { values: { figure: number }[] };
  assertEquals(Math.round(values[0]!.figure / 1e6), 1000); // 201 bytes in 201 ns
});

Deno.test("makeCharts() draws a scenario that this project does not know", () => {
  const rows = summarize([{ ...sampleRecord, scenario: "of_tomorrow" }]);
  assertEquals(namesOf(makeCharts(rows)), ["of_tomorrow", "of_tomorrow_ratio"]);
});

Deno.test("makeCharts() shares turns out, and draws the main reference, as the records say", () => {
  const [whole] = sweepRecords().filter(({ scenario }) => scenario === "many_clients");
  const figureOf = (record: RunRecord) => {
    const [{ chart }] = makeCharts(summarize([record])) as [ReturnType<typeof makeCharts>[number]];
    return (chart.spec.data as { values: { figure: number }[] }).values[0]!.figure;
  };
  assertAlmostEquals(16 * figureOf({ ...whole!, callsPerTurn: 16 }), figureOf(whole!), 1e-15);
  const { mainReference: _, ...without } = whole!;
  assertEquals(namesOf(makeCharts(summarize([without]))), ["many_clients", "many_clients_ratio"]);
});

Deno.test("makeCharts() has answers as titles and a map of winners, given the records", async () => {
  const records = copyRecords({ entries: [1, 256], roundCount: 5 });
  const charts = makeCharts(summarize(records), { records });
  assertEquals(namesOf(charts), ["copy_winners", "copy"]);
  for (const { chart } of charts) {
    const { text, subtitle } = chart.spec.title as { text: string[]; subtitle: string[] };
    assertEquals(
      text.join(" "),
      "json is fastest at entries 1, 2.0 (2.0 to 2.0) times faster than clone; clone is fastest at " +
        "entries 256, 4.0 (4.0 to 4.0) times faster than json",
    );
    assertEquals(subtitle[0], "What is the cheapest way to copy a message?");
    assert(!/NaN|undefined/.test(await chart.svg()));
  }
  const fields = (charts[0]!.chart.spec.data as { values: { label: string }[] }).values;
  assertEquals(fields.map(({ label }) => label), ["json\n2.0×", "clone\n4.0×"]);
  assertEquals(namesOf(makeCharts(summarize(records))), ["copy"]);
  const one = copyRecords({ entries: [1], roundCount: 5 });
  assertEquals(namesOf(makeCharts(summarize(one), { records: one })), ["copy"]);
});
