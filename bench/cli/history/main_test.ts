import { assertEquals } from "@std/assert";
import { recordLine } from "../../record/writer.ts";
import { runHistory } from "../../../results/testdata/run_history.ts";
import { endedModule } from "../../machine/ended.ts";
import { ScratchFolder } from "../../../core/testing/fixtures/scratch_folder.ts";

Deno.test("deno task history tells the commit of a change, and ends with 1 when it is for the worse", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const records = runHistory(8, (run) => run < 4 ? 1 : 1.5);
  await Deno.writeTextFile(`${folder}/a.jsonl`, records.map(recordLine).join(""));
  const run = (...args: readonly string[]) =>
    endedModule(new URL("./main.ts", import.meta.url), ...args);
  const { code, out } = await run("--changed", folder);
  assertEquals([code, out], [
    1,
    `${records[0]!.scenario} ${records[0]!.pointId}: 1.50 times as long from commit 444444444444 ` +
    "of 2026-01-05 on\n",
  ]);
  assertEquals((await run("--filter", "nothing", folder)).code, 3);
});
