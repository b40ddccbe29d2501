/**
 * Follows the ports of a program through all its files, and tells where one is used twice, used
 * after it was handed on, or lost: `deno run -A check.ts FILES...`, with `--help` for the rest.
 *
 * A program as well as a module: imported, it gives {@linkcode checkFiles}.
 *
 * @module
 */
import { runCheck } from "./lint/command/run_check.ts";

export {
  checkFiles,
  type CheckOptions,
  type CheckReport,
  type Obstacle,
  type Place,
  type PlacedFinding,
} from "./lint/command/check_files.ts";

if (import.meta.main) {
  Deno.exit(await runCheck(Deno.args, { print: console.log, note: console.error }));
}
