/**
 * The error of a function of HDF5: its first cause comes first, as long texts are cut for kernels.
 *
 * @param lines the error stack: the function that was called first, and the first cause last
 */
export function hdf5Error(name: string, lines: readonly string[]): Error {
  const why = lines.length > 0 ? lines.toReversed().join("; ") : "it does not say why";
  return new Error(`Cannot finish ${name} as HDF5 failed: ${why}`);
}
