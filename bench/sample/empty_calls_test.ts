import { assertEquals, assertMatch } from "@std/assert";
import { emptyWarnings } from "./empty_calls.ts";

Deno.test("emptyWarnings() warns of calls that cost as much as empty ones", async () => {
  const emptySeconds = 0.3e-9;
  const warned = async (seconds: number) =>
    (await emptyWarnings([seconds], { whose: "root", emptySeconds })).length;
  assertEquals([await warned(0.31e-9), await warned(0.6e-9), await warned(1e-6)], [1, 0, 0]);
});

Deno.test("emptyWarnings() finds what the engine has left out", async () => {
  const run = (callCount: number) => {
    for (let call = 0; call < callCount; call++) Math.sqrt(call);
  };
  for (let round = 0; round < 20; round++) run(100_000); // until it is compiled
  const samples = Array.from({ length: 9 }, () => {
    const begin = performance.now();
    run(2_000_000);
    return (performance.now() - begin) / 1000 / 2_000_000;
  });
  // The least: a busy machine makes each of them longer, and none shorter.
  const [warning] = await emptyWarnings([Math.min(...samples) * 0.9], { whose: "root" });
  assertMatch(warning!, /^A call of root costs 0\.\d+ ns, no more than an empty one/);
});
