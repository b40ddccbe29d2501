import { assert, assertEquals } from "@std/assert";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { describeMachine } from "../machine/machine.ts";
import { divideBudget, recordOf } from "../sweep/run_sweep.ts";
import { measureIsolated } from "../sweep/isolated_point.ts";
import { planSweep } from "../sweep/plan_sweep.ts";
import { sampleRecord, sampleUnmeasured } from "./testdata/sample_record.ts";
import { recordLine } from "./writer.ts";

const schema = JSON.parse(
  await Deno.readTextFile(new URL("record_schema.json", import.meta.url)),
);
const validate: ValidateFunction = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
  schema,
);

function problemsOf(line: string): string[] {
  validate(JSON.parse(line));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

Deno.test("record_schema.json describes what is written, every field of it", async () => {
  const budget = divideBudget([pingPong], { seconds: 1, isQuick: true })(pingPong);
  const measurement = await measureIsolated({ scenario: "ping_pong", pointId: "", budget });
  const machine = await describeMachine();
  const context = { runId: "a", startedAt: new Date().toISOString(), seed: 1, machine };
  const [planned] = planSweep([pingPong], { seed: 1, rounds: 1 });
  const record = recordOf(planned!, { context: { ...context, commandLine: [] }, measurement });
  for (const line of [record, sampleRecord, sampleUnmeasured]) {
    assertEquals(problemsOf(recordLine(line)), []);
  }
  const described = (fields: object, known: object) =>
    Object.keys(fields).filter((name) => !(name in known));
  const { properties, $defs } = schema;
  assertEquals(described(record, properties), []);
  assertEquals(described(record.machine, $defs.machine.properties), []);
  assertEquals(described(record.singleCalls!, $defs.singleCalls.properties), []);
  assertEquals(described(record.noise!, $defs.noise.properties), []);
});

Deno.test("record_schema.json refuses what no reader could use", () => {
  const { latencySeconds: _, ...samplesMissing } = sampleRecord;
  const wrong: readonly object[] = [
    samplesMissing,
    { ...sampleRecord, latencySeconds: [] },
    { ...sampleRecord, latencySeconds: ["1"] },
    { ...sampleRecord, recordVersion: 4 },
    { ...sampleRecord, repeatArguments: undefined },
    { ...sampleRecord, callsPerTurn: 0 },
    { ...sampleUnmeasured, repeatArguments: undefined },
    { ...sampleRecord, targets: [{ ...sampleRecord.targets[0], figure: { kind: "timesPoint" } }] },
    { ...sampleRecord, point: { lanes: [1] } },
    { ...sampleRecord, machine: {} },
    { ...sampleRecord, stopReason: "tired" },
    { ...sampleRecord, outcome: "failed", reason: "but it has samples" },
    { ...sampleUnmeasured, recordVersion: 1 },
    { ...sampleUnmeasured, outcome: "lost" },
    { ...sampleUnmeasured, reason: undefined },
  ];
  for (const one of wrong) {
    const line = JSON.stringify(one);
    assert(problemsOf(line).length > 0, line.slice(0, 300));
  }
});
