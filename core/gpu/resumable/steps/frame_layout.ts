import { namedType, typeText, type ValueType } from "../../syntax/value_type.ts";
import {
  type Block,
  type KernelGraph,
  livenessOf,
  type Mentions,
  mentionsOf,
  reachableFrom,
  stepsOf,
} from "../graph/kernel_graph.ts";
import { calledNames } from "../../syntax/declarations.ts";
import {
  type KernelModule,
  type ModuleText,
  NO_TOKENS,
  type Variable,
} from "../text/kernel_module.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import { structLayout, valueOf } from "../../syntax/type_layout.ts";
import { isResult, keptText, savedLayout, SavedTypes } from "./saved_types.ts";
import { copyText, type SharedText, sharedText } from "./shared_memory.ts";
import { concreteType } from "../../syntax/expression_type.ts";
import { freeName, freePrefix } from "../../syntax/tokens.ts";

/** A field of a frame, shared by variables that are never live at the same time. */
export interface FrameField {
  readonly name: string;
  readonly type: ValueType;
  readonly variables: Variable[];
}

/** The layout of what a lane keeps from step to step. */
export interface FrameLayout {
  readonly fields: readonly FrameField[];
  readonly fieldOf: ReadonlyMap<Variable, FrameField>;
}

/**
 * Gives each variable that is live at the start of a step a place in the frame. As functions are not
 * recursive, their places are fixed: after those of their callers, and shared with functions that are
 * never active at the same time.
 */
export function frameLayout(module: KernelModule, graph: KernelGraph): FrameLayout {
  const mentions = mentionsOf(module, graph);
  const byPlace = new Map<string, FrameField>();
  const fieldOf = new Map<Variable, FrameField>();
  const names = new Set<string>();
  const ends = new Map<string, ReadonlyMap<string, number>>();
  for (const [one, entry] of graph.entries) {
    const { name } = one.declaration;
    const callers = [...graph.entries.keys()].filter(({ declaration }) =>
      calledNames(module.declarations, declaration).has(name.text)
    );
    const counts = largest(callers.map(({ declaration }) => ends.get(declaration.name.text)!));
    for (const variables of sharingGroups(mentions, entry, one)) {
      const type = storableType(module, variables[0]!);
      const text = typeText(type);
      const place = counts.get(text) ?? 0;
      const key = `${text} ${place}`;
      const field = byPlace.get(key) ??
        { name: freeName(variables[0]!.name, names), type, variables: [] };
      byPlace.set(key, field);
      field.variables.push(...variables);
      for (const variable of variables) fieldOf.set(variable, field);
      counts.set(text, place + 1);
    }
    ends.set(name.text, counts);
  }
  // The largest alignment comes first, to leave few gaps.
  const rank = ({ type }: FrameField) => alignmentRank(type);
  return { fields: [...byPlace.values()].sort((a, b) => rank(b) - rank(a)), fieldOf };

  /** Groups variables that can share a field: of one type, and never live in the same block. */
  function sharingGroups(
    mentions: Mentions,
    entry: Block,
    { result, back }: SuspendingFunction,
  ): Variable[][] {
    const blocks = reachableFrom(entry);
    const { before, after } = livenessOf(blocks, mentions);
    const wanted = stepsOf(entry).flatMap((step) => [...before.get(step)!]);
    const kept = new Set(wanted.sort((one, other) => one.index - other.index));
    const rivals = new Map([...kept].map((variable) => [variable, new Set<Variable>()]));
    for (const block of blocks) {
      const sets = block.operations.flatMap(({ sets }) => sets ? [sets] : []);
      const mentioned = block.operations.flatMap(({ pieces }) => [...mentions(pieces)]);
      const inside = [...before.get(block)!, ...after.get(block)!, ...sets, ...mentioned];
      for (const variable of inside) inside.forEach((other) => rivals.get(variable)?.add(other));
    }
    const groups: Variable[][] = [];
    for (const variable of kept) {
      const text = typeText(storableType(module, variable));
      const group = groups.find((others) =>
        typeText(storableType(module, others[0]!)) === text &&
        others.every((other) => !rivals.get(variable)!.has(other))
      );
      if (group) group.push(variable);
      else groups.push([variable]);
    }
    return [...groups, ...[back, result].flatMap((one) => one ? [[one]] : [])];
  }
}

/** The maximum of each number. */
function largest(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) {
    for (const [text, count] of one) counts.set(text, Math.max(count, counts.get(text) ?? 0));
  }
  return counts;
}

/** Ranks types by their alignment. */
function alignmentRank({ name }: ValueType): number {
  if (name === "f16") return 0;
  if (/^(?:[uif]32|bool)$/.test(name)) return 1;
  return name === "vec2" ? 2 : 3;
}

/**
 * The type of a variable that has to be known.
 *
 * @throws {KernelCompileError} at the variable, when its type is unknown
 */
export function shownType(module: ModuleText, variable: Variable): ValueType {
  const { name, index, what } = variable;
  const wayOut = what
    ? "give this value to a variable with a written type, in a statement before"
    : `write it, as in ${name}: u32`;
  return module.typeOf(variable) ?? module.refuse(
    index,
    `the type of ${
      what ?? name
    } does not show, and it is kept while the kernel waits for the host: ${wayOut}`,
  );
}

/**
 * The type of a variable that a frame has to keep.
 *
 * @throws {KernelCompileError} at the variable, when its type is unknown or cannot be stored
 */
export function storableType(module: ModuleText, variable: Variable): ValueType {
  const type = shownType(module, variable);
  const reason = reasonAgainst(module, type, []);
  if (!reason) return type;
  const { name, index, what = name } = variable;
  return module.refuse(
    index,
    `${what} is wanted after a call of the host, and ${reason}`,
  );
}

const SCALARS = new Set(["u32", "i32", "f32", "f16", "bool"]);

/**
 * Why memory that is shared with the host cannot hold a type, and what to do instead.
 *
 * @param around the arrays and structs that contain it
 */
function reasonAgainst(
  module: ModuleText,
  type: ValueType,
  around: readonly string[],
): string | undefined {
  const { name, args } = type;
  if (SCALARS.has(name) || isResult(type)) return undefined;
  if (name === "ptr") return "a pointer cannot be kept meanwhile: take it again after the call";
  if (/^(?:vec|mat)/.test(name)) return undefined;
  if (name === "array") {
    if (!args[1]) return `an array without a length cannot be kept meanwhile: ${READ_BEFORE}`;
    const length = valueOf(module, args[1].name);
    return length < 1
      ? `the length of an array is at least 1: current value is ${length}: make it longer`
      : reasonAgainst(module, args[0]!, [...around, name]);
  }
  const members = module.declarations.structs.get(name);
  if (!members) return `${typeText(type)} is no value that memory holds: ${READ_BEFORE}`;
  if (around.includes(name)) return `${name} holds itself: ${READ_BEFORE}`;
  for (const member of members) {
    const reason = reasonAgainst(module, namedType(module, member.type), [...around, name]);
    if (reason) return reason;
  }
  return undefined;
}

const READ_BEFORE = "read what you need before";

/** A value that is kept between dispatches, and its place in memory. */
interface SavedValue {
  readonly field: string;
  readonly place: string;
  readonly type: ValueType;
  readonly comment: string;
}

export interface FrameText {
  readonly text: string;
  /**
   * Computes the frame's size, given constants that the author's text does not declare.
   *
   * @throws {TypeError} when a type has no size
   */
  readonly bytesWith: (constants: Readonly<Record<string, number>>) => number;
  /** What a wave keeps of its workgroup memory, if it has to. */
  readonly shared: SharedText;
}

/**
 * Generates a lane's frame: the struct, and functions that save and load it between dispatches,
 * together with the author's `var<private>`, which would be reset by each dispatch.
 *
 * @param fields `written` if the author's text has a struct `Frame`
 * @param keepsShared whether a wave keeps its workgroup memory as well
 * @throws {KernelCompileError} at a `var<private>` that cannot be stored
 */
export function frameText(
  module: ModuleText,
  fields: readonly FrameField[] | "written",
  keepsShared = false,
): FrameText {
  const frame: readonly SavedValue[] = fields === "written"
    ? [{ field: "frame", place: "frame", type: writtenType(module), comment: "" }]
    : fields.map(({ name, type, variables }) => ({
      field: name,
      place: `${module.libraryName("frame")}.${name}`,
      type,
      comment: [...new Set(variables.map((one) => one.name))].join(", "),
    }));
  const privates = privateValues(module, new Set(frame.map(({ field }) => field)));
  const saved = [...frame, ...privates];
  const types = new SavedTypes(module);
  for (const { type } of saved) if (isResult(type)) types.declareResult(type);
  const names = {
    index: freePrefix(module.tokens, "index_"),
    at: freePrefix(module.tokens, "saved"),
    states: module.libraryName("lane_states"),
  };
  const { at } = names;
  const parts = [
    fields === "written"
      ? ""
      : structText(module.libraryName("Frame"), frame, (type) => keptText(module, type)),
    structText(module.libraryName("SavedFrame"), saved, (type) => types.savedText(type)),
    ...[true, false].map((isLoad) =>
      copies(
        module.libraryName(isLoad ? "frame_load" : "frame_save"),
        at,
        saved.map(({ field, place, type }) => {
          const kept = `${names.states}[${at}].frame.${field}`;
          const value = { memory: place, saved: kept, type, index: names.index, isLoad };
          return copyText(module, types, { ...value, wholeMax: WHOLE_MAX });
        }),
      )
    ),
  ];
  const shared = sharedText(module, types, names);
  const text = types.text + parts.join("") + (keepsShared ? shared.text : "");
  const bytesWith = (constants: Readonly<Record<string, number>>) => {
    const { tokens, declarations } = module;
    const scope = { tokens, declarations, constants: module.constantsWith(constants) };
    const kept = saved.length > 0 ? saved.map(({ type }) => type) : [UNUSED];
    return structLayout(kept.map((type) => savedLayout(module, scope, type))).sizeBytes;
  };
  return { text, bytesWith, shared };
}

/** The type of a written frame, which may be an alias. */
function writtenType(module: ModuleText): ValueType {
  const alias = module.declarations.aliases.get("Frame");
  return { ...alias ? namedType(module, alias) : { name: "Frame", args: [] }, alias: "Frame" };
}

/** The member of an empty frame, as structs must not be empty. */
const UNUSED: ValueType = { name: "u32", args: [] };

function privateValues(module: ModuleText, taken: Set<string>): SavedValue[] {
  const privates = module.declarations.variables.filter(({ space }) => space === "private");
  return privates.map(({ name: { text, index }, type, value }) => {
    const written = module.typeOfDeclared({ type, value });
    const known = written && concreteType(written);
    const variable = { name: text, keyword: "var", index, type: NO_TOKENS } as const;
    const stored = storableType(module, { ...variable, ...(known && { known }) });
    let field = text;
    while (taken.has(field)) field += "_private";
    taken.add(field);
    return { field, place: text, type: stored, comment: "var<private>" };
  });
}

/** Names of generated functions' own, which none of the author's variables has. */
export interface CopyNames {
  /** Of indices, which begin with it. */
  readonly index: string;
  /** Of the place in memory. */
  readonly at: string;
  /** Of the memory of lanes. */
  readonly states: string;
}

function structText(
  name: string,
  values: readonly SavedValue[],
  textOf: (type: ValueType) => string,
): string {
  const members = values.map(({ field, type, comment }) =>
    `  ${field}: ${textOf(type)},${comment && comment !== field ? ` // ${comment}` : ""}\n`
  );
  return `struct ${name} {\n${members.join("") || "  unused: u32,\n"}}\n`;
}

/** Longer arrays are copied by loops: as a whole, 512 elements took SwiftShader's compiler 16 seconds. */
const WHOLE_MAX = 16;

function copies(name: string, at: string, lines: readonly string[]): string {
  return `fn ${name}(${at}: u32) {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}
