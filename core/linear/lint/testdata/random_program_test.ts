import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { foundIn, loadCases } from "./marked_source.ts";
import { randomProgram } from "./random_program.ts";

/** What the rules find, as a run on all paths tells it. */
function verdictOn(text: string): ReadonlySet<string> {
  return new Set(foundIn(text).map((one) => one.endsWith(" unconsumed-port") ? "leak" : one));
}

Deno.test("lint: random programs are judged as a run on all their paths judges them", () => {
  const runs = Number(Deno.env.get("RANDOM_RUNS") ?? 1000);
  const some = fc.array(randomProgram, { minLength: 1, maxLength: 50 });

  fc.assert(
    fc.property(some, (programs) => {
      loadCases(programs.map(({ text }) => text));
      for (const program of programs) {
        const { found, isCut } = program.faults();
        const verdict = verdictOn(program.text);

        const expected = isCut ? found.union(verdict) : found;
        assertEquals([...verdict].toSorted(), [...expected].toSorted(), `\n${program.text}`);
      }
    }),
    { numRuns: Math.ceil(runs / 20) },
  );
});
