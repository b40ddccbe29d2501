import { assert, assertEquals, assertMatch } from "@std/assert";
import { runCharts, runTargetsText } from "./run_view.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";

/** The same sweep, with the cores far apart in every second sample. */
function moving(): ReturnType<typeof sweepRecords> {
  const twice = (seconds: readonly number[]) => seconds.flatMap((one) => [one, one * 6]);
  return sweepRecords().map((record) => ({
    ...record,
    latencySeconds: twice(record.latencySeconds),
    controlSeconds: twice(record.controlSeconds),
    references: {},
  }));
}

Deno.test("runTargetsText() gives one answer while the floor stands still, else two", () => {
  assertEquals(runTargetsText(sweepRecords()).match(/By /g), null);
  const text = runTargetsText(moving());
  assertMatch(text, /^By all samples:\nmissed/);
  assertMatch(text, /By the 50 % of samples taken while the floor was at most 14\d ns:\nmissed/);
});

Deno.test("runCharts() draws the near samples, and says so", async () => {
  const [still] = runCharts(sweepRecords());
  assert(!(await still!.chart.svg()).includes("% of samples"));
  const [moved] = runCharts(moving());
  assert((await moved!.chart.svg()).includes("Of the 50 % of samples taken"));
});

Deno.test("runCharts() says nothing of near samples where the floor is another", async () => {
  const [first] = moving();
  const typed = { ...first!, scenario: "linear_cost", control: "plain_ports" };
  const [noted, other] = runCharts([first!, typed]).filter(({ name }) => name !== "waiting");
  assert((await noted!.chart.svg()).includes("% of samples taken"));
  assertEquals(other!.name, "linear_cost");
  assert(!(await other!.chart.svg()).includes("% of samples taken"));
});

Deno.test("runCharts() draws a point without near samples from all it has, and says so", async () => {
  const far = moving().map((record) =>
    record.scenario === "round_trip"
      ? { ...record, controlSeconds: record.controlSeconds.map(() => 9e-7) }
      : record
  );
  assertEquals(runCharts(far).map(({ name }) => name), runCharts(moving()).map(({ name }) => name));
  const svg = await runCharts(far)[0]!.chart.svg();
  assert(svg.includes("and all samples of 8 points with too few of those"));
});
