import { assertEquals } from "@std/assert";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { tableText } from "../report/table.ts";
import { summarize } from "../statistics/summary.ts";
import { recordProblem } from "./record_problem.ts";

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
    [{ ...sampleRecord, latencySeconds: [0] }, "latencySeconds[0] must be > 0: it is 0"],
    [withoutSamples, "latencySeconds is missing"],
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
  const values = [undefined, null, -1, 0, 1e-7, 2, true, "", "a", [], [0], [""], [1, 2], {}, {
    a: 1,
  }];
  for (const name of Object.keys(sampleRecord)) {
    for (const value of values) {
      const record = JSON.parse(JSON.stringify({ ...sampleRecord, [name]: value }));
      if (recordProblem(record) === undefined) tableText(summarize([record]));
    }
  }
});
