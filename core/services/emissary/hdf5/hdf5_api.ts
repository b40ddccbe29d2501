import {
  bool,
  bytes,
  ends,
  fn,
  type FunctionSignature,
  handle,
  type HandleKind,
  type HostApi,
  hostApi,
  i32,
  i64,
  type Length,
  lengthOf,
  nullable,
  pointer,
  string,
  struct,
  u32,
  u64,
  usize,
} from "../../../signature/mod.ts";
import type { Hdf5Functions, Hdf5ListClass, Hdf5TypeName } from "./hdf5_functions.ts";

const FILE = handle("File");
const GROUP = handle("Group");
const DATASET = handle("Dataset");
const SPACE = handle("Dataspace");
const TYPE = handle("Datatype");
const ATTRIBUTE = handle("Attribute");
const LIST = handle("Plist");
const CLASS = handle("PlistClass");
/** Where a name is looked for. */
const LOCATION = handle("File|Group");
/** What can have attributes. */
const OBJECT = handle("File|Group|Dataset");
/** `H5P_DEFAULT` is null. */
const OPTIONS = nullable(LIST);
/** `H5S_ALL` is null. */
const SELECTION = nullable(SPACE);

const IN = bytes("in");
const NUMBERS = nullable(IN);
/** As many `hsize_t` as the parameter before says. */
function numbersOf(index: number): Length {
  return lengthOf(index).times(8);
}
const VERSION = struct({ majnum: u32, minnum: u32, relnum: u32 });
const GROUP_INFO = struct({ storage_type: i32, nlinks: u64, max_corder: i64, mounted: bool });

const WIDTHS = [8, 16, 32, 64] as const;
/** The types that HDF5 has, by their names. */
export const HDF5_TYPES: readonly Hdf5TypeName[] = [
  ...WIDTHS.flatMap((bits) => [`H5T_NATIVE_INT${bits}`, `H5T_NATIVE_UINT${bits}`] as const),
  "H5T_NATIVE_FLOAT",
  "H5T_NATIVE_DOUBLE",
  ...WIDTHS.flatMap((bits) => [`H5T_STD_I${bits}LE`, `H5T_STD_I${bits}BE`] as const),
  ...WIDTHS.flatMap((bits) => [`H5T_STD_U${bits}LE`, `H5T_STD_U${bits}BE`] as const),
  "H5T_IEEE_F32LE",
  "H5T_IEEE_F32BE",
  "H5T_IEEE_F64LE",
  "H5T_IEEE_F64BE",
  "H5T_C_S1",
];
/** The kinds of property lists, by their names. */
export const HDF5_LIST_CLASSES: readonly Hdf5ListClass[] = [
  "H5P_FILE_ACCESS",
  "H5P_LINK_CREATE",
  "H5P_DATASET_CREATE",
];

/** A function without arguments for each name: C has global variables there. */
function each<N extends string, K extends HandleKind>(
  names: readonly N[],
  result: K,
): { readonly [M in N]: FunctionSignature<readonly [], K> } {
  const functions = names.map((name) => [name, fn([], result)] as const);
  return Object.fromEntries(functions) as { readonly [M in N]: FunctionSignature<readonly [], K> };
}

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
 * memory's type; what is not selected in it stays as it is.
 *
 * Source: the HDF5 reference manual, version 1.10.
 */
export const hdf5Api: HostApi<Hdf5Functions> = hostApi("hdf5", {
  ...each(HDF5_TYPES, TYPE),
  ...each(HDF5_LIST_CLASSES, CLASS),
  H5get_libversion: fn([pointer("out", VERSION)], i32),

  H5Fcreate: fn([string, u32, OPTIONS, OPTIONS], FILE),
  H5Fopen: fn([string, u32, OPTIONS], FILE),
  H5Fflush: fn([OBJECT, i32], i32),
  H5Fclose: fn([ends("File")], i32),

  H5Gcreate2: fn([LOCATION, string, OPTIONS, OPTIONS, OPTIONS], GROUP),
  H5Gopen2: fn([LOCATION, string, OPTIONS], GROUP),
  H5Gget_info: fn([LOCATION, pointer("out", GROUP_INFO)], i32),
  H5Gclose: fn([ends("Group")], i32),
  H5Lexists: fn([LOCATION, string, OPTIONS], i32),
  H5Lget_name_by_idx: fn([LOCATION, string, i32, i32, u64, OPTIONS], string),
  H5Ldelete: fn([LOCATION, string, OPTIONS], i32),

  H5Screate: fn([i32], SPACE),
  H5Screate_simple: fn(
    [i32, bytes("in", numbersOf(0)), nullable(bytes("in", numbersOf(0)))],
    SPACE,
  ),
  H5Scopy: fn([SPACE], SPACE),
  H5Sget_simple_extent_ndims: fn([SPACE], i32),
  H5Sget_simple_extent_dims: fn([SPACE, bytes("out"), nullable(bytes("out"))], i32),
  H5Sget_simple_extent_npoints: fn([SPACE], i64),
  H5Sselect_hyperslab: fn([SPACE, i32, IN, NUMBERS, IN, NUMBERS], i32),
  H5Sselect_all: fn([SPACE], i32),
  H5Sselect_none: fn([SPACE], i32),
  H5Sget_select_npoints: fn([SPACE], i64),
  H5Sclose: fn([ends("Dataspace")], i32),

  H5Tcopy: fn([TYPE], TYPE),
  H5Tcreate: fn([i32, usize], TYPE),
  H5Tinsert: fn([TYPE, string, usize, TYPE], i32),
  H5Tset_size: fn([TYPE, usize], i32),
  H5Tset_strpad: fn([TYPE, i32], i32),
  H5Tset_cset: fn([TYPE, i32], i32),
  H5Tget_class: fn([TYPE], i32),
  H5Tget_size: fn([TYPE], usize),
  H5Tget_order: fn([TYPE], i32),
  H5Tget_sign: fn([TYPE], i32),
  H5Tget_nmembers: fn([TYPE], i32),
  H5Tget_member_name: fn([TYPE, u32], string),
  H5Tget_member_offset: fn([TYPE, u32], usize),
  H5Tget_member_type: fn([TYPE, u32], TYPE),
  H5Tequal: fn([TYPE, TYPE], i32),
  H5Tclose: fn([ends("Datatype")], i32),

  H5Pcreate: fn([CLASS], LIST),
  H5Pset_chunk: fn([LIST, i32, bytes("in", numbersOf(1))], i32),
  H5Pget_chunk: fn([LIST, i32, bytes("out", numbersOf(1))], i32),
  H5Pset_deflate: fn([LIST, u32], i32),
  H5Pset_shuffle: fn([LIST], i32),
  H5Pget_nfilters: fn([LIST], i32),
  H5Pset_fill_value: fn([LIST, TYPE, IN], i32),
  H5Pset_create_intermediate_group: fn([LIST, u32], i32),
  H5Pset_fclose_degree: fn([LIST, i32], i32),
  H5Pclose: fn([ends("Plist")], i32),

  H5Dcreate2: fn([LOCATION, string, TYPE, SPACE, OPTIONS, OPTIONS, OPTIONS], DATASET),
  H5Dopen2: fn([LOCATION, string, OPTIONS], DATASET),
  H5Dget_space: fn([DATASET], SPACE),
  H5Dget_type: fn([DATASET], TYPE),
  H5Dget_create_plist: fn([DATASET], LIST),
  H5Dget_storage_size: fn([DATASET], u64),
  H5Dset_extent: fn([DATASET, IN], i32),
  H5Dwrite: fn([DATASET, TYPE, SELECTION, SELECTION, OPTIONS, IN], i32),
  H5Dread: fn([DATASET, TYPE, SELECTION, SELECTION, OPTIONS, bytes("inout")], i32),
  H5Dclose: fn([ends("Dataset")], i32),

  H5Acreate2: fn([OBJECT, string, TYPE, SPACE, OPTIONS, OPTIONS], ATTRIBUTE),
  H5Aopen: fn([OBJECT, string, OPTIONS], ATTRIBUTE),
  H5Aexists: fn([OBJECT, string], i32),
  H5Adelete: fn([OBJECT, string], i32),
  H5Aget_num_attrs: fn([OBJECT], i32),
  H5Aget_name_by_idx: fn([OBJECT, string, i32, i32, u64, OPTIONS], string),
  H5Aget_space: fn([ATTRIBUTE], SPACE),
  H5Aget_type: fn([ATTRIBUTE], TYPE),
  H5Awrite: fn([ATTRIBUTE, TYPE, IN], i32),
  H5Aread: fn([ATTRIBUTE, TYPE, bytes("out")], i32),
  H5Aclose: fn([ends("Attribute")], i32),
});
