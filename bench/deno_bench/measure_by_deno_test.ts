import { assertEquals, assertRejects } from "@std/assert";
import { chooseScenarios } from "../sweep/choose_scenarios.ts";
import { convertBenchOutput } from "./deno_bench_json.ts";
import { measureByDeno } from "./measure_by_deno.ts";

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
