import { H5 } from "../hdf5_numbers.ts";

/** A member of a compound. */
export interface TypeMember extends TypeForm {
  /** Its name. */
  name: string;
  /** Where it begins in its compound, in bytes. */
  offset: number;
}

/** A type as h5wasm describes it. */
export interface TypeForm {
  /** The class: `H5.H5T_FLOAT`. */
  type: number;
  /** In bytes. */
  size: number;
  /** Whether an integer has a sign. */
  signed: boolean;
  /** The order of its bytes. */
  littleEndian: boolean;
  /** Whether it is a text of any length. */
  vlen: boolean;
  /** The letters of a text: `H5.H5T_CSET_ASCII`. */
  cset?: number;
  /** How a text ends: `H5.H5T_STR_NULLTERM`. */
  strpad?: number;
  /** What a compound has. */
  compound_type?: { members: TypeMember[]; nmembers: number };
}

/** A type. */
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

  /** Changes it. */
  set(change: Partial<TypeForm>): void {
    if (this.isFixed) throw new TypeError("Cannot change the type as it is one of HDF5's own");
    Object.assign(this.form, change);
  }

  /** Adds a member to a compound. */
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

  /** A member of a compound by its place. */
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
  if (left.type === H5.H5T_STRING) return left.cset === right.cset && left.strpad === right.strpad;
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
  if (hasPointers(memory)) {
    throw new TypeError(
      "Cannot use the memory's type as it has pointers: texts of any length and references do not cross",
    );
  }
  if (isSameForm(memory, here)) return;
  throw new TypeError(
    "Cannot use the memory's type as h5wasm converts nothing: it must be the file's type in the order of this machine",
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
  const isNumber = form.type === H5.H5T_INTEGER || form.type === H5.H5T_FLOAT;
  const isText = form.type === H5.H5T_STRING && !form.vlen &&
    (form.cset === H5.H5T_CSET_ASCII
      ? form.strpad === H5.H5T_STR_NULLTERM
      : form.strpad === H5.H5T_STR_SPACEPAD);
  if (isNumber && (form.littleEndian || form.size === 1)) return;
  if (isText || form.type === H5.H5T_COMPOUND) return;
  throw new TypeError(
    "Cannot make something of this type as h5wasm has little-endian numbers, ASCII with NUL, UTF-8 with spaces, and compounds of them",
  );
}
