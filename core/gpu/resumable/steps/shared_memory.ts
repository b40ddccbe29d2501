import type { Token } from "../../syntax/tokens.ts";
import { structLayout, type TypeLayout, typeLayout } from "../../syntax/type_layout.ts";
import { memberType, type ValueType } from "../../syntax/value_type.ts";
import type { ModuleText } from "../text/kernel_module.ts";
import type { CopyNames } from "./frame_layout.ts";
import { holds, type SavedTypes } from "./saved_types.ts";

/** Bytes of `SavedWave` in `wave_memory.wgsl` before what its lanes share. */
const WAVE_HEAD = { sizeBytes: 24, alignBytes: 8 };

/** What the least device has of workgroup memory, but for what the lanes of a wave agree by. */
const SHARED_BYTES_MAX = 16_384 - 256;

const UNKNOWN = "is workgroup memory of unknown size: write the length of an array as a constant";

/** The workgroup memory of a wave, saved between dispatches. */
export interface SharedText {
  readonly text: string;
  /**
   * Computes the size of `SavedWave`, given constants that the author's text does not declare.
   *
   * @throws {KernelCompileError} at a variable that is too large, or whose size is unknown
   */
  readonly waveBytesWith: (constants: Readonly<Record<string, number>>) => number;
}

interface Shared {
  readonly name: Token;
  readonly type: ValueType;
}

/**
 * Generates the struct of the author's `var<workgroup>`, which each dispatch would reset, and functions by
 * which the lanes of a wave save and load it together.
 *
 * @throws {KernelCompileError} at a variable that cannot be stored
 */
export function sharedText(module: ModuleText, types: SavedTypes, names: CopyNames): SharedText {
  const all = module.declarations.variables.filter(({ space }) => space === "workgroup")
    .map((variable) => ({ name: variable.name, type: module.typeOfDeclared(variable)! }));
  for (const { name, type } of all) {
    if (type.name === "array" && !type.args[1]) {
      module.refuse(name.index, `${name.text} ${UNKNOWN}`);
    }
    if (!holds(module, type, "atomic") || !types.hasBool(type)) continue;
    const reason = "holds bools and atomics, which cannot be kept together: use u32 for the bools";
    module.refuse(name.index, `${name.text} ${reason}`);
  }
  const { libraryName } = module;
  const members = all.map(({ name, type }) => `  ${name.text}: ${types.savedText(type)},\n`);
  const [first, step] = [`${names.index}first`, `${names.index}step`];
  const copies = (isLoad: boolean) =>
    all.map(({ name: { text }, type }) => {
      const saved = `${libraryName("wave_states")}[${names.at}].together.${text}`;
      const one = { memory: text, saved, type, index: names.index, isLoad, wholeMax: 0 };
      const made = copyText(module, types, one);
      // The lanes share the work.
      return type.name === "array"
        ? made.replace("= 0u;", `= ${first};`).replace("++)", ` += ${step})`)
        : `if ${first} == 0u { ${made} }`;
    }).map((line) => `  ${line}\n`).join("");
  const copy = (name: string, isLoad: boolean) =>
    `fn ${libraryName(name)}(${names.at}: u32, ${first}: u32, ${step}: u32) {\n${
      copies(isLoad)
    }}\n`;
  const struct = `struct ${libraryName("SavedShared")} {\n${
    members.join("") || "  unused: u32,\n"
  }}\n`;
  return {
    text: struct + copy("shared_load", true) + copy("shared_save", false),
    waveBytesWith: (constants) => waveBytes(module, all, constants),
  };
}

function waveBytes(
  module: ModuleText,
  all: readonly Shared[],
  others: Readonly<Record<string, number>>,
): number {
  const { tokens, declarations } = module;
  const counts = { isShared: true, countsBools: true };
  const scope = { tokens, declarations, constants: module.constantsWith(others), ...counts };
  const kept: TypeLayout[] = [];
  for (const { name, type } of all) {
    const refuse = (reason: string) => module.refuse(name.index, `${name.text} ${reason}`);
    try {
      kept.push(typeLayout(scope, type));
    } catch {
      refuse(UNKNOWN);
    }
    const { sizeBytes } = structLayout(kept);
    if (sizeBytes > SHARED_BYTES_MAX) {
      const reason = `makes ${sizeBytes} bytes of workgroup memory of at most ${SHARED_BYTES_MAX}`;
      refuse(`${reason}: use a storage buffer`);
    }
  }
  const unused = { sizeBytes: 4, alignBytes: 4 };
  return structLayout([WAVE_HEAD, structLayout(kept.length > 0 ? kept : [unused])]).sizeBytes;
}

/**
 * Copies a value between memory that is lost and memory that stays: atomics by themselves, and arrays by a loop
 * over their elements, as compilers take long for large values.
 */
export function copyText(
  module: ModuleText,
  types: SavedTypes,
  { memory, saved, type, index, ...how }: {
    readonly memory: string;
    readonly saved: string;
    readonly type: ValueType;
    readonly index: string;
    readonly isLoad: boolean;
    /** The most elements of an array that is copied as a whole. */
    readonly wholeMax: number;
  },
): string {
  const { name, args: [element, length] } = type;
  const { isLoad, wholeMax } = how;
  const part = (path: string, of: ValueType) => {
    const one = { memory: memory + path, saved: saved + path, type: of, ...how };
    return copyText(module, types, { ...one, index: `${index}i` });
  };
  if (name === "atomic") {
    const [target, value] = isLoad ? [memory, saved] : [saved, memory];
    return `atomicStore(&${target}, atomicLoad(&${value}));`;
  }
  if (name === "array" && !(elementCount(type) <= wholeMax)) {
    const head = `for (var ${index} = 0u; ${index} < u32(${length!.name}); ${index}++)`;
    return `${head} { ${part(`[${index}]`, element!)} }`;
  }
  if (holds(module, type, "atomic")) {
    const members = module.declarations.structs.get(name)!;
    return members.map(({ name: { text } }) => part(`.${text}`, memberType(module, type, text)!))
      .join(" ");
  }
  return isLoad
    ? `${memory} = ${types.load(type, saved)};`
    : `${saved} = ${types.save(type, memory)};`;
}

/** The number of elements, including those of nested arrays; `NaN` if a length is not a literal. */
function elementCount({ name, args: [element, length] }: ValueType): number {
  if (name !== "array") return 1;
  return Number(length!.name.replace(/[iu]$/, "")) * elementCount(element!);
}
