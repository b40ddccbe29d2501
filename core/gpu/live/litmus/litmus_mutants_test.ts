import { assert, assertEquals } from "@std/assert";
import { LITMUS_MUTANTS } from "./litmus_mutants.ts";
import { litmusSource } from "./litmus_source.ts";
import { allowedOutcomes } from "./litmus_outcomes.ts";

Deno.test("LITMUS_MUTANTS have names of their own, and change what the wave runs", () => {
  assertEquals(new Set(LITMUS_MUTANTS.map(({ name }) => name)).size, LITMUS_MUTANTS.length);
  for (const { name, setting, run } of LITMUS_MUTANTS) {
    // How relaxed atomics are ordered is not in the text: liveSpirv() orders them.
    const isOrdered = setting.order !== "relaxed" && run.order === "relaxed";
    const [right, wrong] = [setting, run].map((one) => litmusSource({ ...one, waveCount: 1 }));
    assertEquals(right !== wrong, !isOrdered, name);
  }
});

Deno.test("LITMUS_MUTANTS whose steps are whole may do what the right one may not", () => {
  for (const { name, setting, run } of LITMUS_MUTANTS) {
    if (run.test.programs.flat().some(({ isTorn }) => isTorn) || run.dropsBarriers) continue;
    const allowed = allowedOutcomes(setting);
    const extra = [...allowedOutcomes(run).keys()].filter((results) => !allowed.has(results));
    assert(extra.length > 0, name);
  }
});
