import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { convertBenchOutput, type Converted } from "./deno_bench_json.ts";
import { commonCallCount } from "./register_benches.ts";
import { type Ended, ended } from "../machine/ended.ts";

function denoBench(...args: readonly string[]): Promise<Ended> {
  const cwd = new URL(".", import.meta.url);
  return ended(Deno.execPath(), ["bench", "--allow-all", "--no-check", ...args], { cwd });
}

function namesIn({ measured }: Converted): string[] {
  return measured.map(({ name }) => name.scenario);
}

Deno.test("registerBenches() gives deno bench what convertBenchOutput() can read", async () => {
  const { code, out, error } = await denoBench("--json", "scenarios_bench.ts", "--", "ping_pong");
  assertEquals(code, 0, error);
  const converted = convertBenchOutput(out);
  assertEquals(converted.problems, []);
  assertEquals(namesIn(converted), ["ping_pong"]);
  assert(converted.measured[0]!.measurement.latencySeconds[0]! > 0);
});

Deno.test("registerBenches() runs each of several scenarios on its own processors", async () => {
  const { out } = await denoBench("--json", "testdata/placed_scenarios.ts");
  const converted = convertBenchOutput(out);
  assertEquals(converted.problems, []);
  assertEquals(namesIn(converted), ["pair", "crowd"]);
  const counts = converted.measured.map(({ name }) => name.callsPerSample);
  assertEquals(new Set(counts).size, 1, "one count of calls for all");
});

Deno.test("scenarios_bench.ts registers the scenarios of a module that it has never seen", async () => {
  const source = `export const own = { name: "own", question: "Is it mine?", axes: { size: [1, 2] },
    skip: ({ size }) => size === 2 ? "two is too many" : undefined,
    async setup() {
      const cells = new Int32Array(1);
      return { run(n) { while (n--) cells[0] += n; }, async [Symbol.asyncDispose]() {} };
    } };`;
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const { code, out, error } = await denoBench("--json", "scenarios_bench.ts", "--", url);
  assertEquals(code, 0, error);
  const { measured, problems } = convertBenchOutput(out);
  assertEquals([measured.map(({ name }) => name.pointId), problems], [["size=1"], []]);
});

Deno.test("commonCallCount() is what the slowest has time for and the fastest needs", () => {
  assertEquals(commonCallCount([100e-9, 250e-9]), 100_000);
  assertEquals(commonCallCount([100e-9, 55e-6]), 1000);
  assertEquals(commonCallCount([11e-3]), 1);
  assertEquals(commonCallCount([1]), 1);
  assertEquals(commonCallCount([10e-9, 11e-3]), 10_000); // long, but the fast one is seen
});

Deno.test("scenarios_bench.ts says which scenarios there are when a name is none of them", async () => {
  const { code, out } = await denoBench("scenarios_bench.ts", "--", "ping");
  assertEquals(code, 1);
  assertStringIncludes(out, "scenarios are ping_pong, ");
});
