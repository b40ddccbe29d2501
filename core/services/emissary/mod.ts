/**
 * Libraries of C and Fortran for workers and kernels: MPI.
 *
 * @module
 */
export {
  MPI_ANY_SOURCE,
  MPI_ANY_TAG,
  MPI_PROC_NULL,
  MPI_UNDEFINED,
  mpiApi,
  mpiStatus,
  requestBytes,
} from "./mpi/mpi_api.ts";
export { type MpiOptions, serveMpi } from "./mpi/serve_mpi.ts";
export type * from "./mpi/mpi_signatures.ts";
export type { MpiLibraryName } from "./mpi/mpi_library.ts";
// The core's types that stand in the signatures above.
export type * from "../../mod.ts";
export type * from "../../signature/mod.ts";
