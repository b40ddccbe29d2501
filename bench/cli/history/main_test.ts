import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { recordLine } from "../../record/writer.ts";
import { runHistory } from "../../../results/testdata/run_history.ts";

Deno.test("deno task history tells the commit of a change, and ends with 1 when it is for the worse", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const records = runHistory(8, (run) => run < 4 ? 1 : 1.5);
    await Deno.writeTextFile(`${folder}/a.jsonl`, records.map(recordLine).join(""));
    const main = fromFileUrl(new URL("./main.ts", import.meta.url));
    const run = (...args: readonly string[]) =>
      new Deno.Command(Deno.execPath(), { args: ["run", "-A", "--no-check", main, ...args] })
        .output();
    const { code, stdout } = await run("--changed", folder);
    assertEquals([code, new TextDecoder().decode(stdout)], [
      1,
      `${records[0]!.scenario} ${
        records[0]!.pointId
      }: 1.50 times as long from commit 444444444444 ` +
      "of 2026-01-05 on\n",
    ]);
    assertEquals((await run("--filter", "nothing", folder)).code, 3);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
