import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { sampleRecord } from "../record/testdata/sample_record.ts";
import { benchRecords, measureByDeno } from "./bench_records.ts";
import { chooseScenarios } from "../sweep/choose_scenarios.ts";
import { convertBenchOutput } from "./deno_bench_json.ts";

function outputOf(...names: readonly string[]): string {
  const results = [{ ok: { n: 20, avg: 200_000, min: 190_000 } }];
  return JSON.stringify({ benches: names.map((name) => ({ name, results })) });
}

Deno.test("benchRecords() makes a record of each point, with its context and its one mean", () => {
  const { latencySeconds: _, ...context } = sampleRecord;
  const id = "portCount=1;laneCount=1;waiting=spin+spin";
  const { records, problems } = benchRecords(outputOf(`round_trip ${id} x1000`), { context });
  assertEquals(problems, []);
  const [{ pointId, point, latencySeconds, runId, question, warnings }] = records as [
    typeof sampleRecord,
  ];
  assertEquals([pointId, runId, question], [id, "sample", sampleRecord.question]);
  assertEquals(point, sampleRecord.point);
  assertEquals(latencySeconds.map((seconds) => seconds.toPrecision(3)), ["2.00e-7"]);
  assertMatch(warnings.join(), /One mean of 20 iterations of 1000 calls by deno bench/);
});

Deno.test("benchRecords() goes on where a bench is no point, and says so", () => {
  const output = outputOf("plain_ports  x1000", "ping_pong a=1 x10", "mine", "ping_pong  x1000");
  const { records, problems } = benchRecords(output, { context: sampleRecord });
  assertEquals(records.map(({ scenario }) => scenario), ["ping_pong"]);
  assertEquals(problems.length, 3);
  assertMatch(problems.join("\n"), /"mine" is not a bench.*"plain_ports" is no point: /s);
});

const source =
  `export const counting = { name: "counting", question: "Is it counted?", axes: { by: [1] },
  async setup({ by }) {
    const cells = new Int32Array(1);
    return { run(n) { while (n--) cells[0] += by; }, async [Symbol.asyncDispose]() {} };
  } };`;

Deno.test("measureByDeno() measures the scenario of another module", async () => {
  const chosen = await chooseScenarios([`data:text/javascript,${encodeURIComponent(source)}`]);
  const { measured, problems } = convertBenchOutput(await measureByDeno(chosen));
  assertEquals(problems, []);
  assertEquals(measured.map(({ name }) => `${name.scenario} ${name.pointId}`), ["counting by=1"]);
});

Deno.test("measureByDeno() says how to see why deno bench measured nothing", async () => {
  const [pingPong] = await chooseScenarios(["ping_pong"]);
  await assertRejects(
    () => measureByDeno([{ ...pingPong!, name: "pingpong" }]),
    Error,
    "bench/deno_bench/scenarios_bench.ts -- pingpong",
  );
});
