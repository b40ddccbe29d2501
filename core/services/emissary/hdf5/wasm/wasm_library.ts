import { H5, hdf5Error } from "../hdf5_api.ts";

/** What h5wasm says of a dataset or an attribute. */
export interface H5WasmMetadata extends TypeForm {
  /** Null where there are no values at all. */
  readonly shape: number[] | null;
  /** The most that each dimension may grow to. */
  readonly maxshape: number[] | null;
  /** The dimensions of a chunk; null where it is one piece. */
  readonly chunks: number[] | null;
}

/** Counts, starts or strides of a pattern; null for all. */
export type Hdf5Numbers = bigint[] | null;

/**
 * What is used of the package h5wasm: `await (await import("h5wasm")).ready`. It is HDF5 compiled to
 * WebAssembly, with functions that take paths.
 */
export type H5Wasm = {
  /** The memory; another object after it has grown. */
  readonly HEAPU8: Uint8Array;
  /** The files that it sees, in memory. */
  readonly FS: {
    readFile(path: string): Uint8Array;
    writeFile(path: string, bytes: Uint8Array): void;
    unlink(path: string): void;
    // deno-lint-ignore no-explicit-any -- a stream of Emscripten, which nothing here looks into
    open(path: string, flags: string): any;
    truncate(path: string, length: number): void;
    // deno-lint-ignore no-explicit-any -- as above
    llseek(stream: any, offset: number, whence: number): any;
  };
  /** 0 where none is left. */
  _malloc(countBytes: number): number;
  _free(pointer: number): void;
  open(path: string, mode: number, tracksOrder: boolean, low: number, high: number): bigint;
  close_file(file: bigint): number;
  flush(file: bigint): number;
  /** What is at a path; -1 for nothing. */
  get_type(file: bigint, path: string): number;
  get_names(file: bigint, path: string, isRecursive: boolean): string[];
  create_group(file: bigint, path: string, tracksOrder: boolean): number;
  /** Makes a dataset, with its values. */
  // deno-lint-ignore no-explicit-any -- h5wasm's types lack members that its own code has
  create_dataset(file: bigint, path: string, pointer: bigint, metadata: any): number;
  get_dataset_metadata(file: bigint, path: string): H5WasmMetadata;
  get_dataset_filters(file: bigint, path: string): { id: number; cd_values: number[] }[];
  get_dataset_data(
    file: bigint,
    path: string,
    ...rest: [Hdf5Numbers, Hdf5Numbers, Hdf5Numbers, bigint]
  ): number;
  set_dataset_data(
    file: bigint,
    path: string,
    ...rest: [Hdf5Numbers, Hdf5Numbers, Hdf5Numbers, bigint]
  ): number;
  resize_dataset(file: bigint, path: string, dims: bigint[]): number;
  // deno-lint-ignore no-explicit-any -- as above
  create_attribute(file: bigint, path: string, ...rest: [string, bigint, any]): number;
  delete_attribute(file: bigint, path: string, name: string): number;
  get_attribute_names(file: bigint, path: string): string[];
  get_attribute_metadata(file: bigint, path: string, name: string): H5WasmMetadata;
  get_attribute_data(file: bigint, path: string, name: string, pointer: bigint): number;
};

const LOG_PATH = "/portlab_hdf5_errors";
const STDERR = 2;
const LINE = /^ +#\d+: \S+ line \d+ in (\w+)\(\): (.*)$/gm;

/**
 * HDF5 in h5wasm. Its error stack comes from what it prints: several of its functions give no sign of
 * a failure, and its errors that are thrown leave objects open.
 */
export class WasmLibrary {
  static readonly #libraries = new WeakMap<H5Wasm, WasmLibrary>();
  readonly #h5: H5Wasm;
  readonly #log: unknown;

  private constructor(h5: H5Wasm) {
    this.#h5 = h5;
    const { FS } = h5;
    // h5wasm's types lack `getStream`. The file that is opened next takes the number that is free.
    const streams = FS as unknown as {
      getStream(fd: number): unknown;
      close(stream: unknown): void;
    };
    streams.close(streams.getStream(STDERR));
    this.#log = FS.open(LOG_PATH, "w+");
  }

  /** The library of a module: one, however often it is served. */
  static of(h5: H5Wasm): WasmLibrary {
    const library = this.#libraries.get(h5) ?? new WasmLibrary(h5);
    this.#libraries.set(h5, library);
    return library;
  }

  get files(): H5Wasm["FS"] {
    return this.#h5.FS;
  }

  /** Asks for something; fails when h5wasm throws. */
  ask<R>(name: string, work: (h5: H5Wasm) => R): R {
    this.#takeErrors();
    try {
      return work(this.#h5);
    } catch (error) {
      const lines = this.#takeErrors();
      throw hdf5Error(name, lines.length > 0 ? lines : [(error as Error).message]);
    }
  }

  /** Changes something; fails when h5wasm throws, or HDF5 says that something failed. */
  act<R>(name: string, work: (h5: H5Wasm) => R): R {
    const result = this.ask(name, work);
    const lines = this.#takeErrors();
    if (lines.length > 0) throw hdf5Error(name, lines);
    return result;
  }

  /** Lets HDF5 have bytes while it works; what it wrote there is in them afterwards. */
  withBytes<R>(bytes: Uint8Array, work: (pointer: bigint) => R): R {
    const pointer = this.#h5._malloc(Math.max(bytes.length, 1));
    if (pointer === 0) throw new RangeError(`Cannot get ${bytes.length} bytes in h5wasm's memory`);
    try {
      this.#h5.HEAPU8.set(bytes, pointer);
      const result = work(BigInt(pointer));
      bytes.set(this.#h5.HEAPU8.subarray(pointer, pointer + bytes.length));
      return result;
    } finally {
      this.#h5._free(pointer);
    }
  }

  /** The text at an address of HDF5's; empty at none. */
  textAt(pointer: number): string {
    const { HEAPU8 } = this.#h5;
    return pointer === 0
      ? ""
      : new TextDecoder().decode(HEAPU8.subarray(pointer, HEAPU8.indexOf(0, pointer)));
  }

  /** Frees what HDF5 has made for its caller. */
  free(pointer: number): void {
    if (pointer !== 0) this.#h5._free(pointer);
  }

  /** The first stack that was printed since: others follow from it. */
  #takeErrors(): readonly string[] {
    const { FS } = this.#h5;
    const text = new TextDecoder().decode(FS.readFile(LOG_PATH));
    if (text === "") return [];
    FS.truncate(LOG_PATH, 0);
    FS.llseek(this.#log, 0, 0);
    const [, first = ""] = text.split(/^HDF5-DIAG/m);
    return [...first.matchAll(LINE)].map(([, name, why]) => `${name}: ${why}`);
  }
}

/** A member of a compound. */
export type TypeMember = TypeForm & {
  name: string;
  /** In its compound, in bytes. */
  offset: number;
};

/** A type as h5wasm describes it. */
export type TypeForm = {
  /** The class: `H5.H5T_FLOAT`. */
  type: number;
  /** In bytes. */
  size: number;
  signed: boolean;
  littleEndian: boolean;
  /** Whether it is a text of any length. */
  vlen: boolean;
  /** The letters of a text: `H5.H5T_CSET_ASCII`. */
  cset?: number;
  /** How a text ends: `H5.H5T_STR_NULLTERM`. */
  strpad?: number;
  compound_type?: { members: TypeMember[]; nmembers: number };
};

export class WasmType {
  readonly form: TypeForm;
  /** Whether it is one of HDF5's own. */
  readonly isFixed: boolean;

  constructor(form: TypeForm, isFixed = false) {
    this.form = form;
    this.isFixed = isFixed;
  }

  /** As HDF5 has it under a name: `H5T_STD_I32LE`. */
  static named(name: string): WasmType {
    const text = { vlen: false, cset: H5.H5T_CSET_ASCII, strpad: H5.H5T_STR_NULLTERM };
    const common = { littleEndian: !name.endsWith("BE"), vlen: false };
    if (name === "H5T_C_S1") {
      return new WasmType(
        { type: H5.H5T_STRING, size: 1, signed: false, ...common, ...text },
        true,
      );
    }
    const [, letter, bits] = /(INT|UINT|I|U|F)(\d+)(LE|BE)?$/.exec(name) ?? [];
    const size = bits ? Number(bits) / 8 : name.endsWith("DOUBLE") ? 8 : 4;
    const isInteger = letter !== undefined && letter !== "F";
    const type = isInteger ? H5.H5T_INTEGER : H5.H5T_FLOAT;
    return new WasmType(
      { type, size, signed: isInteger && !letter.startsWith("U"), ...common },
      true,
    );
  }

  /** Another of the same form, which may be changed. */
  copy(): WasmType {
    return new WasmType(structuredClone(this.form));
  }

  set(change: Partial<TypeForm>): void {
    if (this.isFixed) throw new TypeError("Cannot change the type as it is one of HDF5's own");
    Object.assign(this.form, change);
  }

  insert(name: string, offset: number, { form }: WasmType): void {
    const { size, compound_type } = this.form;
    if (!compound_type) throw new TypeError("Cannot insert a member as the type is no compound");
    const { members } = compound_type;
    if (offset + form.size > size) {
      throw new RangeError(
        `Cannot insert ${name} as it ends beyond the ${size} bytes of its compound`,
      );
    }
    for (const other of members) {
      if (other.name === name) throw new TypeError(`Cannot insert ${name} as there is one already`);
      if (offset < other.offset + other.size && other.offset < offset + form.size) {
        throw new RangeError(`Cannot insert ${name} as it overlaps ${other.name}`);
      }
    }
    members.push({ ...structuredClone(form), name, offset });
    compound_type.nmembers++;
  }

  member(index: number): TypeMember {
    const member = this.form.compound_type?.members[index];
    if (member) return member;
    throw new RangeError(`Cannot find member ${index} as the type has no such`);
  }
}

/** Whether values of both are the same bytes. */
export function isSameForm(left: TypeForm, right: TypeForm): boolean {
  if (left.type !== right.type || left.size !== right.size || left.vlen !== right.vlen) {
    return false;
  }
  if (left.type === H5.H5T_STRING) {
    // Of any length, a text ends with NUL in memory, whatever its type says.
    return left.cset === right.cset && (left.vlen || left.strpad === right.strpad);
  }
  if (left.type === H5.H5T_COMPOUND) return hasSameMembers(left, right);
  const isSigned = left.type !== H5.H5T_INTEGER || left.signed === right.signed;
  return isSigned && (left.size === 1 || left.littleEndian === right.littleEndian);
}

function hasSameMembers(left: TypeForm, right: TypeForm): boolean {
  const [ours, theirs] = [left, right].map(({ compound_type }) => compound_type!.members);
  return ours!.length === theirs!.length &&
    ours!.every((one, index) => {
      const other = theirs![index]!;
      return one.name === other.name && one.offset === other.offset && isSameForm(one, other);
    });
}

/**
 * Checks that h5wasm can read values of a type in a file to memory, or write them from there: it
 * changes the order of bytes, and converts nothing else.
 */
export function checkMemoryForm(memory: TypeForm, file: TypeForm): void {
  const here = memory.type === H5.H5T_COMPOUND ? file : { ...file, littleEndian: true };
  checkPointers(memory);
  if (isSameForm(memory, here)) return;
  throw new TypeError(
    "Cannot use the memory's type as h5wasm converts nothing: it must be the file's type in the order of this machine",
  );
}

/** Whether values are texts of any length. */
export function isText({ type, vlen }: TypeForm): boolean {
  return type === H5.H5T_STRING && vlen;
}

/** Refuses what means nothing elsewhere. */
function checkPointers(form: TypeForm): void {
  if (isText(form) || !hasPointers(form)) return;
  throw new TypeError(
    "Cannot use the type as it has pointers: references do not cross, and texts of any length only by themselves",
  );
}

function hasPointers({ type, vlen, compound_type }: TypeForm): boolean {
  const known: readonly number[] = [H5.H5T_INTEGER, H5.H5T_FLOAT, H5.H5T_STRING, H5.H5T_COMPOUND];
  return vlen || !known.includes(type) || (compound_type?.members ?? []).some(hasPointers);
}

/** Checks that h5wasm can write a type to a file: it has those of this machine only. */
export function checkFileForm(form: TypeForm): void {
  const { members = [] } = form.compound_type ?? {};
  members.forEach(checkFileForm);
  checkPointers(form);
  const isNumber = form.type === H5.H5T_INTEGER || form.type === H5.H5T_FLOAT;
  const isKnownText = form.type === H5.H5T_STRING &&
    (form.vlen ||
      (form.cset === H5.H5T_CSET_ASCII
        ? form.strpad === H5.H5T_STR_NULLTERM
        : form.strpad === H5.H5T_STR_SPACEPAD));
  if (isNumber && (form.littleEndian || form.size === 1)) return;
  if (isKnownText || form.type === H5.H5T_COMPOUND) return;
  throw new TypeError(
    "Cannot make something of this type as h5wasm has little-endian numbers, ASCII with NUL, UTF-8 with spaces, compounds of them, and texts of any length",
  );
}
