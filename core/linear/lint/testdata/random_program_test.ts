import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { foundIn, loadCases } from "./marked_source.ts";
import { runAll, type Verdict } from "./program_run.ts";
import { randomProgram } from "./random_program.ts";

/** In what the rules and the runs of a program do not agree. */
function disputesOn(text: string, { late, lost, doubtful }: Verdict): readonly string[] {
  const found = new Set(foundIn(text));
  const lossAt = (line: number) => `${line} unconsumed-port`;
  // It is enough to say the first of ports that come from each other.
  const missed = [...lost.values()].filter((lines) => !lines.some((one) => found.has(lossAt(one))));
  const losses = [...[...lost.values()].map((lines) => lines.at(-1)!), ...doubtful].map(lossAt);
  return [
    ...[...late.difference(found)].map((one) => `missed ${one}`),
    ...missed.map((lines) => `missed ${lossAt(lines.at(-1)!)}`),
    ...[...found.difference(new Set([...late, ...losses]))].map((one) => `false ${one}`),
  ];
}

Deno.test("lint: random programs are judged as their runs on all paths are", () => {
  const runs = Number(Deno.env.get("RANDOM_RUNS") ?? 1000);
  const some = fc.array(randomProgram, { minLength: 1, maxLength: 50 });
  let judgedCount = 0;
  let cutCount = 0;
  fc.assert(
    fc.property(some, (programs) => {
      loadCases(programs);
      for (const program of programs) {
        const verdict = runAll(program);
        if (verdict.isCut) {
          cutCount++;
          continue;
        }
        judgedCount++;
        assertEquals(disputesOn(program, verdict), [], `\n${program}`);
      }
    }),
    { numRuns: Math.ceil(runs / 20) },
  );
  assert(judgedCount > 5 * cutCount, `${cutCount} programs have too many paths`);
});
