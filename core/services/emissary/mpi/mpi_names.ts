/** What has a name in MPI, by MPICH's numbers; Open MPI has a symbol for each. */
const DATATYPES = {
  MPI_CHAR: 0x4c000101,
  MPI_SIGNED_CHAR: 0x4c000118,
  MPI_UNSIGNED_CHAR: 0x4c000102,
  MPI_BYTE: 0x4c00010d,
  MPI_SHORT: 0x4c000203,
  MPI_UNSIGNED_SHORT: 0x4c000204,
  MPI_INT: 0x4c000405,
  MPI_UNSIGNED: 0x4c000406,
  MPI_LONG: 0x4c000807,
  MPI_UNSIGNED_LONG: 0x4c000808,
  MPI_LONG_LONG_INT: 0x4c000809,
  MPI_UNSIGNED_LONG_LONG: 0x4c000819,
  MPI_FLOAT: 0x4c00040a,
  MPI_DOUBLE: 0x4c00080b,
  MPI_INT8_T: 0x4c000137,
  MPI_INT16_T: 0x4c000238,
  MPI_INT32_T: 0x4c000439,
  MPI_INT64_T: 0x4c00083a,
  MPI_UINT8_T: 0x4c00013b,
  MPI_UINT16_T: 0x4c00023c,
  MPI_UINT32_T: 0x4c00043d,
  MPI_UINT64_T: 0x4c00083e,
  MPI_C_BOOL: 0x4c00013f,
  MPI_C_FLOAT_COMPLEX: 0x4c000840,
  MPI_C_DOUBLE_COMPLEX: 0x4c001041,
  MPI_FLOAT_INT: 0x8c000000,
  MPI_DOUBLE_INT: 0x8c000001,
  MPI_LONG_INT: 0x8c000002,
  MPI_2INT: 0x4c000816,
};

const OPS = {
  MPI_MAX: 0x58000001,
  MPI_MIN: 0x58000002,
  MPI_SUM: 0x58000003,
  MPI_PROD: 0x58000004,
  MPI_LAND: 0x58000005,
  MPI_BAND: 0x58000006,
  MPI_LOR: 0x58000007,
  MPI_BOR: 0x58000008,
  MPI_LXOR: 0x58000009,
  MPI_BXOR: 0x5800000a,
  MPI_MINLOC: 0x5800000b,
  MPI_MAXLOC: 0x5800000c,
};

const COMMS = { MPI_COMM_WORLD: 0x44000000, MPI_COMM_SELF: 0x44000001 };
const OTHERS = { MPI_COMM_NULL: 0x04000000, MPI_ERRORS_RETURN: 0x54000001 };

/** What kinds of things callers ask for by name. */
export type NamedKind = "Comm" | "Datatype" | "Op";

const KINDS: Record<NamedKind, Readonly<Record<string, number>>> = {
  Comm: COMMS,
  Datatype: DATATYPES,
  Op: OPS,
};

/** Every name, by MPICH's handle. */
export const MPICH_HANDLES: Readonly<Record<string, number>> = {
  ...DATATYPES,
  ...OPS,
  ...COMMS,
  ...OTHERS,
};

/** The symbol of Open MPI whose address is the handle of a name. */
export function openMpiSymbol(name: string): string {
  const word = name.slice("MPI_".length).toLowerCase();
  return Object.hasOwn(OPS, name) ? `ompi_mpi_op_${word}` : `ompi_mpi_${word}`;
}

/**
 * Checks that something of a kind has this name, which comes from a caller.
 *
 * @throws {RangeError} when nothing has
 */
export function checkName(kind: NamedKind, name: string): void {
  if (Object.hasOwn(KINDS[kind], name)) return;
  throw new RangeError(
    `Cannot find the ${kind} ${JSON.stringify(name)}: names are ${
      Object.keys(KINDS[kind]).join(", ")
    }`,
  );
}
