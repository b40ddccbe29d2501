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
export type Hdf5Options = Nullable<Hdf5Handle<"Plist">>;
/** Where a name is looked for. */
export type Hdf5Location = Hdf5Handle<"File|Group">;
/** What can have attributes. */
export type Hdf5Object = Hdf5Handle<"File|Group|Dataset">;
/** A dataspace, or null for all of the dataset. */
export type Hdf5Selection = Nullable<Hdf5Handle<"Dataspace">>;

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

type Fn<Ps extends readonly Parameter[], R extends Result> = Hdf5Function<Ps, R>;
type In = Bytes<"in">;
type Out = Bytes<"out">;
type I32 = Scalar<"i32">;
type U32 = Scalar<"u32">;
type I64 = Scalar<"i64">;
type U64 = Scalar<"u64">;
type Size = Scalar<"usize">;
type Options = Hdf5Options;
type Location = Hdf5Location;
type Thing = Hdf5Object;
type File = Hdf5Handle<"File">;
type Group = Hdf5Handle<"Group">;
type Dataset = Hdf5Handle<"Dataset">;
type Space = Hdf5Handle<"Dataspace">;
type Type = Hdf5Handle<"Datatype">;
type Attribute = Hdf5Handle<"Attribute">;
type List = Hdf5Handle<"Plist">;

/** The functions of `hdf5Api`. */
export type Hdf5Functions =
  & { readonly [N in Hdf5TypeName]: Fn<[], Type> }
  & { readonly [N in Hdf5ListClass]: Fn<[], Hdf5Handle<"PlistClass">> }
  & {
    readonly H5get_libversion: Fn<[Reference<"out", Hdf5Version>], I32>;

    readonly H5Fcreate: Fn<[Text, U32, Options, Options], File>;
    readonly H5Fopen: Fn<[Text, U32, Options], File>;
    readonly H5Fflush: Fn<[Thing, I32], I32>;
    readonly H5Fclose: Fn<[File], I32>;

    readonly H5Gcreate2: Fn<[Location, Text, Options, Options, Options], Group>;
    readonly H5Gopen2: Fn<[Location, Text, Options], Group>;
    readonly H5Gget_info: Fn<[Location, Reference<"out", Hdf5GroupInfo>], I32>;
    readonly H5Gclose: Fn<[Group], I32>;
    readonly H5Lexists: Fn<[Location, Text, Options], I32>;
    readonly H5Lget_name_by_idx: Fn<[Location, Text, I32, I32, U64, Options], Text>;
    readonly H5Ldelete: Fn<[Location, Text, Options], I32>;

    readonly H5Screate: Fn<[I32], Space>;
    readonly H5Screate_simple: Fn<[I32, In, Nullable<In>], Space>;
    readonly H5Scopy: Fn<[Space], Space>;
    readonly H5Sget_simple_extent_ndims: Fn<[Space], I32>;
    readonly H5Sget_simple_extent_dims: Fn<[Space, Out, Nullable<Out>], I32>;
    readonly H5Sget_simple_extent_npoints: Fn<[Space], I64>;
    readonly H5Sselect_hyperslab: Fn<[Space, I32, In, Nullable<In>, In, Nullable<In>], I32>;
    readonly H5Sselect_all: Fn<[Space], I32>;
    readonly H5Sselect_none: Fn<[Space], I32>;
    readonly H5Sget_select_npoints: Fn<[Space], I64>;
    readonly H5Sclose: Fn<[Space], I32>;

    readonly H5Tcopy: Fn<[Type], Type>;
    readonly H5Tcreate: Fn<[I32, Size], Type>;
    readonly H5Tinsert: Fn<[Type, Text, Size, Type], I32>;
    readonly H5Tset_size: Fn<[Type, Size], I32>;
    readonly H5Tset_strpad: Fn<[Type, I32], I32>;
    readonly H5Tset_cset: Fn<[Type, I32], I32>;
    readonly H5Tget_class: Fn<[Type], I32>;
    readonly H5Tget_size: Fn<[Type], Size>;
    readonly H5Tget_order: Fn<[Type], I32>;
    readonly H5Tget_sign: Fn<[Type], I32>;
    readonly H5Tget_nmembers: Fn<[Type], I32>;
    readonly H5Tget_member_name: Fn<[Type, U32], Text>;
    readonly H5Tget_member_offset: Fn<[Type, U32], Size>;
    readonly H5Tget_member_type: Fn<[Type, U32], Type>;
    readonly H5Tequal: Fn<[Type, Type], I32>;
    readonly H5Tclose: Fn<[Type], I32>;

    readonly H5Pcreate: Fn<[Hdf5Handle<"PlistClass">], List>;
    readonly H5Pset_chunk: Fn<[List, I32, In], I32>;
    readonly H5Pget_chunk: Fn<[List, I32, Out], I32>;
    readonly H5Pset_deflate: Fn<[List, U32], I32>;
    readonly H5Pset_shuffle: Fn<[List], I32>;
    readonly H5Pget_nfilters: Fn<[List], I32>;
    readonly H5Pset_fill_value: Fn<[List, Type, In], I32>;
    readonly H5Pset_create_intermediate_group: Fn<[List, U32], I32>;
    readonly H5Pset_fclose_degree: Fn<[List, I32], I32>;
    readonly H5Pclose: Fn<[List], I32>;

    readonly H5Dcreate2: Fn<[Location, Text, Type, Space, Options, Options, Options], Dataset>;
    readonly H5Dopen2: Fn<[Location, Text, Options], Dataset>;
    readonly H5Dget_space: Fn<[Dataset], Space>;
    readonly H5Dget_type: Fn<[Dataset], Type>;
    readonly H5Dget_create_plist: Fn<[Dataset], List>;
    readonly H5Dget_storage_size: Fn<[Dataset], U64>;
    readonly H5Dset_extent: Fn<[Dataset, In], I32>;
    readonly H5Dwrite: Fn<[Dataset, Type, Hdf5Selection, Hdf5Selection, Options, In], I32>;
    readonly H5Dread: Fn<
      [Dataset, Type, Hdf5Selection, Hdf5Selection, Options, Bytes<"inout">],
      I32
    >;
    readonly H5Dclose: Fn<[Dataset], I32>;

    readonly H5Acreate2: Fn<[Thing, Text, Type, Space, Options, Options], Attribute>;
    readonly H5Aopen: Fn<[Thing, Text, Options], Attribute>;
    readonly H5Aexists: Fn<[Thing, Text], I32>;
    readonly H5Adelete: Fn<[Thing, Text], I32>;
    readonly H5Aget_num_attrs: Fn<[Thing], I32>;
    readonly H5Aget_name_by_idx: Fn<[Thing, Text, I32, I32, U64, Options], Text>;
    readonly H5Aget_space: Fn<[Attribute], Space>;
    readonly H5Aget_type: Fn<[Attribute], Type>;
    readonly H5Awrite: Fn<[Attribute, Type, In], I32>;
    readonly H5Aread: Fn<[Attribute, Type, Out], I32>;
    readonly H5Aclose: Fn<[Attribute], I32>;
  };

/** The functions of a host whose names begin so. */
export type Hdf5Part<Prefix extends string> = Pick<
  HostFunctions<Hdf5Functions>,
  Extract<keyof Hdf5Functions, `${Prefix}${string}`>
>;
