/**
 * Kills processes in the steps of their calls: `deno task deaths`.
 *
 * @module
 */
import { write } from "../bench/cli/command_line.ts";
import { runCommand } from "../bench/cli/options/command_options.ts";
import { integerOf } from "../bench/cli/options/option_values.ts";
import { playDeaths } from "../core/testing/process/deaths.ts";

const COMMAND = {
  usage: ["deno task deaths [--rounds N] [--seed N]"],
  does:
    `Kills a process in each step of its calls, and looks whether the others go on. Prints a line for each side.`,
  options: {
    rounds: {
      value: "N",
      help: "half of them kill clients, half servers; 1000 when absent, some minutes",
    },
    seed: { value: "N", help: "chooses the steps; 1 when absent" },
  },
  ends: "It ends with 0, and with 1 when anything is wrong.",
} as const;

Deno.exit(
  await runCommand(COMMAND, async ({ given: { rounds = "1000", seed = "1" } }) => {
    const reports = await playDeaths({
      rounds: integerOf("rounds", rounds, { min: 2 }),
      seed: integerOf("seed", seed, { min: 1 }),
    });
    for (const { side, rounds, stepCount, answered, goneCalls, freeSecondsMax } of reports) {
      console.log(
        `${rounds} deaths of a ${side}, in ${stepCount} steps: ${answered} calls of others right, 0 wrong, ` +
          `${goneCalls} told that their server had gone; all ports free after ${
            freeSecondsMax.toFixed(3)
          } s at most`,
      );
    }
    write(Deno.stderr, "Next: core/process/README.md has these figures\n");
  }),
);
