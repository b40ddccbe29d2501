/** Numbers that the functions take, with HDF5's names. */
export const H5 = {
  H5F_ACC_RDONLY: 0,
  H5F_ACC_RDWR: 1,
  H5F_ACC_TRUNC: 2,
  H5F_ACC_EXCL: 4,
  H5F_SCOPE_LOCAL: 0,
  H5F_SCOPE_GLOBAL: 1,
  H5F_CLOSE_WEAK: 1,
  H5F_CLOSE_STRONG: 3,
  H5S_SCALAR: 0,
  H5S_NULL: 2,
  H5S_SELECT_SET: 0,
  H5S_SELECT_OR: 1,
  /** A dimension without end, as a maximum. */
  H5S_UNLIMITED: 0xffff_ffff_ffff_ffffn,
  H5T_INTEGER: 0,
  H5T_FLOAT: 1,
  H5T_STRING: 3,
  H5T_COMPOUND: 6,
  H5T_ORDER_LE: 0,
  H5T_ORDER_BE: 1,
  H5T_SGN_NONE: 0,
  H5T_SGN_2: 1,
  H5T_STR_NULLTERM: 0,
  H5T_STR_NULLPAD: 1,
  H5T_STR_SPACEPAD: 2,
  H5T_CSET_ASCII: 0,
  H5T_CSET_UTF8: 1,
  H5_INDEX_NAME: 0,
  H5_ITER_INC: 0,
  H5_ITER_DEC: 1,
} as const;

/**
 * Numbers of type `hsize_t`, as the functions take them: dimensions, starts, counts.
 *
 * @example
 * ```ts
 * import { hsizes } from "./hdf5_numbers.ts";
 * if (hsizes(3, 4n).length !== 16) throw new Error("8 bytes each");
 * ```
 */
export function hsizes(...numbers: readonly (number | bigint)[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigUint64Array(numbers.map(BigInt)).buffer);
}
