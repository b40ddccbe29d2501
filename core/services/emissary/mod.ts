/**
 * Libraries of C and Fortran for workers and kernels: Fortran's input and output.
 *
 * @module
 */
export {
  type FortranAdd,
  fortranApi,
  type FortranBegin,
  type FortranFunctions,
  type FortranGet,
  type FortranInput,
  type IoStatementHandle,
} from "./fortran/fortran_api.ts";
export type { FortranStopReport } from "./fortran/fortran_host.ts";
export { type FortranOptions, ServedFortran, serveFortran } from "./fortran/serve_fortran.ts";
// The core's types that stand in the signatures above.
export type { LibrarySource } from "../library/serve_library.ts";
export type * from "../../mod.ts";
export type * from "../../signature/mod.ts";
