/**
 * What this lab, mitata, vitest and hyperfine say of one function beside itself, and beside the same with
 * more work: `deno run -A bench/cli/verdicts/main.ts`.
 *
 * @module
 */
import { durationText } from "../../record/record.ts";
import { write } from "../command_line.ts";
import { runCommand } from "../options/command_options.ts";
import { durationSecondsOf, integerOf, shareOf } from "../options/option_values.ts";
import { type Told, toldText, TOOLS } from "./tools.ts";

const COMMAND = {
  usage: ["deno run -A bench/cli/verdicts/main.ts [options]"],
  does:
    `Asks each program which of two forms of a function is slower: the same form twice, and one with more work.
Prints how often it said what, with the least and the largest ratio; both forms are as fast as each other
where it says "same" or "undecided". mitata and this lab run in Deno, vitest in Node, hyperfine measures
whole programs; what is not there is left out.`,
  options: {
    runs: { value: "N", help: "of each question to each program, 5 when absent" },
    more: { value: "N%", help: "the work that the second form has more, 5% when absent" },
    budget: { value: "TIME", help: "of a run of this lab, 30s when absent" },
  },
  ends: `It ends with 0, with 1 when a program fails, and with 2 when the command line is wrong.`,
} as const;

/** Steps of a call of the first form. */
const STEPS = 200;

if (import.meta.main) {
  Deno.exit(
    await runCommand(COMMAND, async ({ given }) => {
      const more = shareOf("more", given.more ?? "5%", { min: 1 / STEPS });
      const runs = integerOf("runs", given.runs ?? "5", { min: 1 });
      const seconds = durationSecondsOf("budget", given.budget ?? "30s");
      const forms = [STEPS, Math.round(STEPS * (1 + more))];
      const line = (...cells: readonly string[]) =>
        write(Deno.stdout, `| ${cells.join(" | ")} |\n`);
      line("program", "a run takes", "the same form twice", `${forms[1]} steps after ${STEPS}`);
      line("---", "---", "---", "---");
      for (const [name, { obstacle, ask }] of Object.entries(TOOLS)) {
        const why = await obstacle();
        if (why !== undefined) {
          line(name, "-", why, "-");
          continue;
        }
        const begin = performance.now();
        const cells: string[] = [];
        for (const after of forms) {
          const told: Told[] = [];
          for (let run = 0; run < runs; run++) {
            write(Deno.stderr, `${name}, ${after} steps, run ${run + 1} of ${runs} ...\n`);
            told.push(await ask({ before: STEPS, after, seconds }));
          }
          cells.push(toldText(told));
        }
        const each = (performance.now() - begin) / 1000 / runs / forms.length;
        line(name, durationText(each), ...cells);
      }
      write(Deno.stderr, "Next: docs/lab.md says when to take which\n");
    }),
  );
}
