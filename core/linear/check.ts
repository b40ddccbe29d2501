/**
 * Follows the ports of a program through all its files: `deno run -A check.ts FILES…`.
 *
 * @module
 */
import { runCheck } from "./lint/command/run_check.ts";

if (import.meta.main) Deno.exit(await runCheck(Deno.args));
