import { typeText, type ValueType } from "../../syntax/value_type.ts";
import { concreteType } from "../../syntax/expression_type.ts";
import { freePrefix } from "../../syntax/tokens.ts";
import { ModuleText } from "../text/module_text.ts";
import { NO_TOKENS } from "../text/variable.ts";
import type { FrameField } from "./frame_layout.ts";
import { storableType } from "./storable_type.ts";

/** One value that is kept from one dispatch to the next, and where it is in between. */
interface SavedValue {
  readonly field: string;
  readonly place: string;
  readonly type: ValueType;
  readonly comment: string;
}

/**
 * The text of a lane's frame: the struct, how it is kept in memory from one dispatch to the next,
 * and with it the author's `var<private>`, which would begin anew in each.
 *
 * @param fields `written` where the author has written a struct `Frame`
 * @throws {KernelCompileError} at a `var<private>` that no memory can hold
 */
export function frameText(source: string, fields: readonly FrameField[] | "written"): string {
  const frame: readonly SavedValue[] = fields === "written"
    ? [{ field: "frame", place: "frame", type: { name: "Frame", args: [] }, comment: "" }]
    : fields.map(({ name, type, variables }) => ({
      field: name,
      place: `frame.${name}`,
      type,
      comment: [...new Set(variables.map((one) => one.name))].join(", "),
    }));
  const module = new ModuleText(source);
  const privates = privateValues(module, new Set(frame.map(({ field }) => field)));
  const index = freePrefix(module.tokens, "index_");
  return [
    fields === "written" ? "" : structText("Frame", frame, typeText),
    structText("SavedFrame", [...frame, ...privates], (type) => typeText(savedType(type))),
    copies("frame_load", [...frame, ...privates].map((value) => loadText(value, index))),
    copies("frame_save", [...frame, ...privates].map((value) => saveText(value, index))),
  ].join("");
}

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

/** Memory that is shared with the host holds no bools. */
function savedType(type: ValueType): ValueType {
  if (type.name === "bool") return { name: "u32", args: [] };
  if (type.args[0]?.name !== "bool") return type;
  return { name: type.name, args: [{ name: "u32", args: [] }] };
}

function hasBools({ name, args }: ValueType): boolean {
  return name === "bool" || args[0]?.name === "bool";
}

function loadText({ field, place, type }: SavedValue, index: string): string {
  const value = `lane_states[saved].frame.${field}`;
  if (hasBools(type)) return `${place} = ${typeText(type)}(${value});`;
  return copyText({ target: place, value, type }, index);
}

function saveText({ field, place, type }: SavedValue, index: string): string {
  const target = `lane_states[saved].frame.${field}`;
  if (hasBools(type)) return `${target} = ${typeText(savedType(type))}(${place});`;
  return copyText({ target, value: place, type }, index);
}

/** Longer arrays are copied by loops: whole, 512 elements took SwiftShader's compiler 16 seconds. */
const WHOLE_MAX = 16;

function copyText(
  { target, value, type }: {
    readonly target: string;
    readonly value: string;
    readonly type: ValueType;
  },
  index: string,
): string {
  const [element, length] = type.args;
  if (type.name !== "array" || elementCount(type) <= WHOLE_MAX) return `${target} = ${value};`;
  const inner = { target: `${target}[${index}]`, value: `${value}[${index}]`, type: element! };
  const head = `for (var ${index} = 0u; ${index} < u32(${length!.name}); ${index}++)`;
  return `${head} { ${copyText(inner, `${index}i`)} }`;
}

/** Of arrays in it, too; unknown where a length is no literal. */
function elementCount({ name, args: [element, length] }: ValueType): number {
  if (name !== "array") return 1;
  return Number(length!.name.replace(/[iu]$/, "")) * elementCount(element!);
}

function copies(name: string, lines: readonly string[]): string {
  return `fn ${name}(saved: u32) {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}
