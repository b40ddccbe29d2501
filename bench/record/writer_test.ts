import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import type { RunRecord } from "./record.ts";
import { sampleRecord, sampleUnmeasured } from "./testdata/sample_record.ts";
import { recordLine, RecordWriter } from "./writer.ts";

Deno.test("RecordWriter keeps each record as soon as it is there, one a line", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const writer = await RecordWriter.create(join(folder, "raw"), { runId: "a" });
    for (const round of [0, 1]) {
      await writer.write({ ...sampleRecord, round });
      const lines = (await Deno.readTextFile(writer.path)).trimEnd().split("\n");
      assertEquals(lines.length, round + 1);
      assertEquals((JSON.parse(lines[round]!) as RunRecord).round, round);
    }
    await writer.write(sampleUnmeasured);
    assertEquals([writer.records.length, writer.unmeasured], [2, [sampleUnmeasured]]);
    const lines = (await Deno.readTextFile(writer.path)).trimEnd().split("\n");
    assertEquals(JSON.parse(lines[2]!), sampleUnmeasured);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("RecordWriter.create() does not overwrite another run", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await RecordWriter.create(folder, { runId: "a" });
    await assertRejects(
      () => RecordWriter.create(folder, { runId: "a" }),
      Deno.errors.AlreadyExists,
      "choose another --run-id",
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("recordLine() keeps what the clock can tell, and no more digits", () => {
  const record = { ...sampleRecord, latencySeconds: [1 / 3e7, 123.456789e-9] };
  const { latencySeconds } = JSON.parse(recordLine(record)) as RunRecord;
  assertEquals(latencySeconds, [3.33333e-8, 1.23457e-7]);
  assertAlmostEquals(latencySeconds[0]! * 3e7, 1, 1e-5);
});
