import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { RunRecord } from "../../bench/record/record.ts";
import { sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { recordLine } from "../../bench/record/writer.ts";
import { historyOf, historyText } from "../report/runs/history.ts";
import { crowdedHistory, runHistory } from "../testdata/run_history.ts";
import { INDEX_NAME, indexRecords } from "./record_index.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

async function write(path: string, records: readonly RunRecord[]): Promise<void> {
  await Deno.writeTextFile(path, records.map(recordLine).join(""));
}

Deno.test("indexRecords() says what a report of the same records says, and reads what is new", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const records = runHistory(9, (run) => run < 5 ? 1 : 1.3);
  await Deno.mkdir(`${folder}/older`);
  await write(`${folder}/older/it's a.jsonl`, records.slice(0, 4));
  await write(`${folder}/b.jsonl`, records.slice(4, 6));
  const other = records.map((record) => ({
    ...record,
    machine: { ...record.machine, cpuModel: "Other" },
  }));
  await write(`${folder}/c.jsonl`, other.slice(0, 3));
  assertEquals((await indexRecords(folder)).histories[0]!.changes, []);
  await write(`${folder}/b.jsonl`, records.slice(4));
  await Deno.writeTextFile(`${folder}/d.jsonl`, `${recordLine(sampleUnmeasured)}{"cut`);
  const { histories, notes } = await indexRecords(folder);
  assertEquals([histories.length, notes], [1, []]);
  const [reported] = historyOf(records.map((record) => [record]));
  assertEquals(histories.map(historyText), [historyText(reported!)]);
  assertMatch(historyText(histories[0]!), /1\.30 times as long from commit 5555/);
  assertEquals(histories[0]!.entries.length, 9);
  assertEquals((await indexRecords(folder, { filter: "nowhere" })).histories, []);
  await write(`${folder}/b.jsonl`, crowdedHistory());
  const [quiet] = (await indexRecords(folder)).histories;
  assertEquals(
    historyText(quiet!),
    historyText(historyOf(crowdedHistory().map((one) => [one]))[0]!),
  );
  await Deno.remove(`${folder}/b.jsonl`);
  assertEquals((await indexRecords(folder)).histories, []);
});

Deno.test("indexRecords() says when there is nothing to read", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  await assertRejects(() => indexRecords(folder), TypeError, "there is no record of version 3");
  await assertRejects(() => indexRecords(`${folder}/none`), Deno.errors.NotFound);
});

Deno.test("indexRecords() makes an index that is damaged again, and leaves none where no record is", async () => {
  using scratch = new ScratchFolder();
  const index = `${scratch.path}/${INDEX_NAME}`;
  await assertRejects(() => indexRecords(scratch.path), TypeError);
  await assertRejects(() => Deno.stat(index), Deno.errors.NotFound);
  await Deno.writeTextFile(index, "cut off");
  await write(`${scratch.path}/a.jsonl`, runHistory(9, () => 1));
  assertEquals((await indexRecords(scratch.path)).histories.length, 1);
  assertEquals(JSON.parse(await Deno.readTextFile(index)).version, 1);
});
