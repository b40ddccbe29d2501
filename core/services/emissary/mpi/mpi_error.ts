import type { ErrorMeaning } from "../../../signature/mod.ts";

/**
 * The classes of MPI's errors, by the number that callers get, which is MPICH's: a class, and never one
 * of a library's own codes.
 */
const CLASSES: readonly (readonly [code: string, text: string])[] = [
  ["MPI_SUCCESS", "all is well"],
  ["MPI_ERR_BUFFER", "invalid buffer"],
  ["MPI_ERR_COUNT", "invalid count"],
  ["MPI_ERR_TYPE", "invalid datatype"],
  ["MPI_ERR_TAG", "invalid tag"],
  ["MPI_ERR_COMM", "invalid communicator"],
  ["MPI_ERR_RANK", "invalid rank"],
  ["MPI_ERR_ROOT", "invalid root"],
  ["MPI_ERR_GROUP", "invalid group"],
  ["MPI_ERR_OP", "invalid operation"],
  ["MPI_ERR_TOPOLOGY", "invalid topology"],
  ["MPI_ERR_DIMS", "invalid dimension"],
  ["MPI_ERR_ARG", "invalid argument"],
  ["MPI_ERR_UNKNOWN", "unknown error"],
  ["MPI_ERR_TRUNCATE", "message longer than its buffer"],
  ["MPI_ERR_OTHER", "an error of another kind"],
  ["MPI_ERR_INTERN", "internal error of the library"],
  ["MPI_ERR_IN_STATUS", "the error is in a status"],
  ["MPI_ERR_PENDING", "not done yet"],
  ["MPI_ERR_REQUEST", "invalid request"],
];

/** An argument that is none of those that the function takes. */
export const MPI_ERR_ARG = 12;
/** The number of the class that a class without a number here is put into. */
export const MPI_ERR_OTHER = 15;
/** Something is not done yet that had to be. */
export const MPI_ERR_PENDING = 18;
/** A request that is none, or none any more. */
export const MPI_ERR_REQUEST = 19;

/** What a number means that a call of MPI failed with. */
export function mpiMeaning(errorClass: number): ErrorMeaning {
  const [code, text] = CLASSES[errorClass] ?? CLASSES[MPI_ERR_OTHER]!;
  return { code, text };
}

/** Open MPI puts its requests in the middle of the list, and MPICH at the end. */
export function classOfOpenMpi(number: number): number {
  if (number < 7) return number;
  if (number === 7) return MPI_ERR_REQUEST;
  return number <= MPI_ERR_REQUEST ? number - 1 : MPI_ERR_OTHER;
}

/** A class of MPICH's, where it is one that callers know. */
export function classOfMpich(number: number): number {
  return number <= MPI_ERR_REQUEST ? number : MPI_ERR_OTHER;
}
