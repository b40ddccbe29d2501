import type { HostApi } from "../../../signature/mod.ts";
import type {
  Bytes,
  Fns,
  HandleKind,
  Nullable,
  Reference,
  Scalar,
  Struct,
} from "../../../signature/declaration_types.ts";
import * as s from "../../../signature/mod.ts";

/** The three numbers of a version. */
export type Hdf5Version = Struct<{
  readonly majnum: Scalar<"u32">;
  readonly minnum: Scalar<"u32">;
  readonly relnum: Scalar<"u32">;
}>;
/** What HDF5 calls `H5G_info_t`. */
export type Hdf5GroupInfo = Struct<{
  readonly storage_type: Scalar<"i32">;
  readonly nlinks: Scalar<"u64">;
  readonly max_corder: Scalar<"i64">;
  readonly mounted: Scalar<"bool">;
}>;

/** What the words in `HDF5_LINES` stand for, beside scalars and texts. */
export type Hdf5Kinds =
  & { readonly [Name in "File" | "Group" | "Dataset" | "Attribute"]: HandleKind<Name> }
  & {
    readonly Space: HandleKind<"Dataspace">;
    readonly Type: HandleKind<"Datatype">;
    readonly List: HandleKind<"Plist">;
    readonly ListClass: HandleKind<"PlistClass">;
    /** Where a name is looked for. */
    readonly Place: HandleKind<"File|Group">;
    /** What can have attributes. */
    readonly Object: HandleKind<"File|Group|Dataset">;
    /** `H5P_DEFAULT` is null. */
    readonly list: Nullable<HandleKind<"Plist">>;
    /** `H5S_ALL` is null. */
    readonly space: Nullable<HandleKind<"Dataspace">>;
    readonly in: Bytes<"in">;
    /** Written, as far as C does; what it leaves alone stays. */
    readonly inout: Bytes<"inout">;
    readonly inOrNull: Nullable<Bytes<"in">>;
    readonly inoutOrNull: Nullable<Bytes<"inout">>;
    /** As many `hsize_t` as the parameter of this index says. */
    readonly in0: Bytes<"in">;
    readonly in0OrNull: Nullable<Bytes<"in">>;
    readonly in1: Bytes<"in">;
    readonly inout1: Bytes<"inout">;
    readonly version: Reference<"out", Hdf5Version>;
    readonly groupInfo: Reference<"out", Hdf5GroupInfo>;
  };

const KINDS: Hdf5Kinds = {
  File: s.handle("File"),
  Group: s.handle("Group"),
  Dataset: s.handle("Dataset"),
  Attribute: s.handle("Attribute"),
  Space: s.handle("Dataspace"),
  Type: s.handle("Datatype"),
  List: s.handle("Plist"),
  ListClass: s.handle("PlistClass"),
  Place: s.handle("File|Group"),
  Object: s.handle("File|Group|Dataset"),
  list: s.nullable(s.handle("Plist")),
  space: s.nullable(s.handle("Dataspace")),
  in: s.bytes("in"),
  inout: s.bytes("inout"),
  inOrNull: s.nullable(s.bytes("in")),
  inoutOrNull: s.nullable(s.bytes("inout")),
  in0: s.bytes("in", s.lengthOf(0).times(8)),
  in0OrNull: s.nullable(s.bytes("in", s.lengthOf(0).times(8))),
  in1: s.bytes("in", s.lengthOf(1).times(8)),
  inout1: s.bytes("inout", s.lengthOf(1).times(8)),
  version: s.pointer("out", s.struct({ majnum: s.u32, minnum: s.u32, relnum: s.u32 })),
  groupInfo: s.pointer(
    "out",
    s.struct({ storage_type: s.i32, nlinks: s.u64, max_corder: s.i64, mounted: s.bool }),
  ),
};

/** The functions of {@linkcode hdf5Api}, as `fns` takes them. */
export const HDF5_LINES = [
  "H5T_NATIVE_SCHAR H5T_NATIVE_SHORT H5T_NATIVE_INT H5T_NATIVE_LONG H5T_NATIVE_LLONG: -> Type",
  "H5T_NATIVE_UCHAR H5T_NATIVE_USHORT H5T_NATIVE_UINT H5T_NATIVE_ULONG H5T_NATIVE_ULLONG: -> Type",
  "H5T_NATIVE_INT8 H5T_NATIVE_INT16 H5T_NATIVE_INT32 H5T_NATIVE_INT64: -> Type",
  "H5T_NATIVE_UINT8 H5T_NATIVE_UINT16 H5T_NATIVE_UINT32 H5T_NATIVE_UINT64: -> Type",
  "H5T_NATIVE_FLOAT H5T_NATIVE_DOUBLE H5T_NATIVE_LDOUBLE: -> Type",
  "H5T_NATIVE_B8 H5T_NATIVE_B16 H5T_NATIVE_B32 H5T_NATIVE_B64 H5T_NATIVE_OPAQUE: -> Type",
  "H5T_NATIVE_HBOOL H5T_NATIVE_HSIZE H5T_NATIVE_HSSIZE H5T_NATIVE_HADDR: -> Type",
  "H5T_STD_I8LE H5T_STD_I16LE H5T_STD_I32LE H5T_STD_I64LE: -> Type",
  "H5T_STD_U8LE H5T_STD_U16LE H5T_STD_U32LE H5T_STD_U64LE: -> Type",
  "H5T_STD_B8LE H5T_STD_B16LE H5T_STD_B32LE H5T_STD_B64LE: -> Type",
  "H5T_STD_I8BE H5T_STD_I16BE H5T_STD_I32BE H5T_STD_I64BE: -> Type",
  "H5T_STD_U8BE H5T_STD_U16BE H5T_STD_U32BE H5T_STD_U64BE: -> Type",
  "H5T_STD_B8BE H5T_STD_B16BE H5T_STD_B32BE H5T_STD_B64BE: -> Type",
  "H5T_IEEE_F32LE H5T_IEEE_F32BE H5T_IEEE_F64LE H5T_IEEE_F64BE: -> Type",
  "H5T_C_S1 H5T_FORTRAN_S1: -> Type",
  "H5P_FILE_ACCESS H5P_LINK_CREATE H5P_DATASET_CREATE: -> ListClass",
  "H5get_libversion: version -> i32",

  "H5Fcreate: string u32 list list -> File",
  "H5Fopen: string u32 list -> File",
  "H5Fflush: Object i32 -> i32",
  "H5Fclose: File -> i32",
  "H5Gcreate2: Place string list list list -> Group",
  "H5Gopen2: Place string list -> Group",
  "H5Gget_info: Place groupInfo -> i32",
  "H5Gclose: Group -> i32",
  "H5Lexists H5Ldelete: Place string list -> i32",
  "H5Lget_name_by_idx: Place string i32 i32 u64 list -> string",

  "H5Screate: i32 -> Space",
  "H5Screate_simple: i32 in0 in0OrNull -> Space",
  "H5Scopy: Space -> Space",
  "H5Sget_simple_extent_ndims H5Sselect_all H5Sselect_none: Space -> i32",
  "H5Sget_simple_extent_dims: Space inout inoutOrNull -> i32",
  "H5Sget_simple_extent_npoints H5Sget_select_npoints: Space -> i64",
  "H5Sselect_hyperslab: Space i32 in inOrNull in inOrNull -> i32",
  "H5Sclose: Space -> i32",

  "H5Tcopy: Type -> Type",
  "H5Tcreate: i32 usize -> Type",
  "H5Tinsert: Type string usize Type -> i32",
  "H5Tset_size: Type usize -> i32",
  "H5Tset_strpad H5Tset_cset: Type i32 -> i32",
  "H5Tget_class H5Tget_order H5Tget_sign H5Tget_nmembers: Type -> i32",
  "H5Tis_variable_str: Type -> i32",
  "H5Tget_size: Type -> usize",
  "H5Tget_member_name: Type u32 -> string",
  "H5Tget_member_offset: Type u32 -> usize",
  "H5Tget_member_type: Type u32 -> Type",
  "H5Tequal: Type Type -> i32",
  "H5Tclose: Type -> i32",

  "H5Pcreate: ListClass -> List",
  "H5Pset_chunk: List i32 in1 -> i32",
  "H5Pget_chunk: List i32 inout1 -> i32",
  "H5Pset_deflate H5Pset_create_intermediate_group: List u32 -> i32",
  "H5Pset_shuffle H5Pget_nfilters: List -> i32",
  "H5Pset_fill_value: List Type in -> i32",
  "H5Pset_fclose_degree: List i32 -> i32",
  "H5Pclose: List -> i32",

  "H5Dcreate2: Place string Type Space list list list -> Dataset",
  "H5Dopen2: Place string list -> Dataset",
  "H5Dget_space: Dataset -> Space",
  "H5Dget_type: Dataset -> Type",
  "H5Dget_create_plist: Dataset -> List",
  "H5Dget_storage_size: Dataset -> u64",
  "H5Dset_extent: Dataset in -> i32",
  "H5Dwrite: Dataset Type space space list in -> i32",
  "H5Dread: Dataset Type space space list inout -> i32",
  "H5Dclose: Dataset -> i32",

  "H5Acreate2: Object string Type Space list list -> Attribute",
  "H5Aopen: Object string list -> Attribute",
  "H5Aexists H5Adelete: Object string -> i32",
  "H5Aget_num_attrs: Object -> i32",
  "H5Aget_name_by_idx: Object string i32 i32 u64 list -> string",
  "H5Aget_space: Attribute -> Space",
  "H5Aget_type: Attribute -> Type",
  "H5Awrite: Attribute Type in -> i32",
  "H5Aread: Attribute Type inout -> i32",
  "H5Aclose: Attribute -> i32",
] as const;

/** The functions of {@linkcode hdf5Api}. */
export type Hdf5Functions = Fns<typeof HDF5_LINES[number], Hdf5Kinds>;
/**
 * HDF5 with its own names and meanings: files, groups, dataspaces with hyperslabs, datasets,
 * attributes, types, property lists. What differs from C:
 *
 * - Types and classes are functions: `H5T_NATIVE_DOUBLE()`. `H5P_DEFAULT` and `H5S_ALL` are null.
 * - Numbers of type `hsize_t` come and go as bytes, 8 each: `hsizes(3, 4)`.
 * - What C writes to a text buffer is the result: names by index, names of members.
 * - A failure is an error whose text is HDF5's error stack, not a negative result.
 *
 * `H5Dwrite` and `H5Dread` take an array of exactly the bytes that the memory's dataspace has in the
 * memory's type; what is not selected in it stays as it is. Of texts of any length (`H5T_VARIABLE`) it
 * has each with a NUL behind it, see `textBytes`; one that is read may be longer.
 *
 * Source: the HDF5 reference manual, version 1.10.
 */
export const hdf5Api: HostApi<Hdf5Functions> = s.hostApi(
  "hdf5",
  s.fns(KINDS, ...HDF5_LINES),
);

/** The names of the types that HDF5 has in variables. */
export const HDF5_TYPES: readonly string[] = Object.keys(hdf5Api.functions)
  .filter((name) => name.startsWith("H5T_"));
/** The names of the kinds of property lists. */
export const HDF5_LIST_CLASSES: readonly string[] = Object.keys(hdf5Api.functions)
  .filter((name) => name.startsWith("H5P_"));

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
  H5T_BITFIELD: 4,
  H5T_OPAQUE: 5,
  H5T_COMPOUND: 6,
  H5T_ENUM: 8,
  H5T_ARRAY: 10,
  H5T_ORDER_LE: 0,
  H5T_ORDER_BE: 1,
  H5T_SGN_NONE: 0,
  H5T_SGN_2: 1,
  /** The size of texts of any length. */
  H5T_VARIABLE: 0xffff_ffff_ffff_ffffn,
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
 * import { hsizes } from "./hdf5_api.ts";
 * if (hsizes(3, 4n).length !== 16) throw new Error("8 bytes each");
 * ```
 */
export function hsizes(...numbers: readonly (number | bigint)[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigUint64Array(numbers.map(BigInt)).buffer);
}

/**
 * The error of a function of HDF5: its first cause comes first, as long texts are cut for kernels.
 *
 * @param lines the error stack: the function that was called first, and the first cause last
 */
export function hdf5Error(name: string, lines: readonly string[]): Error {
  const why = lines.length > 0 ? lines.toReversed().join("; ") : "it does not say why";
  return new Error(`Cannot finish ${name} as HDF5 failed: ${why}`);
}
