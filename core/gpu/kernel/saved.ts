import { RESULTS } from "../text/builtins.ts";
import { Types } from "../text/inference.ts";
import { type Layout, layoutOf, structLayout } from "../text/layout.ts";
import { refuse } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Variable } from "../text/syntax.ts";
import { isVector, plain, type Type, typeText } from "../text/value_type.ts";
import { shownType, type Slot } from "./graph.ts";

/** A field of a frame, shared by variables that are never live at the same time. */
export interface FrameField {
  readonly name: string;
  readonly type: Type;
  readonly slots: Slot[];
}

/** Whether a type is the result of a function of WGSL, which has no name. */
export function isResult({ name }: Type): boolean {
  return Object.hasOwn(RESULTS, name);
}

const SCALARS = new Set(["u32", "i32", "f32", "f16", "bool"]);
const READ_BEFORE = "read what you need before";

/**
 * The type of a slot that a frame has to keep.
 *
 * @throws {TextFault} at the slot, when that cannot be
 */
export function storableType(types: Types, slot: Slot): Type {
  const type = shownType(types, slot);
  const reason = reasonAgainst(types, type, []);
  if (!reason) return type;
  const what = slot.kind === "placeholder" ? slot.what ?? slot.name : slot.name;
  return refuse(slot, `${what} is wanted after a call of the host, and ${reason}`);
}

function reasonAgainst(types: Types, type: Type, around: readonly string[]): string | undefined {
  const { name, args } = type;
  if (SCALARS.has(name) || isResult(type) || isVector(type) || /^mat\dx\d$/.test(name)) {
    return undefined;
  }
  if (name === "ptr") return "a pointer cannot be kept meanwhile: take it again after the call";
  if (name === "array") {
    if (!args[1]) return `an array without a length cannot be kept meanwhile: ${READ_BEFORE}`;
    const length = Number(args[1].name);
    return length < 1
      ? `the length of an array is at least 1: current value is ${length}: make it longer`
      : reasonAgainst(types, args[0]!, [...around, name]);
  }
  const members = types.members(type);
  if (!members && !/^(?:atomic$|sampler|texture_)/.test(name)) {
    return `there is no type ${name}: declare it`;
  }
  if (!members) return `${typeText(type)} is no value that memory holds: ${READ_BEFORE}`;
  if (around.includes(name)) return `${name} holds itself: ${READ_BEFORE}`;
  for (const member of members) {
    const reason = reasonAgainst(types, member.type, [...around, name]);
    if (reason) return reason;
  }
  return undefined;
}

/** What is generated to save and load a lane's frame, and a wave's workgroup memory. */
export interface FrameText {
  readonly text: string;
  /**
   * Computes the frame's size, given constants that the text does not declare.
   *
   * @throws {TextFault} at what is kept, when its type has no size
   */
  readonly bytesWith: (constants: Readonly<Record<string, number>>) => number;
  /**
   * Computes how many bytes a wave keeps, its workgroup memory included.
   *
   * @throws {TextFault} at a variable that takes too many
   */
  readonly waveBytesWith: (constants: Readonly<Record<string, number>>) => number;
}

/** Longer arrays are copied by loops: as a whole, 512 elements took SwiftShader's compiler 16 seconds. */
const WHOLE_MAX = 16;
/** Bytes of `SavedWave` in `wave_memory.wgsl` before what its lanes share. */
const WAVE_HEAD: Layout = { sizeBytes: 24, alignBytes: 8 };
/** What the least device has of workgroup memory, but for what the lanes of a wave agree by. */
const SHARED_BYTES_MAX = 16_384 - 256;
const UNUSED: Layout = { sizeBytes: 4, alignBytes: 4 };

/** A value that is kept between dispatches, and its place in memory. */
interface Kept {
  readonly field: string;
  readonly place: string;
  readonly type: Type;
  readonly comment: string;
  /** Where it is declared. */
  readonly at: { readonly start: number; readonly nameStart?: number };
}

/**
 * Generates a lane's frame, with the author's `var<private>`, which each dispatch would reset; and what a
 * wave keeps of `var<workgroup>`.
 *
 * @param fields `written` if the text has a struct `Frame`
 * @throws {TextFault} at a variable that cannot be stored
 */
export function frameText(
  types: Types,
  fields: readonly FrameField[] | "written",
  keepsShared: boolean,
): FrameText {
  const { module } = types;
  const lib = module.libraryName;
  const frame = keptFields(types, fields);
  const kept = [...frame, ...keptPrivates(types, new Set(frame.map(({ field }) => field)))];
  const saved = new SavedTypes(types);
  for (const { type } of kept) saved.declareResult(type);
  const [at, index] = [module.freePrefix("saved"), module.freePrefix("index_")];
  const copies = (isLoad: boolean) =>
    kept.map(({ field, place, type }) => {
      const memory = `${lib("lane_states")}[${at}].frame.${field}`;
      const copy = { memory: place, kept: memory, type, index, isLoad, wholeMax: WHOLE_MAX };
      return `  ${saved.copy(copy)}\n`;
    }).join("");
  const parts = [
    fields === "written" ? "" : linesOf(lib("Frame"), frame, (type) => keptText(module, type)),
    linesOf(lib("SavedFrame"), kept, (type) => saved.savedText(type)),
    `fn ${lib("frame_load")}(${at}: u32) {\n${copies(true)}}\n`,
    `fn ${lib("frame_save")}(${at}: u32) {\n${copies(false)}}\n`,
  ];
  const shared = module.variables.filter(({ space }) => space === "workgroup");
  for (const one of shared) checkShared(types, one);
  if (keepsShared) parts.push(sharedText(saved, shared, { at, index }));
  const typesWith = (constants: Readonly<Record<string, number>>) =>
    new Types(module, { ...types.constants, ...constants });
  return {
    text: saved.text + parts.join(""),
    bytesWith: (constants) => {
      const known = typesWith(constants);
      const layouts = kept.map((one) => keptLayout(known, one));
      return structLayout(layouts.length > 0 ? layouts : [UNUSED]).sizeBytes;
    },
    waveBytesWith: (constants) => waveBytes(typesWith(constants), shared),
  };
}

function keptFields(types: Types, fields: readonly FrameField[] | "written"): readonly Kept[] {
  const { module } = types;
  if (fields === "written") {
    const declared = module.byName.get("Frame");
    const type = declared?.kind === "alias" ? types.named(declared.type) : plain("Frame");
    const frame = { ...type, alias: "Frame" };
    return [{ field: "frame", place: "frame", type: frame, comment: "", at: declared! }];
  }
  return fields.map(({ name, type, slots }) => {
    const comment = [...new Set(slots.map((one) => one.name))].join(", ");
    const place = `${module.libraryName("frame")}.${name}`;
    return { field: name, place, type, comment, at: slots[0]! };
  });
}

function keptPrivates(types: Types, taken: Set<string>): readonly Kept[] {
  const privates = types.module.variables.filter(({ space }) => space === "private");
  return privates.map((variable) => {
    const { name } = variable;
    let field = name;
    while (taken.has(field)) field += "_private";
    taken.add(field);
    const type = storableType(types, variable);
    return { field, place: name, type, comment: "var<private>", at: variable };
  });
}

/** @throws {TextFault} when the host cannot say how much memory a type takes */
function keptLayout(types: Types, { type, at }: Kept): Layout {
  try {
    return layoutOf(types, type);
  } catch {
    return refuse(
      at,
      `${
        typeText(type)
      } is kept while the kernel waits for the host, and its size does not show: write the lengths of arrays as numbers, or as sums and products of constants`,
    );
  }
}

/** A struct with a line for each member. */
function linesOf(name: string, values: readonly Kept[], textOf: (type: Type) => string): string {
  const lines = values.map(({ field, type, comment }) =>
    `  ${field}: ${textOf(type)},${comment && comment !== field ? ` // ${comment}` : ""}\n`
  );
  return `struct ${name} {\n${lines.join("") || "  unused: u32,\n"}}\n`;
}

/** What a wave keeps of workgroup memory: the lanes share the work of copying it. */
function sharedText(
  saved: SavedTypes,
  all: readonly Variable[],
  { at, index }: { readonly at: string; readonly index: string },
): string {
  const { types } = saved;
  const lib = types.module.libraryName;
  const [first, step] = [`${index}first`, `${index}step`];
  const copy = (name: string, isLoad: boolean) => {
    const lines = all.map((variable) => {
      const { name: memory } = variable;
      const type = types.ofVariable(variable)!;
      const kept = `${lib("wave_states")}[${at}].together.${memory}`;
      const made = saved.copy({ memory, kept, type, index, isLoad, wholeMax: 0 });
      return type.name === "array"
        ? made.replace("= 0u;", `= ${first};`).replace("++)", ` += ${step})`)
        : `if ${first} == 0u { ${made} }`;
    });
    const body = lines.map((line) => `  ${line}\n`).join("");
    return `fn ${lib(name)}(${at}: u32, ${first}: u32, ${step}: u32) {\n${body}}\n`;
  };
  const members = all.map((one) => `  ${one.name}: ${saved.savedText(types.ofVariable(one)!)},\n`);
  const whole = `struct ${lib("SavedShared")} {\n${members.join("") || "  unused: u32,\n"}}\n`;
  return whole + copy("shared_load", true) + copy("shared_save", false);
}

const UNKNOWN = "is workgroup memory of unknown size: write the length of an array as a constant";

function checkShared(types: Types, variable: Variable): void {
  const { name } = variable;
  const type = types.ofVariable(variable)!;
  if (type.name === "array" && !type.args[1]) refuse(variable, `${name} ${UNKNOWN}`);
  if (!types.holds(type, "atomic") || !types.holds(type, "bool")) return;
  const reason = "holds bools and atomics, which cannot be kept together: use u32 for the bools";
  refuse(variable, `${name} ${reason}`);
}

function waveBytes(types: Types, all: readonly Variable[]): number {
  const kept: Layout[] = [];
  for (const variable of all) {
    const { name } = variable;
    try {
      kept.push(layoutOf(types, types.ofVariable(variable)!));
    } catch {
      refuse(variable, `${name} ${UNKNOWN}`);
    }
    const { sizeBytes } = structLayout(kept);
    if (sizeBytes <= SHARED_BYTES_MAX) continue;
    const makes = `makes ${sizeBytes} bytes of workgroup memory of at most ${SHARED_BYTES_MAX}`;
    refuse(variable, `${name} ${makes}: use a storage buffer`);
  }
  return structLayout([WAVE_HEAD, structLayout(kept.length > 0 ? kept : [UNUSED])]).sizeBytes;
}

/** A value to copy between memory that is lost and memory that stays. */
interface Copy {
  readonly memory: string;
  readonly kept: string;
  readonly type: Type;
  readonly index: string;
  readonly isLoad: boolean;
  /** The most elements of an array that is copied as a whole. */
  readonly wholeMax: number;
}

/**
 * How values with bools are saved, as memory that is shared with the host cannot hold any: as words, by
 * generated functions for structs and arrays; and results of WGSL, whose types have no names.
 */
export class SavedTypes {
  readonly types: Types;
  readonly #prefix: string;
  readonly #names = new Map<string, string>();
  readonly #texts: string[] = [];

  constructor(types: Types) {
    this.types = types;
    this.#prefix = types.module.freePrefix("saved_");
  }

  /** The generated structs and functions. */
  get text(): string {
    return this.#texts.join("");
  }

  #members(type: Type) {
    return this.types.members(type)!;
  }

  /** Declares the struct of a result of WGSL. */
  declareResult(type: Type): void {
    const name = keptText(this.types.module, type);
    if (!isResult(type) || this.#names.has(name)) return;
    this.#names.set(name, name);
    this.#texts.push(
      structOf(name, this.#members(type).map((one) => ({ ...one, text: typeText(one.type) }))),
    );
  }

  #hasBool(type: Type): boolean {
    return this.types.holds(type, "bool");
  }

  /** The type in memory. */
  savedText(type: Type): string {
    if (!this.#hasBool(type)) return keptText(this.types.module, type);
    const { name, args: [element, length] } = type;
    if (name === "bool") return "u32";
    if (isVector(type)) return `${name}<u32>`;
    return name === "array"
      ? `array<${this.savedText(element!)}, ${length!.name}>`
      : this.#nameOf(type);
  }

  #convert(type: Type, value: string, isLoad: boolean): string {
    if (!this.#hasBool(type)) return value;
    if (type.name !== "bool" && !isVector(type)) {
      return `${this.#nameOf(type)}_${isLoad ? "back" : "of"}(${value})`;
    }
    return `${isLoad ? typeText(type) : this.savedText(type)}(${value})`;
  }

  /** Copies a value: atomics by themselves, and long arrays by loops, as compilers take long for large values. */
  copy(given: Copy): string {
    const { memory, kept, type, index, isLoad, wholeMax } = given;
    const { name, args: [element, length] } = type;
    const [target, value] = isLoad ? [memory, kept] : [kept, memory];
    const part = (path: string, type: Type) =>
      this.copy({ ...given, memory: memory + path, kept: kept + path, type, index: `${index}i` });
    if (name === "atomic") return `atomicStore(&${target}, atomicLoad(&${value}));`;
    if (name === "array" && !(elementCount(type) <= wholeMax)) {
      return `for (var ${index} = 0u; ${index} < u32(${length!.name}); ${index}++) { ${
        part(`[${index}]`, element!)
      } }`;
    }
    if (this.types.holds(type, "atomic")) {
      return this.#members(type).map((member) => part(`.${member.name}`, member.type)).join(" ");
    }
    return `${target} = ${this.#convert(type, value, isLoad)};`;
  }

  /** The generated functions for a struct or array with bools. */
  #nameOf(type: Type): string {
    const key = typeText({ name: type.name, args: type.args });
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `${this.#prefix}${this.#names.size}`;
    this.#names.set(key, name);
    const own = keptText(this.types.module, type);
    const { args: [element, length] } = type;
    const isArray = type.name === "array";
    const saved = isArray ? this.savedText(type) : name;
    const way = (isLoad: boolean) => {
      const [from, to, suffix] = isLoad ? [saved, own, "back"] : [own, saved, "of"];
      const head = `fn ${name}_${suffix}(value: ${from}) -> ${to}`;
      if (isArray) {
        const copy = this.#convert(element!, "whole[at]", isLoad);
        return `${head} {
  var whole = value; var copy: ${to}; for (var at = 0u; at < u32(${
          length!.name
        }); at++) { copy[at] = ${copy}; } return copy;
}
`;
      }
      const values = this.#members(type).map((one) =>
        this.#convert(one.type, `value.${one.name}`, isLoad)
      );
      return `${head} { return ${to}(${values.join(", ")}); }\n`;
    };
    const struct = isArray ? "" : structOf(
      name,
      this.#members(type).map((one) => ({ ...one, text: this.savedText(one.type) })),
    );
    this.#texts.push(struct + way(false) + way(true));
    return name;
  }
}

/** The text of a type in a frame: a result of WGSL gets a struct with a name. */
export function keptText(module: Module, type: Type): string {
  if (!isResult(type)) return typeText(type);
  return `${module.freePrefix("Kept_")}${typeText(type).replaceAll(/\W+/g, "_").replace(/_$/, "")}`;
}

function structOf(
  name: string,
  members: readonly { readonly name: string; readonly text: string }[],
): string {
  return `struct ${name} { ${members.map((one) => `${one.name}: ${one.text}`).join(", ")} }\n`;
}

/** The number of elements, including those of nested arrays; `NaN` if a length is not known. */
function elementCount({ name, args: [element, length] }: Type): number {
  return name === "array" ? Number(length!.name) * elementCount(element!) : 1;
}
