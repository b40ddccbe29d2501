import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { sampleRecord } from "../record/testdata/sample_record.ts";
import { recordLine } from "../record/writer.ts";
import { beginRun, type BegunRun, refuseOtherMachine, runFileName } from "./begin_run.ts";
import { namedPoint } from "../sweep/plan_sweep.ts";
import { parseOptions } from "./options/options.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

Deno.test("beginRun() goes on with the id, the seed and the command line of the records", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
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
  using file = await writer();
  assertEquals(file.records.length, 1);
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

Deno.test("beginRun() goes on with no file that is none of records, and leaves it as it is", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const path = join(folder, "notes.txt");
  for (const text of ["three\nnotes\nnow", "[1,2", '{"a":1}\n{"recordVersion":2,']) {
    await Deno.writeTextFile(path, text);
    const args = ["--resume", path];
    const begun = beginRun(await parseOptions(args), args);
    await assertRejects(() => begun, TypeError, "no line of it is a record: it is as it was");
    assertEquals(await Deno.readTextFile(path), text);
  }
  const args = ["--resume", folder];
  const begun = beginRun(await parseOptions(args), args);
  await assertRejects(() => begun, TypeError, "it is a folder: name the file of one sweep");
});

Deno.test("beginRun() goes on with a file whose first line was cut off", async () => {
  const path = await Deno.makeTempFile();
  try {
    for (const text of ["{", '{"recordVersion":2,"runId":"a']) {
      await Deno.writeTextFile(path, text);
      const args = ["--scenario", "ping_pong", "--resume", path];
      const { writer } = await beginRun(await parseOptions(args), args);
      using file = await writer();
      assertEquals([file.records, await Deno.readTextFile(path)], [[], ""]);
    }
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("runFileName() gives each shard of a run a file of its own", () => {
  assertEquals(runFileName({ runId: "a" }, {}), "a");
  assertEquals(runFileName({ runId: "a" }, { shard: { index: 2, count: 4 } }), "a_2of4");
});

Deno.test("refuseOtherMachine() lets no round of a point be measured on a second machine", () => {
  const { machine, pointId } = sampleRecord;
  const runOn = (other: Partial<typeof machine>) =>
    ({
      lines: { records: [sampleRecord] },
      context: { machine: { ...machine, ...other } },
    }) as unknown as BegunRun;
  const left = [namedPoint({ scenario: "round_trip", pointId })];
  refuseOtherMachine(runOn({ loadAverage: [9, 9, 9] }), left);
  for (const other of [{ cpuModel: "Other 1" }, { commit: "another" }, { denoVersion: "3" }]) {
    assertThrows(
      () => refuseOtherMachine(runOn(other), left),
      TypeError,
      "Cannot go on with the rounds of round_trip portCount=1;laneCount=1;waiting=spin+spin as they " +
        "began on Example 9000",
    );
    refuseOtherMachine(runOn(other), [namedPoint({ scenario: "ping_pong", pointId: "" })]);
  }
});
