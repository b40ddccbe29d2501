import fc from "fast-check";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { recordLine } from "../../bench/record/writer.ts";
import { completeOlder, distinctVisits, loadRecords, parseRecords, recordProblem } from "./load.ts";
import { tableText } from "../report/table.ts";
import { summarize } from "../statistics/summary.ts";
import type { RunRecord, UnmeasuredPoint } from "../../bench/record/record.ts";
import { pointId } from "../../scenarios/axis.ts";
import { scenarios } from "../../scenarios/registry.ts";
import { hasFixedFloor, smallestPoint } from "../../scenarios/scenario.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

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
    [{ ...sampleRecord, latencySeconds: [-1] }, /latencySeconds\[0\] must be >= 1e-18: it is -1/],
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
  using scratch = new ScratchFolder();
  const folder = scratch.path;
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
});

Deno.test("the schema of records describes those that are kept, of version 1 too", async () => {
  const schema = await Deno.readTextFile(
    new URL("../../bench/record/record_schema.json", import.meta.url),
  );
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(schema));
  const { records, problems } = await loadRecords(new URL("../raw", import.meta.url));
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
  using scratch = new ScratchFolder();
  const folder = scratch.path;
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
});

const other = { ...sampleRecord, pointId: "size=2" };

Deno.test("distinctVisits() counts a record once, wherever else it was", () => {
  const records = [sampleRecord, other, { ...sampleRecord, round: 1 }];
  const copies = records.map((record) => ({ ...record }));
  const loaded = distinctVisits({
    records: [...records, ...copies],
    unmeasured: [],
    problems: ["a"],
  });
  assertEquals(loaded.records, records);
  assertEquals(loaded.problems, ["a"]);
  assertEquals(loaded.notes, ["3 records there twice, to count once"]);
  assertEquals(distinctVisits({ records, unmeasured: [], problems: [] }).notes, []);
});

Deno.test("distinctVisits() keeps what differs, and says so", () => {
  const again = { ...sampleRecord, seed: 8 };
  const ofAnotherRun = { ...sampleRecord, runId: "b" };
  const records = [sampleRecord, again, ofAnotherRun];
  const loaded = distinctVisits({ records, unmeasured: [], problems: [] });
  assertEquals(loaded.records, records);
  assertEquals(loaded.notes, [
    "1 visit measured more than once, such as round_trip " +
    "portCount=1;laneCount=1;waiting=spin+spin 0: each counts as a round of its own",
  ]);
});

Deno.test("recordProblem() names the part that is wrong, and what it is", () => {
  const { latencySeconds: _, ...withoutSamples } = sampleRecord;
  const { machine, references } = sampleRecord;
  const wrong: readonly (readonly [record: unknown, problem: string])[] = [
    [null, "it is not an object"],
    [
      { ...sampleRecord, recordVersion: 4 },
      "its recordVersion must be 1 or 2 or 3: current value is 4",
    ],
    [
      { ...sampleRecord, latencySeconds: [1, null] },
      "latencySeconds[1] must be number: it is null",
    ],
    [{ ...sampleRecord, latencySeconds: [0] }, "latencySeconds[0] must be >= 1e-18: it is 0"],
    [
      { ...sampleRecord, latencySeconds: [1e308] },
      "latencySeconds[0] must be <= 1000000000: it is 1e+308",
    ],
    [withoutSamples, "latencySeconds is missing"],
    [
      { ...sampleRecord, point: {} },
      'pointId must name the point, as "" does: it is "portCount=1;laneCount=1;waiting=spin+spin"',
    ],
    [{ ...sampleRecord, question: 7 }, "question must be string: it is 7"],
    [{ ...sampleRecord, warnings: [null] }, "warnings[0] must be string: it is null"],
    [
      { ...sampleRecord, machine: { ...machine, loadAverage: 1 } },
      "machine.loadAverage must be array: it is 1",
    ],
    [{ ...sampleRecord, machine: {} }, "machine.cpuModel is missing"],
    [
      { ...sampleRecord, stopReason: "tired" },
      "stopReason must be equal to one of the allowed values, precise or settled or samples or time: " +
      'it is "tired"',
    ],
    [
      { ...sampleRecord, controlSeconds: [1] },
      "controlSeconds must be as many numbers as latencySeconds, or none: there are 1 and 6",
    ],
    [
      { ...sampleRecord, references: { a: { ...references.post_message, latencySeconds: [1] } } },
      'the samples of "a" must be as many numbers as latencySeconds, or none: there are 1 and 6',
    ],
  ];
  for (const [record, problem] of wrong) assertEquals(recordProblem(record), problem);
  assertEquals([sampleRecord, sampleUnmeasured].map(recordProblem), [undefined, undefined]);
});

Deno.test("what recordProblem() takes, a table can show, whichever field is another value", () => {
  const numbers = [[-1], [0], [5e-324], [1e308], [1, 2]];
  const values = [
    undefined,
    null,
    ...numbers.flat(),
    1e-7,
    true,
    "",
    "a",
    [],
    ...numbers,
    [""],
    {},
    { a: 1 },
  ];
  for (const name of Object.keys(sampleRecord)) {
    for (const value of values) {
      const record = JSON.parse(JSON.stringify({ ...sampleRecord, [name]: value }));
      if (recordProblem(record) === undefined) tableText(summarize([record]));
    }
  }
});

/** The sample as version 2 had it. */
function older(change: Partial<RunRecord>): RunRecord {
  const { callsPerTurn: _, targets: __, hasPairFloor: ___, hasFixedFloor: ____, ...rest } =
    sampleRecord;
  const { repeatArguments: _____, ...line } = { ...rest, recordVersion: 2, ...change };
  return line as RunRecord;
}

Deno.test("completeOlder() knows of this project's scenarios what they were when version 3 came", () => {
  const cameLater = [
    ...["feature_cost", "call_steps", "mailbox_read", "litmus", "litmus_mutants"],
    ...["live_call", "live_wait", "live_lock", "live_update", "live_no_call"],
    ...["processes", "print_line"],
  ];
  const targetsLater = [
    "calls a second in batches of 32, in those of synchronous calls",
  ];
  for (const scenario of scenarios.filter(({ name }) => !cameLater.includes(name))) {
    const { name, floor, targets = [], mainReference, compares, callsPerTurn, axes } = scenario;
    const point = smallestPoint(scenario);
    const control = floor === undefined ? {} : { control: floor.name };
    const { control: _, ...rest } = older({ scenario: name, point, pointId: pointId(axes, point) });
    const completed = completeOlder({ ...rest, ...control } as RunRecord) as RunRecord;
    assertEquals(completed.recordVersion, 3);
    const known = targets.filter(({ text }) => !targetsLater.includes(text));
    assertEquals(completed.targets, known as RunRecord["targets"], name);
    assertEquals(completed.callsPerTurn, callsPerTurn?.(point) ?? 1, name);
    assertEquals(completed.mainReference, mainReference, name);
    assertEquals(completed.compares, compares, name);
    assertEquals(completed.hasPairFloor, floor?.isPair === true, name);
    assertEquals(completed.hasFixedFloor, hasFixedFloor(scenario), name);
    assertEquals(completed.repeatArguments.slice(0, 2), ["--scenario", name]);
    assertEquals(completed.warnings, []);
  }
});

Deno.test("completeOlder() says what nobody knows of a scenario of others", () => {
  const commandLine = ["--rounds", "2", "--scenario=ping_pong,./mine.ts"];
  const mine = completeOlder(older({ scenario: "mine", commandLine })) as RunRecord;
  assertEquals([mine.callsPerTurn, mine.targets], [1, []]);
  assertEquals(mine.warnings, [
    "Records of version 2 say neither the targets of a scenario nor how many calls a turn of it is: " +
    "a call is a turn here, and nothing is judged",
  ]);
  assertEquals(mine.repeatArguments, [
    ...["--scenario", "./mine.ts", "--point", sampleRecord.pointId],
  ]);
  const name = completeOlder(older({ scenario: "constructor" })) as RunRecord;
  assertEquals(name.repeatArguments[1], "constructor");
  const peers = older({ scenario: "peers", commandLine: ["--scenario", "bench/peers/peers.ts"] });
  assertEquals(completeOlder(peers).repeatArguments[1], "bench/peers/peers.ts");
});

Deno.test("completeOlder() leaves lines of version 3, and completes points without samples", () => {
  assertEquals(completeOlder(sampleRecord), sampleRecord);
  const { repeatArguments, ...rest } = sampleUnmeasured;
  const line = { ...rest, recordVersion: 2 } as UnmeasuredPoint;
  assertEquals(completeOlder(line), { ...sampleUnmeasured, repeatArguments });
});
