/**
 * Programs in WGSL with `main`, arguments, files and an exit code, as `deno task run` runs them. A
 * separate entry, so that pages which only run kernels do not load services for files.
 *
 * @module
 */
export { type ProgramHost, type ProgramLibrary } from "./program_server.ts";
export {
  type Disagreement,
  disagreement,
  exitCode,
  type ProgramGrid,
  type ProgramOptions,
  type ProgramReport,
  runProgram,
} from "./run_program.ts";
