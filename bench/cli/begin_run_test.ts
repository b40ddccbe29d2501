import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { sampleRecord } from "../record/testdata/sample_record.ts";
import { recordLine } from "../record/writer.ts";
import { beginRun, runFileName } from "./begin_run.ts";
import { parseOptions } from "./options/options.ts";

Deno.test("beginRun() goes on with the id, the seed and the command line of the records", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "a.jsonl");
    const commandLine = ["--scenario", "ping_pong", "--rounds", "5", "--seconds", "9"];
    await Deno.writeTextFile(path, recordLine({ ...sampleRecord, commandLine }));
    const args = ["--resume", path, "--rounds", "2"];
    const { options, context, writer } = await beginRun(await parseOptions(args), args);
    assertEquals(options.scenarios.map(({ name }) => name), ["ping_pong"]);
    assertEquals([options.rounds, options.seconds], [2, 9]);
    const { runId, startedAt, seed } = sampleRecord;
    assertEquals([context.runId, context.startedAt, context.seed], [runId, startedAt, seed]);
    assertEquals(context.commandLine, commandLine);
    assertMatch(context.warnings![0]!, /begun with another cpuModel: Example 9000, then /);
    assertEquals((await writer()).records.length, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("beginRun() fills an empty file by its own command line", async () => {
  const path = await Deno.makeTempFile();
  try {
    const args = ["--scenario", "ping_pong", "--resume", path, "--run-id", "b", `--resume=${path}`];
    const { context } = await beginRun(await parseOptions(args), args);
    assertEquals(context.runId, "b");
    assertEquals(context.commandLine, ["--scenario", "ping_pong", "--run-id", "b"]);
    assertEquals(context.warnings, undefined);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("runFileName() gives each shard of a run a file of its own", () => {
  assertEquals(runFileName({ runId: "a" }, {}), "a");
  assertEquals(runFileName({ runId: "a" }, { shard: { index: 2, count: 4 } }), "a_2of4");
});
