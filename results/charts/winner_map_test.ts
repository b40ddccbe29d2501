import { assertEquals } from "@std/assert";
import { winnersOf, winnersText } from "../report/answer.ts";
import { summarize } from "../statistics/summary.ts";
import { copyRecords } from "../testdata/copy_records.ts";
import { winnerMap } from "./winner_map.ts";

function mapOf(options: Parameters<typeof copyRecords>[0]) {
  const records = copyRecords(options);
  const winners = winnersOf(records, "copy");
  return winnerMap(winners, { rows: summarize(records), answer: winnersText(winners) });
}

Deno.test("winnerMap() has a field for each place, and names nobody where nothing is sure", () => {
  const spec = mapOf({ entries: [1, 256], roundCount: 2 })!;
  const { values } = spec.data as { values: { place: number; winner: string; text: string }[] };
  assertEquals(values.map(({ place, winner }) => [place, winner]), [
    ...[[1, "not sure"], [256, "not sure"]],
  ]);
  assertEquals(values[0]!.text, "entries 1: json 2.0 times faster than clone");
});

Deno.test("winnerMap() is none of a single place", () => {
  assertEquals(mapOf({ entries: [1], roundCount: 5 }), undefined);
});
