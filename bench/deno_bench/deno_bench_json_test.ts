import { assertAlmostEquals, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { benchName, convertBenchOutput, parseBenchName } from "./deno_bench_json.ts";

Deno.test("parseBenchName() gives back what benchName() was given", () => {
  const anyName = fc.record({
    scenario: fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
    pointId: fc.stringMatching(/^([a-zA-Z]+=[a-z0-9+.-]+(;[a-zA-Z]+=[a-z0-9+.-]+)*)?$/),
    callsPerSample: fc.integer({ min: 1, max: 1e9 }),
  });
  fc.assert(fc.property(anyName, (name) => assertEquals(parseBenchName(benchName(name)), name)));
});

Deno.test("parseBenchName() is undefined for other names", () => {
  for (const text of ["", "sum of floats", "round_trip portCount=1", "a b x0", "a b x1 y"]) {
    assertEquals(parseBenchName(text), undefined);
  }
});

/** One bench as Deno 2.9.6 prints it. */
function bench(name: string, result: Record<string, unknown>): Record<string, unknown> {
  return { origin: "file:///a_bench.ts", group: "g", name, baseline: false, results: [result] };
}
const ok = { n: 63, min: 90_000, max: 2e5, avg: 102_300, p75: 1e5, highPrecision: true };

Deno.test("convertBenchOutput() turns nanoseconds of a batch into seconds of a call", () => {
  const text = JSON.stringify({ version: 1, benches: [bench("ping_pong  x1000", { ok })] });
  const { measured: [one], problems } = convertBenchOutput(text);
  assertEquals(problems, []);
  assertEquals(one!.name, { scenario: "ping_pong", pointId: "", callsPerSample: 1000 });
  assertAlmostEquals(one!.measurement.latencySeconds[0]!, 102.3e-9, 1e-12);
  assertMatch(one!.measurement.warnings[0]!, /63 iterations of 1000 calls.*keeps no samples/);
});

Deno.test("convertBenchOutput() takes the baseline of a group for the floor of its points", () => {
  const floor = {
    ...bench("fill  x10", { ok: { ...ok, avg: 1000 } }),
    group: "copy",
    baseline: true,
  };
  const point = { ...bench("copy size=8 x10", { ok }), group: "copy" };
  const other = { ...bench("ping_pong  x10", { ok }), group: "ping_pong" };
  const { measured, problems } = convertBenchOutput(
    JSON.stringify({ benches: [floor, point, other] }),
  );
  assertEquals(problems, []);
  assertEquals(measured.map(({ name }) => name.scenario), ["copy", "ping_pong"]);
  const [copy, ping] = measured.map(({ measurement }) => measurement);
  assertEquals([copy!.control, copy!.controlSeconds], ["fill", [100e-9]]);
  assertEquals([ping!.control, ping!.controlSeconds], [undefined, []]);
});

Deno.test("convertBenchOutput() reports what failed and what is foreign, and converts the rest", () => {
  const benches = [
    bench("sum of floats", { ok }),
    bench("round_trip portCount=1 x10", { failed: { message: "boom" } }),
    bench("ping_pong  x10", { ok }),
  ];
  const { measured, problems } = convertBenchOutput(JSON.stringify({ benches }));
  assertEquals(measured.length, 1);
  assertMatch(problems[0]!, /"sum of floats" is not a bench of a scenario/);
  assertMatch(problems[1]!, /portCount=1 x10" failed: boom/);
});

Deno.test("convertBenchOutput() names the command whose output it reads when it is given something else", () => {
  for (const text of ["", "Check file:///a.ts\n{}", "{}", "null", '{"benches":1}']) {
    assertThrows(() => convertBenchOutput(text), SyntaxError, "deno bench --json");
  }
});
