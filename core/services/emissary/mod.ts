/**
 * Libraries of C and Fortran for workers and kernels: MPI, HDF5, Fortran's input and output, libc and
 * libm.
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
export { HDF5_LINES, hdf5Api, type Hdf5Functions } from "./hdf5/hdf5_api.ts";
export type * from "./hdf5/hdf5_kinds.ts";
export { H5, hsizes } from "./hdf5/hdf5_numbers.ts";
export { serveHdf5, type ServeHdf5Options } from "./hdf5/serve_hdf5.ts";
export type { H5Wasm, H5WasmMetadata, Hdf5Numbers } from "./hdf5/wasm/wasm_library.ts";
export type { TypeForm, TypeMember } from "./hdf5/wasm/wasm_type.ts";
export type { FileHost, HostFile, OpenMode } from "../files/file_host.ts";
export {
  type FortranAdd,
  fortranApi,
  type FortranBegin,
  type FortranFunctions,
  type FortranGet,
  type FortranInput,
  type FortranKeep,
  type IoStatementHandle,
} from "./fortran/fortran_api.ts";
export type { FortranAfterStop, FortranStopReport } from "./fortran/fortran_host.ts";
export { type FortranOptions, ServedFortran, serveFortran } from "./fortran/serve_fortran.ts";
export { type Comparison, libcCallbacks } from "./libc/comparisons.ts";
export {
  type Division,
  LIBC_LINES,
  libcApi,
  type LibcFunctions,
  type LibcKinds,
  type TimeSpec,
} from "./libc/libc_api.ts";
export {
  LIBM_LINES,
  libmApi,
  type LibmFunctions,
  type LibmKinds,
  type NumberOut,
} from "./libc/libm_api.ts";
export { serveLibc, serveLibm } from "./libc/serve_libc.ts";
export type { ArgumentCheck, LibrarySource, ServedLibrary } from "../library/serve_library.ts";
// The core's types that stand in the signatures above.
export type * from "../../mod.ts";
export type * from "../../signature/mod.ts";
