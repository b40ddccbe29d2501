import { assertEquals, assertGreater } from "@std/assert";
import { join } from "@std/path";
import { makeCharts } from "../charts/make_charts.ts";
import { summarize } from "../statistics/summary.ts";
import { publishRun } from "./publish.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

Deno.test("publishRun() writes each chart, then the report, all named after the run", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const paths = await publishRun(sweepRecords(), { folder });
  const names = makeCharts(summarize(sweepRecords())).map(({ name }) => `sample_${name}.png`);
  assertGreater(names.length, 4);
  assertEquals(paths, [...names, "sample.html"].map((name) => join(folder, "pictures", name)));
  for (const path of paths) assertGreater((await Deno.stat(path)).size, 1000);
  assertEquals(await publishRun([], { folder }), []);
});
