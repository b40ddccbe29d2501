import { assertAlmostEquals, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import type { RunRecord } from "./record.ts";
import { sampleRecord, sampleUnmeasured } from "./testdata/sample_record.ts";
import { recordLine, RecordWriter } from "./writer.ts";

Deno.test("RecordWriter keeps each record as soon as it is there, one a line", async () => {
  const folder = await Deno.makeTempDir();
  try {
    using writer = await RecordWriter.create(join(folder, "raw"), { runId: "a" });
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
    using _ = await RecordWriter.create(folder, { runId: "a" });
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

Deno.test("RecordWriter.resume() goes on behind the last whole line", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "a.jsonl");
    await Deno.writeTextFile(path, recordLine(sampleRecord) + '{"recordVersion":1,"la');
    const before = { records: [sampleRecord], unmeasured: [] };
    using writer = await RecordWriter.resume(path, () => Promise.resolve(before));
    await writer.write({ ...sampleRecord, round: 1 });
    assertEquals(writer.records.map(({ round }) => round), [0, 1]);
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    assertEquals(lines.map((line) => (JSON.parse(line) as RunRecord).round), [0, 1]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("RecordWriter lets one program at a time write to a file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const nothing = () => Promise.resolve({ records: [], unmeasured: [] });
    {
      using writer = await RecordWriter.create(folder, { runId: "a" });
      await assertRejects(
        () => RecordWriter.resume(writer.path, nothing),
        Deno.errors.Busy,
        "as another program does: wait for its end, or go on with a copy",
      );
    }
    const path = join(folder, "a.jsonl");
    await assertRejects(() => RecordWriter.resume(path, () => Promise.reject(new Error("unread"))));
    using writer = await RecordWriter.resume(path, nothing);
    await writer.write(sampleRecord);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** A file of at most 16 kilobytes stands for a full disk: the system takes a part of a line, too. */
const FULL_DISK = `ulimit -f 16; trap "" XFSZ; exec "$@"`;

Deno.test({
  name: "RecordWriter.write() leaves no part of a line on a full disk, and names the way on",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const program = new URL("./testdata/write_until_full.ts", import.meta.url).pathname;
      const deno = [Deno.execPath(), "run", "--allow-all", "--no-check", program, folder];
      const { stdout } = await new Deno.Command("bash", {
        args: ["-c", FULL_DISK, "-", ...deno],
        env: { DENO_NO_UPDATE_CHECK: "1", DENO_V8_COVERAGE_DIR: "" },
      }).output();
      const [message, count] = JSON.parse(new TextDecoder().decode(stdout)) as [string, number];
      assertMatch(
        message,
        /^Cannot write to .*a.jsonl as the system says "File too large.*--resume/,
      );
      const text = await Deno.readTextFile(join(folder, "a.jsonl"));
      const lines = text.trimEnd().split("\n");
      assertEquals([text.endsWith("\n"), lines.length, count > 0], [true, count, true]);
      for (const line of lines) JSON.parse(line);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("RecordWriter.write() has each line on the disk before it returns", async () => {
  const folder = await Deno.makeTempDir();
  const { syncData } = Deno.FsFile.prototype;
  const sizes: number[] = [];
  Deno.FsFile.prototype.syncData = async function () {
    sizes.push((await this.stat()).size);
    await syncData.call(this);
  };
  try {
    using writer = await RecordWriter.create(folder, { runId: "a" });
    await writer.write(sampleRecord);
    await writer.write(sampleRecord);
    const { size } = await Deno.stat(writer.path);
    assertEquals(sizes, [size / 2, size]);
  } finally {
    Deno.FsFile.prototype.syncData = syncData;
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("RecordWriter.write() keeps what is in the file, to its last digit", async () => {
  const folder = await Deno.makeTempDir();
  try {
    using writer = await RecordWriter.create(folder, { runId: "a" });
    await writer.write({ ...sampleRecord, latencySeconds: [1.23456789e-7] });
    assertEquals(writer.records, [JSON.parse(await Deno.readTextFile(writer.path))]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("RecordWriter.resume() leaves a file as it is where its lines cannot be read", async () => {
  const path = await Deno.makeTempFile();
  const text = '{"a":1}\n{"recordVersion":4,"cut of';
  await Deno.writeTextFile(path, text);
  const read = () => Promise.reject(new TypeError("a wrong version"));
  await assertRejects(() => RecordWriter.resume(path, read), TypeError, "a wrong version");
  assertEquals(await Deno.readTextFile(path), text);
  await Deno.remove(path);
});
