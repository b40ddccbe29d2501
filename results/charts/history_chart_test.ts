import { assert, assertEquals } from "@std/assert";
import { historyOf } from "../report/runs/history.ts";
import { runHistory } from "../testdata/run_history.ts";
import { Chart } from "./chart.ts";
import { historyChart } from "./history_chart.ts";

Deno.test("historyChart() has the commits in order, and a mark with its size at a change", async () => {
  const records = runHistory(8, (run) => run < 4 ? 1 : 1.5);
  const spec = historyChart(historyOf(records.map((record) => [record])));
  const { values } = spec.data as { values: { run: number; change?: string; commit: string }[] };
  assertEquals(values.flatMap(({ run, change, commit }) => change ? [[run, change, commit]] : []), [
    [5, "× 1.50", "4444444"],
  ]);
  const svg = await new Chart(spec).svg();
  for (const text of ["0000000", "7777777", "× 1.50", "1 of 1 points changed"]) {
    assert(svg.includes(text), text);
  }
  assert(!/NaN|undefined/.test(svg));
});
