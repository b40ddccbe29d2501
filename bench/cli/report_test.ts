import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { sampleRecord } from "../record/testdata/sample_record.ts";
import { pageOf } from "./report.ts";

async function report(...args: string[]) {
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL("./report.ts", import.meta.url).href, ...args],
  }).output();
  const [stdout, stderr] = [output.stdout, output.stderr].map((it) => new TextDecoder().decode(it));
  return { code: output.code, stdout: stdout!, stderr: stderr! };
}

Deno.test("report.ts writes a page of several runs, and says where", async () => {
  const folder = await Deno.makeTempDir();
  const paths = await Promise.all(["one", "two"].map(async (runId) => {
    const path = join(folder, `${runId}.jsonl`);
    await Deno.writeTextFile(path, JSON.stringify({ ...sampleRecord, runId }) + "\n");
    return path;
  }));
  const out = join(folder, "page.html");
  const { code, stdout } = await report("--out", out, ...paths);
  assertEquals([code, stdout], [0, `${out}\n`]);
  assertStringIncludes(await Deno.readTextFile(out), "Run two, compared with one");
  const twice = await report("--out", out, paths[0]!, paths[0]!);
  assertEquals([twice.code, twice.stderr], [
    0,
    "1 record there twice, to count once\nNext: open it in a browser\n",
  ]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("report.ts names what it cannot read", async () => {
  const { code, stderr } = await report("nowhere.jsonl");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "current value is nowhere.jsonl");
});

Deno.test("pageOf() names the page after its files", () => {
  assertEquals(pageOf(["a/x.jsonl", "b/y.jsonl"]), join("results/pictures/x_y.html"));
});
