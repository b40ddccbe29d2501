// What a scenario of this project can do, done with one from outside: by its path, and by its address.
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { loadRecords } from "../../results/load/load.ts";
import { ended } from "../machine/ended.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

const source = await Deno.readTextFile(new URL("./testdata/outside.ts", import.meta.url));
const task = ["task", "--quiet", "--config", new URL("../../deno.json", import.meta.url).pathname];

/** Runs a task as from a shell, in a folder that is no part of this project. */
function run(cwd: string, ...args: readonly string[]) {
  // Of a task that runs these tests, whose folder would be taken for this one's.
  const { INIT_CWD: _, ...env } = Deno.env.toObject();
  return ended(Deno.execPath(), [...task, ...args], { cwd, clearEnv: true, env });
}

/** Deno writes the address of a module into the lock of the project, where this one is of no use. */
function keepLock(): Disposable {
  const path = new URL("../../deno.lock", import.meta.url);
  const text = Deno.readTextFileSync(path);
  return {
    [Symbol.dispose]() {
      // In one step: other processes of the project read it while this runs.
      const draft = new URL("../../deno.lock.draft", import.meta.url);
      Deno.writeTextFileSync(draft, text);
      Deno.renameSync(draft, path);
    },
  };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  await Deno.writeTextFile(join(folder, "mine.ts"), source);
  await work(folder);
}

/** All that records say. */
const WHOLE = ["--detail", "--targets"];

/** The lines of a table, and what the targets say: what must be the same whoever shows the records. */
function figuresIn(text: string): string[] {
  return text.split("\n").filter((line) => /size=|one thing/.test(line));
}

Deno.test("a scenario from outside is shown alike by the sweep, by bench --from and by a report", async () => {
  await inFolder(async (folder) => {
    const sweep = [
      "--scenario",
      "./mine.ts#outside_batch",
      "--quick",
      "--axis",
      "size=1000,2000,3000",
    ];
    const swept = await run(
      folder,
      ...["bench", ...sweep, ...WHOLE, "--out", "out", "--run-id", "a"],
    );
    assertEquals(swept.code, 0, swept.error);
    assertMatch(swept.out, /skipped: outside_batch, three is a crowd\n {2}size=3000/);
    assertMatch(swept.out, /^reached +one thing: .*; the worst of 2 points/m);
    const { records: [record] } = await loadRecords(join(folder, "out", "raw", "a.jsonl"));
    assertEquals([record!.callsPerTurn, record!.mainReference], [10, "twice"]);
    for (const name of ["a_outside_batch_twice.png", "a_outside_batch_ratio.png"]) {
      assertStringIncludes(swept.out, name);
    }
    await Deno.remove(join(folder, "mine.ts")); // nobody has it any more
    const shown = await run(folder, "bench", ...WHOLE, "--from", "out/raw/a.jsonl");
    assertEquals(figuresIn(shown.out), figuresIn(swept.out));
    assertEquals(
      (await run(folder, "report", "--targets", "--out", "page.html", "out/raw/a.jsonl")).code,
      0,
    );
    const [own, again] = await Promise.all(
      ["out/pictures/a.html", "page.html"].map((page) => Deno.readTextFile(join(folder, page))),
    );
    assertEquals(again, own);
    assertStringIncludes(again!, "outside_batch: one thing");
  });
});

Deno.test("a scenario from an address is measured, told by its address, and repeated by its command", async () => {
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(source, { headers: { "content-type": "application/typescript" } }),
  );
  using _lock = keepLock();
  const address = `http://127.0.0.1:${server.addr.port}/mine.ts`;
  await inFolder(async (folder) => {
    const sweep = ["--scenario", address, "--seconds", "1", "--out", "out", "--filter"];
    const first = await run(folder, "bench", ...sweep, "size=1000", ...WHOLE, "--run-id", "a");
    assertEquals(first.code, 0, first.error);
    const page = await Deno.readTextFile(join(folder, "out", "pictures", "a.html"));
    const [, command] = /<code>deno task (.*?) --rounds 5<\/code>/.exec(page)!;
    assertEquals(
      command,
      `bench --scenario '${address}#outside_batch' --point size=1000`.replaceAll("'", "&#39;"),
    );
    const words = command!.replaceAll("&#39;", "").split(" ");
    const repeated = await run(folder, ...words, "--quick", "--out", "out", "--run-id", "b");
    assertEquals(repeated.code, 0, repeated.error);
    const { records } = await loadRecords(join(folder, "out", "raw"));
    assertEquals(records.map(({ runId, moduleUrl, pointId }) => [runId, moduleUrl, pointId]), [
      ["a", address, "size=1000"],
      ["b", address, "size=1000"],
    ]);
    const compared = await run(folder, "compare", "out/raw/a.jsonl", "out/raw/b.jsonl");
    assertMatch(compared.out, /outside_batch size=1000 /);
    const [, call] = /size=1000 .*? ([\d.]+ [µn]s) /.exec(first.out)!;
    assertMatch(call!, /[nµ]s/);
  });
});

Deno.test("a scenario from outside is swept in shards, gone on with, merged, and by deno bench", async () => {
  await inFolder(async (folder) => {
    const sweep = ["--scenario", "./mine.ts", "--seconds", "1", "--out", "out", "--run-id", "a"];
    for (const shard of ["1/2", "2/2"]) {
      const part = await run(folder, "bench", ...sweep, "--shard", shard);
      assertEquals(part.code, 0, part.error);
    }
    const path = join(folder, "out", "raw", "a_1of2.jsonl");
    const lines = (await Deno.readTextFile(path)).split("\n");
    await Deno.writeTextFile(path, lines.slice(0, -2).join("\n") + "\n");
    assertEquals((await run(folder, "bench", "--resume", path)).code, 0);
    const merged = await run(folder, "merge", "--out", "whole.jsonl", "out/raw");
    assertEquals(merged.code, 0, merged.error);
    const shown = await run(folder, "bench", ...WHOLE, "--from", "whole.jsonl");
    assertMatch(shown.out, /^reached +one thing: .*; the worst of 2 points/m);
    assertMatch(shown.out, /^outside_other: Is there another one\?/m);
    const byDeno = await run(
      folder,
      "deno-bench",
      "--scenario",
      "./mine.ts#outside_batch",
      ...WHOLE,
      "--out",
      "out",
    );
    assertEquals(byDeno.code, 0, byDeno.error);
    assertMatch(byDeno.out, /one thing: /);
    assert(!byDeno.out.includes("outside_other"));
  });
});
