import { assert, assertEquals } from "@std/assert";
import branches from "./testdata/branches.wgsl" with { type: "text" };
import expressions from "./testdata/expressions.wgsl" with { type: "text" };
import functions from "./testdata/functions.wgsl" with { type: "text" };
import loops from "./testdata/loops.wgsl" with { type: "text" };
import services from "./testdata/services.wgsl" with { type: "text" };
import values from "./testdata/values.wgsl" with { type: "text" };
import { isThorough } from "../../testing/thorough.ts";
import { onDevice } from "../device/on_device_test.ts";
import { differences } from "./testdata/both_ways.ts";

/** Cases of one kernel: with all of a file in one the driver takes twice as long. */
const CASES_MAX = 8;

const CORPUS = { branches, expressions, functions, loops, values };

function casesOf(text: string): string[] {
  return [...text.matchAll(/^fn (case_\w+)\(\)/gm)].map(([, name]) => name!);
}

/** Of a release all of them: the driver compiles each for seconds. */
const SHORT = { branches, loops };

for (const [name, text] of Object.entries(isThorough ? CORPUS : SHORT)) {
  onDevice(`kernels of ${name}.wgsl do what the same text does as a plain shader`, async (gpu) => {
    const cases = casesOf(text);
    for (let from = 0; from < cases.length; from += CASES_MAX) {
      const some = cases.slice(from, from + CASES_MAX);
      assertEquals(await differences(gpu, services + text, { cases: some }), []);
    }
  });
}

Deno.test("the corpus has at least 60 kernels", () => {
  assert(Object.values(CORPUS).flatMap(casesOf).length >= 60);
});
