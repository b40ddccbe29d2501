import { assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
import { summarize } from "../../statistics/summary.ts";
import { machineTable } from "./machine_table.ts";

Deno.test("machineTable() has a column for each machine, and a dash where one has no such point", () => {
  const other = { ...sampleRecord, pointId: "other", controlSeconds: [] };
  const rows = [[sampleRecord, other], [sampleRecord], [other]].map(summarize);
  const html = machineTable(rows.map((rows, at) => ({ heading: `<${at}>`, rows })));
  assertEquals(html.match(/<th scope="col">&#60;\d&#62;/g)?.length, 3);
  assertMatch(
    html,
    /spin\+spin<.th><td class="number">201 ns, 2\.0 × floor<.td>.*<td class="number">–<.td><.tr>/,
  );
  assertMatch(html, /round_trip other<.th><td class="number">201 ns</);
});

Deno.test("machineTable() is empty where no two machines share a point", () => {
  const rows = [sampleRecord, { ...sampleRecord, pointId: "other" }].map((one) => summarize([one]));
  assertEquals(machineTable(rows.map((rows) => ({ heading: "a", rows }))), "");
});
