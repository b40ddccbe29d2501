/**
 * Programs in WGSL, with `main`, arguments, files and an exit code: what `deno task run` is made of. An entry
 * of its own, as pages that only want kernels need no services for files.
 *
 * @module
 */
export { type Disagreement, disagreement, exitCode } from "./exit_code.ts";
export { type ProgramGrid } from "./program_grid.ts";
export { type ProgramHost, type ProgramLibrary } from "./program_server.ts";
export { type ProgramOptions, type ProgramReport, runProgram } from "./run_program.ts";
// The types that stand in the signatures above.
export type * from "../mod.ts";
export type * from "../../services/mod.ts";
