import { assertAlmostEquals, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import type { RunRecord } from "./record.ts";
import { sampleRecord, sampleUnmeasured } from "./testdata/sample_record.ts";
import { mendLastLine, recordLine, RecordWriter, systemText, writeWhole } from "./writer.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

Deno.test("RecordWriter keeps each record as soon as it is there, one a line", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
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
});

Deno.test("RecordWriter.create() does not overwrite another run", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  using _ = await RecordWriter.create(folder, { runId: "a" });
  await assertRejects(
    () => RecordWriter.create(folder, { runId: "a" }),
    Deno.errors.AlreadyExists,
    "choose another --run-id",
  );
});

Deno.test("recordLine() keeps what the clock can tell, and no more digits", () => {
  const record = { ...sampleRecord, latencySeconds: [1 / 3e7, 123.456789e-9] };
  const { latencySeconds } = JSON.parse(recordLine(record)) as RunRecord;
  assertEquals(latencySeconds, [3.33333e-8, 1.23457e-7]);
  assertAlmostEquals(latencySeconds[0]! * 3e7, 1, 1e-5);
});

Deno.test("RecordWriter.resume() goes on behind the last whole line", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const path = join(folder, "a.jsonl");
  await Deno.writeTextFile(path, recordLine(sampleRecord) + '{"recordVersion":1,"la');
  const before = { records: [sampleRecord], unmeasured: [] };
  using writer = await RecordWriter.resume(path, () => Promise.resolve(before));
  await writer.write({ ...sampleRecord, round: 1 });
  assertEquals(writer.records.map(({ round }) => round), [0, 1]);
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
  assertEquals(lines.map((line) => (JSON.parse(line) as RunRecord).round), [0, 1]);
});

Deno.test("RecordWriter lets one program at a time write to a file", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
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
});

/** A file of at most 16 kilobytes stands for a full disk: the system takes a part of a line, too. */
const FULL_DISK = `ulimit -f 16; trap "" XFSZ; exec "$@"`;

Deno.test({
  name: "RecordWriter.write() leaves no part of a line on a full disk, and names the way on",
  ignore: Deno.build.os !== "linux",
  async fn() {
    using scratch = new ScratchFolder();
    const folder = scratch.path;
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
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  using writer = await RecordWriter.create(folder, { runId: "a" });
  await writer.write({ ...sampleRecord, latencySeconds: [1.23456789e-7] });
  assertEquals(writer.records, [JSON.parse(await Deno.readTextFile(writer.path))]);
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

Deno.test("writeWhole() makes the folder, and replaces what is there", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const path = join(folder, "a", "b", "c.txt");
  for (const content of ["text", new Uint8Array([116, 0]), ["te", "", "xt"]]) {
    await writeWhole(path, content);
    const expected = content instanceof Uint8Array ? "t\0" : "text";
    assertEquals(await Deno.readTextFile(path), expected);
  }
  assertEquals([...Deno.readDirSync(join(folder, "a", "b"))].map(({ name }) => name), ["c.txt"]);
});

function* failing(): Generator<string> {
  yield "after";
  throw new Error("No space left on device (os error 28): write '/x'");
}

Deno.test("writeWhole() names the file when it fails, and leaves the earlier one", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const path = join(folder, "page.html");
  await Deno.writeTextFile(path, "before");
  await assertRejects(
    () => writeWhole(path, failing()),
    Error,
    `Cannot write ${path} as the system says "No space left on device (os error 28)"`,
  );
  await assertRejects(
    () => writeWhole(join(path, "x"), ""),
    Error,
    `Cannot write ${join(path, "x")} as the system says "`,
  );
  assertEquals(await Deno.readTextFile(path), "before");
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["page.html"]);
});

Deno.test("systemText() keeps what the system says", () => {
  const full = new Error("No space left on device (os error 28): writefile '/a'");
  assertEquals(systemText(full), "No space left on device (os error 28)");
  assertEquals(systemText("odd"), "odd");
});

async function mended(text: string): Promise<readonly [text: string, cutBytes: number]> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, text);
    const cutBytes = await mendLastLine(path);
    return [await Deno.readTextFile(path), cutBytes];
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("mendLastLine() keeps whole lines, wherever a line was cut off", async () => {
  const whole = '{"a":1}\n{"b":"\u{1f600}"}\n';
  const bytes = new TextEncoder().encode(whole);
  assertEquals(await mended(whole), [whole, 0]);
  assertEquals(await mended(""), ["", 0]);
  for (let length = 1; length < 7; length++) {
    assertEquals(await mended(whole.slice(0, length)), ["", length]);
  }
  assertEquals(await mended('{"a":1}\n{"b":"\u{1f600}"'), ['{"a":1}\n', bytes.length - 10]);
});

Deno.test("mendLastLine() adds a line end that is all that is missing", async () => {
  assertEquals(await mended('{"a":1}\n{"b":2}'), ['{"a":1}\n{"b":2}\n', 0]);
});

Deno.test("mendLastLine() finds the last line end in a long file", async () => {
  const lines = `{"a":"${"x".repeat(1000)}"}\n`.repeat(200);
  assertEquals(await mended(`${lines}{"a":"${"x".repeat(150_000)}`), [lines, 150_006]);
});

Deno.test("mendLastLine() keeps whatever is JSON", async () => {
  for (const last of ["12", "true", '"a"', "null", "[1]", "{}"]) {
    const path = await Deno.makeTempFile();
    await Deno.writeTextFile(path, `{}\n${last}`);
    assertEquals([await mendLastLine(path), await Deno.readTextFile(path)], [0, `{}\n${last}\n`]);
    await Deno.remove(path);
  }
});
