import type { PointContext } from "../../../bench/record/record.ts";
import { ROUNDS_MIN } from "../../statistics/over_rounds.ts";

/**
 * The command that measures a point again, with rounds enough for an interval.
 *
 * @example
 * ```ts
 * import { pointCommand } from "./point_command.ts";
 * const command = pointCommand({ repeatArguments: ["--scenario", "lanes", "--point", "a=1;b=2"] });
 * if (!command.includes("--point 'a=1;b=2' --rounds")) throw new Error(command);
 * ```
 */
export function pointCommand({ repeatArguments }: Pick<PointContext, "repeatArguments">): string {
  return `deno task bench ${repeatArguments.map(quoted).join(" ")} --rounds ${ROUNDS_MIN}`;
}

/** For a shell: quotes where a character might mean something to it. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
