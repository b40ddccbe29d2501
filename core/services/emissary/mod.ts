/**
 * Libraries of C and Fortran for workers and kernels: MPI, HDF5, Fortran's input and output, libc and
 * libm.
 *
 * @module
 */
// MPI.
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
export type { MpiLibraryName } from "./mpi/mpi_library.ts";
// HDF5.
export { H5, hdf5Api, type Hdf5Functions, hsizes } from "./hdf5/hdf5_api.ts";
export { textBytes, textsOf } from "./hdf5/texts.ts";
export { serveHdf5, type ServeHdf5Options } from "./hdf5/serve_hdf5.ts";
// Fortran's input and output.
export { fortranApi, type FortranFunctions } from "./fortran/fortran_api.ts";
export type { FortranAfterStop, FortranStopReport } from "./fortran/fortran_host.ts";
export { type FortranOptions, type ServedFortran, serveFortran } from "./fortran/serve_fortran.ts";
// libc and libm.
export { type Comparison, libcCallbacks, serveLibc, serveLibm } from "./libc/serve_libc.ts";
export { libcApi, type LibcFunctions, libmApi, type LibmFunctions } from "./libc/libc_api.ts";
