import type {
  Bytes,
  FunctionSignature,
  HandleKind,
  HostFunctions,
  Nullable,
  Parameter,
  Reference,
  Result,
  Scalar,
  Struct,
  Text,
} from "../../../signature/mod.ts";

/** A function of HDF5 that takes and gives these. */
export type Hdf5Function<Ps extends readonly Parameter[], R extends Result> = FunctionSignature<
  readonly [...Ps],
  R
>;

/** Something of HDF5's: a `hid_t`. */
export type Hdf5Handle<N extends string> = HandleKind<N>;
/** A property list, or null for the defaults. */
export type Hdf5Options = Nullable<Hdf5List>;
/** Where a name is looked for. */
export type Hdf5Location = Hdf5Handle<"File|Group">;
/** What can have attributes. */
export type Hdf5Object = Hdf5Handle<"File|Group|Dataset">;
/** A dataspace, or null for all of the dataset. */
export type Hdf5Selection = Nullable<Hdf5Space>;

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

/** Names of the types that HDF5 has. */
export type Hdf5TypeName =
  | `H5T_NATIVE_${"INT" | "UINT"}${8 | 16 | 32 | 64}`
  | "H5T_NATIVE_FLOAT"
  | "H5T_NATIVE_DOUBLE"
  | `H5T_STD_${"I" | "U"}${8 | 16 | 32 | 64}${"LE" | "BE"}`
  | `H5T_IEEE_F${32 | 64}${"LE" | "BE"}`
  | "H5T_C_S1";
/** Names of the kinds of property lists. */
export type Hdf5ListClass = "H5P_FILE_ACCESS" | "H5P_LINK_CREATE" | "H5P_DATASET_CREATE";

/** A file that is open. */
export type Hdf5File = Hdf5Handle<"File">;
/** A group. */
export type Hdf5Group = Hdf5Handle<"Group">;
/** A dataset. */
export type Hdf5Dataset = Hdf5Handle<"Dataset">;
/** An attribute. */
export type Hdf5Attribute = Hdf5Handle<"Attribute">;
/** A dataspace with what is selected of it. */
export type Hdf5Space = Hdf5Handle<"Dataspace">;
/** A type. */
export type Hdf5Type = Hdf5Handle<"Datatype">;
/** A property list. */
export type Hdf5List = Hdf5Handle<"Plist">;

/** The functions of `hdf5Api`. */
export type Hdf5Functions =
  & { readonly [N in Hdf5TypeName]: Hdf5Function<[], Hdf5Type> }
  & { readonly [N in Hdf5ListClass]: Hdf5Function<[], Hdf5Handle<"PlistClass">> }
  & {
    readonly H5get_libversion: Hdf5Function<[Reference<"out", Hdf5Version>], Scalar<"i32">>;

    readonly H5Fcreate: Hdf5Function<[Text, Scalar<"u32">, Hdf5Options, Hdf5Options], Hdf5File>;
    readonly H5Fopen: Hdf5Function<[Text, Scalar<"u32">, Hdf5Options], Hdf5File>;
    readonly H5Fflush: Hdf5Function<[Hdf5Object, Scalar<"i32">], Scalar<"i32">>;
    readonly H5Fclose: Hdf5Function<[Hdf5File], Scalar<"i32">>;

    readonly H5Gcreate2: Hdf5Function<
      [Hdf5Location, Text, Hdf5Options, Hdf5Options, Hdf5Options],
      Hdf5Group
    >;
    readonly H5Gopen2: Hdf5Function<[Hdf5Location, Text, Hdf5Options], Hdf5Group>;
    readonly H5Gget_info: Hdf5Function<
      [Hdf5Location, Reference<"out", Hdf5GroupInfo>],
      Scalar<"i32">
    >;
    readonly H5Gclose: Hdf5Function<[Hdf5Group], Scalar<"i32">>;
    readonly H5Lexists: Hdf5Function<[Hdf5Location, Text, Hdf5Options], Scalar<"i32">>;
    readonly H5Lget_name_by_idx: Hdf5Function<
      [Hdf5Location, Text, Scalar<"i32">, Scalar<"i32">, Scalar<"u64">, Hdf5Options],
      Text
    >;
    readonly H5Ldelete: Hdf5Function<[Hdf5Location, Text, Hdf5Options], Scalar<"i32">>;

    readonly H5Screate: Hdf5Function<[Scalar<"i32">], Hdf5Space>;
    readonly H5Screate_simple: Hdf5Function<
      [Scalar<"i32">, Bytes<"in">, Nullable<Bytes<"in">>],
      Hdf5Space
    >;
    readonly H5Scopy: Hdf5Function<[Hdf5Space], Hdf5Space>;
    readonly H5Sget_simple_extent_ndims: Hdf5Function<[Hdf5Space], Scalar<"i32">>;
    readonly H5Sget_simple_extent_dims: Hdf5Function<
      [Hdf5Space, Bytes<"out">, Nullable<Bytes<"out">>],
      Scalar<"i32">
    >;
    readonly H5Sget_simple_extent_npoints: Hdf5Function<[Hdf5Space], Scalar<"i64">>;
    readonly H5Sselect_hyperslab: Hdf5Function<
      [
        Hdf5Space,
        Scalar<"i32">,
        Bytes<"in">,
        Nullable<Bytes<"in">>,
        Bytes<"in">,
        Nullable<Bytes<"in">>,
      ],
      Scalar<"i32">
    >;
    readonly H5Sselect_all: Hdf5Function<[Hdf5Space], Scalar<"i32">>;
    readonly H5Sselect_none: Hdf5Function<[Hdf5Space], Scalar<"i32">>;
    readonly H5Sget_select_npoints: Hdf5Function<[Hdf5Space], Scalar<"i64">>;
    readonly H5Sclose: Hdf5Function<[Hdf5Space], Scalar<"i32">>;

    readonly H5Tcopy: Hdf5Function<[Hdf5Type], Hdf5Type>;
    readonly H5Tcreate: Hdf5Function<[Scalar<"i32">, Scalar<"usize">], Hdf5Type>;
    readonly H5Tinsert: Hdf5Function<[Hdf5Type, Text, Scalar<"usize">, Hdf5Type], Scalar<"i32">>;
    readonly H5Tset_size: Hdf5Function<[Hdf5Type, Scalar<"usize">], Scalar<"i32">>;
    readonly H5Tset_strpad: Hdf5Function<[Hdf5Type, Scalar<"i32">], Scalar<"i32">>;
    readonly H5Tset_cset: Hdf5Function<[Hdf5Type, Scalar<"i32">], Scalar<"i32">>;
    readonly H5Tget_class: Hdf5Function<[Hdf5Type], Scalar<"i32">>;
    readonly H5Tget_size: Hdf5Function<[Hdf5Type], Scalar<"usize">>;
    readonly H5Tget_order: Hdf5Function<[Hdf5Type], Scalar<"i32">>;
    readonly H5Tget_sign: Hdf5Function<[Hdf5Type], Scalar<"i32">>;
    readonly H5Tget_nmembers: Hdf5Function<[Hdf5Type], Scalar<"i32">>;
    readonly H5Tget_member_name: Hdf5Function<[Hdf5Type, Scalar<"u32">], Text>;
    readonly H5Tget_member_offset: Hdf5Function<[Hdf5Type, Scalar<"u32">], Scalar<"usize">>;
    readonly H5Tget_member_type: Hdf5Function<[Hdf5Type, Scalar<"u32">], Hdf5Type>;
    readonly H5Tequal: Hdf5Function<[Hdf5Type, Hdf5Type], Scalar<"i32">>;
    readonly H5Tclose: Hdf5Function<[Hdf5Type], Scalar<"i32">>;

    readonly H5Pcreate: Hdf5Function<[Hdf5Handle<"PlistClass">], Hdf5List>;
    readonly H5Pset_chunk: Hdf5Function<[Hdf5List, Scalar<"i32">, Bytes<"in">], Scalar<"i32">>;
    readonly H5Pget_chunk: Hdf5Function<[Hdf5List, Scalar<"i32">, Bytes<"out">], Scalar<"i32">>;
    readonly H5Pset_deflate: Hdf5Function<[Hdf5List, Scalar<"u32">], Scalar<"i32">>;
    readonly H5Pset_shuffle: Hdf5Function<[Hdf5List], Scalar<"i32">>;
    readonly H5Pget_nfilters: Hdf5Function<[Hdf5List], Scalar<"i32">>;
    readonly H5Pset_fill_value: Hdf5Function<[Hdf5List, Hdf5Type, Bytes<"in">], Scalar<"i32">>;
    readonly H5Pset_create_intermediate_group: Hdf5Function<
      [Hdf5List, Scalar<"u32">],
      Scalar<"i32">
    >;
    readonly H5Pset_fclose_degree: Hdf5Function<[Hdf5List, Scalar<"i32">], Scalar<"i32">>;
    readonly H5Pclose: Hdf5Function<[Hdf5List], Scalar<"i32">>;

    readonly H5Dcreate2: Hdf5Function<
      [Hdf5Location, Text, Hdf5Type, Hdf5Space, Hdf5Options, Hdf5Options, Hdf5Options],
      Hdf5Dataset
    >;
    readonly H5Dopen2: Hdf5Function<[Hdf5Location, Text, Hdf5Options], Hdf5Dataset>;
    readonly H5Dget_space: Hdf5Function<[Hdf5Dataset], Hdf5Space>;
    readonly H5Dget_type: Hdf5Function<[Hdf5Dataset], Hdf5Type>;
    readonly H5Dget_create_plist: Hdf5Function<[Hdf5Dataset], Hdf5List>;
    readonly H5Dget_storage_size: Hdf5Function<[Hdf5Dataset], Scalar<"u64">>;
    readonly H5Dset_extent: Hdf5Function<[Hdf5Dataset, Bytes<"in">], Scalar<"i32">>;
    readonly H5Dwrite: Hdf5Function<
      [Hdf5Dataset, Hdf5Type, Hdf5Selection, Hdf5Selection, Hdf5Options, Bytes<"in">],
      Scalar<"i32">
    >;
    readonly H5Dread: Hdf5Function<
      [Hdf5Dataset, Hdf5Type, Hdf5Selection, Hdf5Selection, Hdf5Options, Bytes<"inout">],
      Scalar<"i32">
    >;
    readonly H5Dclose: Hdf5Function<[Hdf5Dataset], Scalar<"i32">>;

    readonly H5Acreate2: Hdf5Function<
      [Hdf5Object, Text, Hdf5Type, Hdf5Space, Hdf5Options, Hdf5Options],
      Hdf5Attribute
    >;
    readonly H5Aopen: Hdf5Function<[Hdf5Object, Text, Hdf5Options], Hdf5Attribute>;
    readonly H5Aexists: Hdf5Function<[Hdf5Object, Text], Scalar<"i32">>;
    readonly H5Adelete: Hdf5Function<[Hdf5Object, Text], Scalar<"i32">>;
    readonly H5Aget_num_attrs: Hdf5Function<[Hdf5Object], Scalar<"i32">>;
    readonly H5Aget_name_by_idx: Hdf5Function<
      [Hdf5Object, Text, Scalar<"i32">, Scalar<"i32">, Scalar<"u64">, Hdf5Options],
      Text
    >;
    readonly H5Aget_space: Hdf5Function<[Hdf5Attribute], Hdf5Space>;
    readonly H5Aget_type: Hdf5Function<[Hdf5Attribute], Hdf5Type>;
    readonly H5Awrite: Hdf5Function<[Hdf5Attribute, Hdf5Type, Bytes<"in">], Scalar<"i32">>;
    readonly H5Aread: Hdf5Function<[Hdf5Attribute, Hdf5Type, Bytes<"out">], Scalar<"i32">>;
    readonly H5Aclose: Hdf5Function<[Hdf5Attribute], Scalar<"i32">>;
  };

/** The functions of a host whose names begin so. */
export type Hdf5Part<Prefix extends string> = Pick<
  HostFunctions<Hdf5Functions>,
  Extract<keyof Hdf5Functions, `${Prefix}${string}`>
>;
