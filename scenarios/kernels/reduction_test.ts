import { assert, assertEquals } from "@std/assert";
import { programTest, run } from "./testdata/program_test_run.ts";

/** The same sum in doubles. */
function areaOnHost(stripes: number): number {
  let sum = 0;
  for (let at = 0; at < stripes; at++) sum += 4 / (1 + ((at + 0.5) / stripes) ** 2);
  return sum / stripes;
}

programTest("reduction adds up what the host adds up", async () => {
  const { status, out } = await run("reduction", { threadCount: 100, args: ["1000"] });
  assertEquals(status, 0);
  const difference = Math.abs(Number(out) - areaOnHost(1000));
  assert(difference < 2e-6, `a float has seven digits: ${out} ${difference}`);
  // With few stripes the sum is not yet pi: it is the sum that is compared.
  assert(Math.abs(areaOnHost(10) - Math.PI) > 5e-4);
});

programTest("reduction ends in begin where its arguments are wrong", async () => {
  const { status, out, error } = await run("reduction", { threadCount: 2 });
  assertEquals([status, out], [2, ""]);
  assertEquals(error, "usage: reduction STRIPES, with 1024 threads at most\n");
});
