import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { recordLine } from "../../bench/record/writer.ts";
import { loadRecords, parseRecords } from "./load.ts";

Deno.test("parseRecords() gives back what a writer wrote, unknown fields and all", () => {
  const later = { ...sampleRecord, colour: "blue" };
  const { records, problems } = parseRecords(recordLine(later), { source: "a.jsonl" });
  assertEquals(problems, []);
  assertEquals(records, [later]);
});

Deno.test("parseRecords() keeps points without samples apart", () => {
  const text = recordLine(sampleUnmeasured) + recordLine(sampleRecord);
  const { records, unmeasured, problems } = parseRecords(text, { source: "a.jsonl" });
  assertEquals([records, unmeasured, problems], [[sampleRecord], [sampleUnmeasured], []]);
});

Deno.test("parseRecords() reads the first version, which had records only", () => {
  const { callsPerTurn: _, targets: __, repeatArguments: ___, ...rest } = sampleRecord;
  const first = { ...rest, recordVersion: 1 } as typeof sampleRecord;
  const { records, problems } = parseRecords(recordLine(first), { source: "a.jsonl" });
  assertEquals([records, problems], [[sampleRecord], []]);
});

Deno.test("parseRecords() names file and line of what it cannot read, and reads on", () => {
  const wrong: readonly (readonly [line: unknown, problem: RegExp])[] = [
    [null, /not an object/],
    [{ ...sampleRecord, recordVersion: 4 }, /recordVersion must be 1 or 2 or 3: .* value is 4/],
    [{ ...sampleRecord, callsPerTurn: undefined }, /callsPerTurn is missing/],
    [{ ...sampleRecord, targets: [{ text: "one" }] }, /targets\[0\].where is missing/],
    [{ ...sampleRecord, latencySeconds: [-1] }, /latencySeconds\[0\] must be > 0: it is -1/],
    [{ ...sampleRecord, controlSeconds: [1] }, /as many numbers as latencySeconds/],
    [{ ...sampleUnmeasured, outcome: "lost" }, /outcome .* skipped or failed: it is "lost"/],
    [{ ...sampleUnmeasured, reason: undefined }, /reason is missing/],
  ];
  const lines = wrong.map(([line]) => JSON.stringify(line));
  const text = [...lines, "", '{"recordVersion":1,"late', JSON.stringify(sampleRecord)].join("\n");
  const { records, problems } = parseRecords(text, { source: "a.jsonl" });
  assertEquals(records.length, 1);
  assertEquals(problems.length, wrong.length + 1);
  for (const [index, [, problem]] of wrong.entries()) {
    assertMatch(problems[index]!, problem);
    assertEquals(problems[index]!.startsWith(`a.jsonl:${index + 1}: `), true);
  }
  assertMatch(problems.at(-1)!, /^a.jsonl:10: .*not JSON: was the line cut off/);
});

Deno.test("parseRecords() never throws, whatever the lines are", () => {
  fc.assert(fc.property(fc.array(fc.oneof(fc.json(), fc.string())), (lines) => {
    const texts = lines.map((line) => line.replaceAll("\n", " "));
    const { records, problems } = parseRecords(texts.join("\n"), { source: "a" });
    assertEquals(records.length + problems.length, texts.filter((line) => line.trim()).length);
  }));
});

Deno.test("loadRecords() reads files and folders, by path and by URL", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const runId of ["b", "a"]) {
      await Deno.writeTextFile(
        join(folder, `${runId}.jsonl`),
        recordLine({ ...sampleRecord, runId }),
      );
    }
    await Deno.writeTextFile(join(folder, "notes.txt"), "no record");
    for (const place of [folder, toFileUrl(folder)]) {
      const { records } = await loadRecords(place);
      assertEquals(records.map(({ runId }) => runId), ["a", "b"]);
    }
    const { records } = await loadRecords(join(folder, "b.jsonl"), join(folder, "a.jsonl"));
    assertEquals(records.map(({ runId }) => runId), ["b", "a"]);
    await assertRejects(
      () => loadRecords(join(folder, "none")),
      Deno.errors.NotFound,
      "Cannot load records as there is no such file or folder",
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the schema of records describes those that are kept, of version 1 too", async () => {
  const schema = await Deno.readTextFile(
    new URL("../../bench/record/record_schema.json", import.meta.url),
  );
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(schema));
  const { records, problems } = await loadRecords(new URL("../raw/", import.meta.url));
  assertEquals([records.length > 50, problems], [true, []]);
  for (const record of records) assertEquals([validate(record), validate.errors], [true, null]);
  const unknown = records.filter(({ warnings }) =>
    warnings.some((text) => /nothing is judged/.test(text))
  );
  assertEquals(unknown, []);
});

Deno.test("parseRecords() takes the line ends of Windows, and the mark that its programs write", () => {
  const line = recordLine(sampleRecord).trimEnd();
  const texts = [
    `\ufeff${line}\r\n${line}\r\n`,
    `\ufeff${line}\n\ufeff${line}`,
    `${line}\n\n\r\n${line}`,
  ];
  for (const text of texts) {
    const { records, problems } = parseRecords(text, { source: "a" });
    assertEquals([records, problems], [[sampleRecord, sampleRecord], []]);
  }
});

Deno.test("loadRecords() names a file that is no UTF-8, once, and reads the others", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const line = recordLine(sampleRecord);
    const halves = new Uint16Array([...line].map((letter) => letter.charCodeAt(0)));
    const wide = new Uint8Array(halves.buffer);
    const files = [new Uint8Array([0xff, 0xfe, ...wide]), wide, new Uint8Array([0xfe, 0xff, 0])];
    for (const [at, bytes] of files.entries()) {
      await Deno.writeFile(join(folder, `${at}.jsonl`), bytes);
    }
    await Deno.writeTextFile(join(folder, "right.jsonl"), line);
    const { records, problems } = await loadRecords(folder);
    assertEquals([records.length, problems.length], [1, 3]);
    for (const problem of problems) {
      assertMatch(problem, /\d.jsonl: Cannot .* UTF-16 or no text: save it as UTF-8/);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
