import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { sampleRecord } from "../record/testdata/sample_record.ts";
import { pageOf } from "./report.ts";
import { endedModule } from "../machine/ended.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

function report(...args: string[]) {
  return endedModule(new URL("./report.ts", import.meta.url), ...args);
}

Deno.test("report.ts writes a page of several runs, and says where", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const paths = await Promise.all(["one", "two"].map(async (runId) => {
    const path = join(folder, `${runId}.jsonl`);
    await Deno.writeTextFile(path, JSON.stringify({ ...sampleRecord, runId }) + "\n");
    return path;
  }));
  const out = join(folder, "page.html");
  const { code, out: told } = await report("--out", out, ...paths);
  assertEquals([code, told], [0, `${out}\n`]);
  assertStringIncludes(await Deno.readTextFile(out), "Run two, compared with one");
  const twice = await report("--out", out, paths[0]!, paths[0]!);
  assertEquals([twice.code, twice.error], [
    0,
    "1 record there twice, to count once\nNext: open it in a browser\n",
  ]);
});

Deno.test("report.ts names what it cannot read", async () => {
  const { code, error } = await report("nowhere.jsonl");
  assertEquals(code, 2);
  assertStringIncludes(error, "current value is nowhere.jsonl");
});

Deno.test("pageOf() names the page after its files", () => {
  assertEquals(pageOf(["a/x.jsonl", "b/y.jsonl"]), join("results/pictures/x_y.html"));
});
