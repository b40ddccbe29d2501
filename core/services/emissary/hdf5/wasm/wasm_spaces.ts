import { H5, HDF5_LIST_CLASSES, HDF5_TYPES, hdf5Error, type Hdf5Part } from "../hdf5_api.ts";
import { checkBytes, DataSpace, maximumsIn, numbersIn } from "./data_space.ts";
import { refuse } from "./wasm_groups.ts";
import { POINTER_BYTES } from "./wasm_texts.ts";
import { isSameForm, type TypeForm, WasmType } from "./wasm_library.ts";

export function wasmSpaces(): Hdf5Part<"H5S"> {
  return {
    H5Screate(kind) {
      if (kind === H5.H5S_NULL) return new DataSpace([], { isNull: true });
      if (kind === H5.H5S_SCALAR) return new DataSpace([]);
      throw hdf5Error("H5Screate", ["invalid dataspace type"]);
    },
    H5Screate_simple(_rank, dims, maximums) {
      const sizes = numbersIn(dims);
      if (!maximums) return new DataSpace(sizes);
      const most = maximumsIn(maximums);
      if (most.some((one, d) => one < BigInt(sizes[d]!))) {
        throw hdf5Error("H5Screate_simple", ["maxdims is smaller than dims"]);
      }
      return new DataSpace(sizes, { maximums: most });
    },
    H5Scopy: (space: DataSpace) => space.copy(),
    H5Sget_simple_extent_ndims: ({ dims }: DataSpace) => dims.length,
    H5Sget_simple_extent_dims({ dims, maximums }: DataSpace, target, most) {
      putNumbers(target, dims.map(BigInt));
      if (most) putNumbers(most, maximums);
      return dims.length;
    },
    H5Sget_simple_extent_npoints: ({ pointCount }: DataSpace) => BigInt(pointCount),
    H5Sselect_hyperslab(space: DataSpace, operator, ...[start, stride, count, block]) {
      if (operator !== H5.H5S_SELECT_SET) refuse("H5Sselect_hyperslab but with H5S_SELECT_SET");
      for (const bytes of [start, stride, count, block]) {
        if (bytes) checkBytes(bytes, 8 * space.dims.length);
      }
      space.selectHyperslab({
        start: numbersIn(start),
        stride: stride ? numbersIn(stride) : undefined,
        count: numbersIn(count),
        block: block ? numbersIn(block) : undefined,
      });
      return 0;
    },
    H5Sselect_all: (space: DataSpace) => (space.selectAll(), 0),
    H5Sselect_none: (space: DataSpace) => (space.selectNone(), 0),
    H5Sget_select_npoints: ({ selectedCount }: DataSpace) => BigInt(selectedCount),
    H5Sclose: () => 0,
  };
}

export function wasmTypes(): Hdf5Part<"H5T"> {
  const constants = HDF5_TYPES.map((name) => {
    const type = WasmType.named(name);
    return [name, () => type] as const;
  });
  const numberOf = (key: string, { form }: WasmType): TypeForm => {
    if (form.type === H5.H5T_INTEGER || form.type === H5.H5T_FLOAT) return form;
    throw hdf5Error(key, ["operation not defined for the datatype class"]);
  };
  return {
    ...Object.fromEntries(constants) as Hdf5Part<"H5T_">,
    H5Tcopy: (type: WasmType) => type.copy(),
    H5Tcreate(kind, size) {
      const common = { size: Number(size), signed: false, littleEndian: true, vlen: false };
      if (kind === H5.H5T_STRING) {
        return new WasmType({ ...WasmType.named("H5T_C_S1").form, ...common, type: kind });
      }
      if (kind !== H5.H5T_COMPOUND) refuse(`H5Tcreate for class ${kind}`);
      const compound_type = { members: [], nmembers: 0 };
      return new WasmType({ ...common, type: kind, compound_type });
    },
    H5Tinsert: (type: WasmType, name, offset, member: WasmType) => (
      type.insert(name, Number(offset), member), 0
    ),
    H5Tset_size(type: WasmType, size) {
      if (type.form.type !== H5.H5T_STRING) refuse("H5Tset_size for anything but a text");
      const vlen = size === H5.H5T_VARIABLE;
      if (!vlen && size > 0xffff_ffffn) refuse(`H5Tset_size for texts of ${size} bytes`);
      return type.set({ size: vlen ? POINTER_BYTES : Number(size), vlen }), 0;
    },
    H5Tset_strpad: (type: WasmType, strpad) => (type.set({ strpad }), 0),
    H5Tset_cset: (type: WasmType, cset) => (type.set({ cset }), 0),
    H5Tis_variable_str: ({ form }: WasmType) => form.vlen ? 1 : 0,
    H5Tget_class: ({ form }: WasmType) => form.type,
    H5Tget_size: ({ form }: WasmType) => BigInt(form.size),
    H5Tget_order: (type: WasmType) =>
      numberOf("H5Tget_order", type).littleEndian ? H5.H5T_ORDER_LE : H5.H5T_ORDER_BE,
    H5Tget_sign: (type: WasmType) =>
      numberOf("H5Tget_sign", type).signed ? H5.H5T_SGN_2 : H5.H5T_SGN_NONE,
    H5Tget_nmembers: ({ form }: WasmType) => form.compound_type?.nmembers ?? 0,
    H5Tget_member_name: (type: WasmType, index) => type.member(index).name,
    H5Tget_member_offset: (type: WasmType, index) => BigInt(type.member(index).offset),
    H5Tget_member_type: (type: WasmType, index) => new WasmType(type.member(index)).copy(),
    H5Tequal: (left: WasmType, right: WasmType) => isSameForm(left.form, right.form) ? 1 : 0,
    H5Tclose({ isFixed }: WasmType) {
      if (isFixed) throw hdf5Error("H5Tclose", ["immutable datatype"]);
      return 0;
    },
  };
}

export function wasmLists(): Hdf5Part<"H5P"> {
  const classes = HDF5_LIST_CLASSES.map((name) => [name, () => name] as const);
  return {
    ...Object.fromEntries(classes) as Hdf5Part<"H5P_">,
    H5Pcreate: () => new PropertyList(),
    H5Pset_chunk: (list: PropertyList, _rank, dims) => (list.setChunk(numbersIn(dims)), 0),
    H5Pget_chunk({ chunk }: PropertyList, _rank, target) {
      if (!chunk) throw hdf5Error("H5Pget_chunk", ["not a chunked storage layout"]);
      putNumbers(target, chunk.map(BigInt).slice(0, target.length / 8));
      return chunk.length;
    },
    H5Pset_deflate: (list: PropertyList, level) => (list.setDeflate(level), 0),
    H5Pset_shuffle: (list: PropertyList) => (
      list.filters.push({ id: SHUFFLE, values: [] }), 0
    ),
    H5Pget_nfilters: ({ filters }: PropertyList) => filters.length,
    H5Pset_fill_value: () => refuse("H5Pset_fill_value"),
    H5Pset_create_intermediate_group: (list: PropertyList, makes) => (
      list.makesGroups = makes > 0, 0
    ),
    H5Pset_fclose_degree: (list: PropertyList, degree) => (
      list.isStrong = degree === H5.H5F_CLOSE_STRONG, 0
    ),
    H5Pclose: () => 0,
  };
}

function putNumbers(target: Uint8Array, values: readonly bigint[]): void {
  if (target.length < 8 * values.length) checkBytes(target, 8 * values.length);
  target.set(new Uint8Array(new BigUint64Array(values).buffer));
}

const DEFLATE = 1;
const SHUFFLE = 2;
const LEVEL_MAX = 9;

/** A property list: what of it h5wasm can do. */
export class PropertyList {
  /** The dimensions of a chunk; absent where the dataset is one piece. */
  chunk: readonly number[] | undefined;
  /** By the numbers that HDF5 has for them. */
  readonly filters: { readonly id: number; readonly values: readonly number[] }[] = [];
  /** Whether groups on the way are made. */
  makesGroups = false;
  /** Whether what is open in a file ends with it. */
  isStrong = false;

  setChunk(dims: readonly number[]): void {
    if (dims.length === 0 || dims.includes(0)) {
      throw hdf5Error("H5Pset_chunk", ["all chunk dimensions must be positive"]);
    }
    this.chunk = dims;
  }

  setDeflate(level: number): void {
    if (level > LEVEL_MAX) throw hdf5Error("H5Pset_deflate", ["invalid deflate level"]);
    this.filters.push({ id: DEFLATE, values: [level] });
  }

  /** What h5wasm takes for a new dataset. */
  forDataset(): object {
    const [filter, second] = this.filters;
    if (second) throw new TypeError("Cannot use more than one filter with h5wasm");
    if (filter && !this.chunk) {
      throw hdf5Error("H5Dcreate2", ["filters can only be used with chunked layout"]);
    }
    return {
      chunks: this.chunk?.map(BigInt) ?? null,
      ...(filter && { compression: filter.id, compression_opts: filter.values }),
    };
  }
}
