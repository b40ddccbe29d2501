import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { loadRecords } from "../../results/load/load.ts";
import { mergeRecords } from "../record/merge_records.ts";
import { sampleRecord, sampleUnmeasured } from "../record/testdata/sample_record.ts";
import { recordLine } from "../record/writer.ts";
import { COMMAND, mergedText, optionsOf } from "./merge.ts";
import { readCommand } from "./options/command_options.ts";
import { endedModule } from "../machine/ended.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

async function merge(...args: readonly string[]): Promise<readonly [number, string, string]> {
  const { code, out, error } = await endedModule(new URL("./merge.ts", import.meta.url), ...args);
  return [code, out, error];
}

Deno.test("merge.ts joins the files of a folder into one that is loaded as one run", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const raw = join(folder, "raw");
  await Deno.mkdir(raw);
  const other = { ...sampleRecord, point: { size: 2 }, pointId: "size=2" };
  await Deno.writeTextFile(join(raw, "1of2.jsonl"), recordLine(sampleRecord));
  await Deno.writeTextFile(
    join(raw, "2of2.jsonl"),
    recordLine(other) + recordLine(sampleRecord) + recordLine(sampleUnmeasured) + '{"torn',
  );
  const out = join(folder, "whole.jsonl");
  const [code, text, problem] = await merge("--out", out, raw);
  assertEquals(code, 1, "a torn line is told");
  assertMatch(problem, /2of2.jsonl:4: .* was the line cut off/);
  assertMatch(
    text,
    /^2 visits from 1 input, 1 line there twice, 1 failure measured/,
  );
  const { records, unmeasured } = await loadRecords(out);
  assertEquals([records.length, unmeasured.length], [2, 0]);
  assertMatch(
    (await merge("--out", out, raw))[2],
    /Cannot merge into .*whole.jsonl as it exists/,
  );
  const empty = join(folder, "empty.jsonl");
  await Deno.writeTextFile(empty, "");
  assertEquals(await merge("--out", join(folder, "new.jsonl"), empty), [
    2,
    "",
    `Cannot merge as there is no record in ${empty}\n`,
  ]);
  const [again, , refusal] = await merge("--out", out, raw, "--duplicates", "poll");
  assertEquals([again, refusal.trim()], [
    2,
    'Cannot use --duplicates as there is no "poll": it takes refuse, pool; the nearest is "pool"',
  ]);
});

Deno.test("mergedText() says where the points were measured, and warns of several machines", () => {
  const machine = { ...sampleRecord.machine, cpuModel: "Other 1" };
  const lines = [sampleRecord, { ...sampleRecord, pointId: "size=2", machine }];
  const text = mergedText(mergeRecords(lines, { duplicates: "refuse" }), 2);
  assertEquals(text.split("\n"), [
    "2 visits from 2 inputs",
    "1 on Example 9000, 2 cores, commit 0123456789ab",
    "1 on Other 1, 2 cores, commit 0123456789ab",
    "the points are of different machines or versions: compare their ratios, not their times",
  ]);
});

Deno.test("optionsOf() of a merge names what is missing", () => {
  const parse = (...args: readonly string[]) => optionsOf(readCommand(args, COMMAND));
  assertThrows(() => parse("a.jsonl"), SyntaxError, "without --out FILE");
  assertThrows(() => parse("--out", "b"), SyntaxError, "there is nothing");
  assertThrows(() => parse("--uot", "b", "a"), SyntaxError, 'the nearest is "--out"');
  const { inputs, runId } = parse("--out", "b", "1.jsonl", "2", "--run-id", "all");
  assertEquals([inputs, runId], [["1.jsonl", "2"], "all"]);
});
