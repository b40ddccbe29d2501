import {
  bool,
  type Bytes,
  bytes,
  ends,
  handle,
  type HandleKind,
  i32,
  i64,
  lengthOf,
  type Nullable,
  nullable,
  pointer,
  type Reference,
  type Scalar,
  type Struct,
  struct,
  u32,
  u64,
} from "../../../signature/mod.ts";

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
export type Hdf5Kinds = {
  readonly File: HandleKind<"File">;
  readonly Group: HandleKind<"Group">;
  readonly Dataset: HandleKind<"Dataset">;
  readonly Space: HandleKind<"Dataspace">;
  readonly Type: HandleKind<"Datatype">;
  readonly Attribute: HandleKind<"Attribute">;
  readonly List: HandleKind<"Plist">;
  readonly ListClass: HandleKind<"PlistClass">;
  /** For the call that closes it. */
  readonly endsFile: HandleKind<"File">;
  readonly endsGroup: HandleKind<"Group">;
  readonly endsDataset: HandleKind<"Dataset">;
  readonly endsSpace: HandleKind<"Dataspace">;
  readonly endsType: HandleKind<"Datatype">;
  readonly endsAttribute: HandleKind<"Attribute">;
  readonly endsList: HandleKind<"Plist">;
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

/** The kinds behind the words. */
export const HDF5_KINDS: Hdf5Kinds = {
  File: handle("File"),
  Group: handle("Group"),
  Dataset: handle("Dataset"),
  Space: handle("Dataspace"),
  Type: handle("Datatype"),
  Attribute: handle("Attribute"),
  List: handle("Plist"),
  ListClass: handle("PlistClass"),
  endsFile: ends("File"),
  endsGroup: ends("Group"),
  endsDataset: ends("Dataset"),
  endsSpace: ends("Dataspace"),
  endsType: ends("Datatype"),
  endsAttribute: ends("Attribute"),
  endsList: ends("Plist"),
  Place: handle("File|Group"),
  Object: handle("File|Group|Dataset"),
  list: nullable(handle("Plist")),
  space: nullable(handle("Dataspace")),
  in: bytes("in"),
  inout: bytes("inout"),
  inOrNull: nullable(bytes("in")),
  inoutOrNull: nullable(bytes("inout")),
  in0: bytes("in", lengthOf(0).times(8)),
  in0OrNull: nullable(bytes("in", lengthOf(0).times(8))),
  in1: bytes("in", lengthOf(1).times(8)),
  inout1: bytes("inout", lengthOf(1).times(8)),
  version: pointer("out", struct({ majnum: u32, minnum: u32, relnum: u32 })),
  groupInfo: pointer(
    "out",
    struct({ storage_type: i32, nlinks: u64, max_corder: i64, mounted: bool }),
  ),
};
