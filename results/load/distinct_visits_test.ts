import { assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { distinctVisits } from "./distinct_visits.ts";

const other = { ...sampleRecord, pointId: "size=2" };

Deno.test("distinctVisits() counts a record once, wherever else it was", () => {
  const records = [sampleRecord, other, { ...sampleRecord, round: 1 }];
  const copies = records.map((record) => ({ ...record }));
  const loaded = distinctVisits({
    records: [...records, ...copies],
    unmeasured: [],
    problems: ["a"],
  });
  assertEquals(loaded.records, records);
  assertEquals(loaded.problems, ["a"]);
  assertEquals(loaded.notes, ["3 records were there twice and count once"]);
  assertEquals(distinctVisits({ records, unmeasured: [], problems: [] }).notes, []);
});

Deno.test("distinctVisits() keeps what differs, and says so", () => {
  const again = { ...sampleRecord, seed: 8 };
  const ofAnotherRun = { ...sampleRecord, runId: "b" };
  const records = [sampleRecord, again, ofAnotherRun];
  const loaded = distinctVisits({ records, unmeasured: [], problems: [] });
  assertEquals(loaded.records, records);
  assertEquals(loaded.notes, [
    "1 visits were measured more than once, such as round_trip " +
    "portCount=1;laneCount=1;waiting=spin+spin 0: each counts as a round of its own",
  ]);
});
