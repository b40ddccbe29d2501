/**
 * The types of what the emissary's libraries declare: what editors show of their functions.
 *
 * @module
 */
// Any library.
export type { LibraryFiles } from "../library/foreign_library.ts";
export type { LibraryProcessOptions } from "../library/library_process.ts";
// MPI.
export type {
  MPI_LINES,
  MpiKinds,
  MpiNeighboursStruct,
  MpiSignatures,
  MpiStatusStruct,
} from "./mpi/mpi_api.ts";
// HDF5.
export type { HDF5_LINES, Hdf5GroupInfo, Hdf5Kinds, Hdf5Version } from "./hdf5/hdf5_api.ts";
// Fortran's input and output.
export type { FORTRAN_LINES, FortranKinds } from "./fortran/fortran_api.ts";
// libc and libm.
export type {
  Division,
  LIBC_ERRNO_LINES,
  LIBC_LINES,
  LibcKinds,
  LIBM_LINES,
  LibmKinds,
  NumberOut,
  TimeSpec,
} from "./libc/libc_api.ts";
