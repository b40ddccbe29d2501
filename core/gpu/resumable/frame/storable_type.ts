import { codeOf } from "../../wgsl/author_text.ts";
import { valueOf } from "../../wgsl/frame_bytes.ts";
import { namedType, typeText, type ValueType } from "../../syntax/value_type.ts";
import type { ModuleText } from "../text/module_text.ts";
import type { Variable } from "../text/variable.ts";

/**
 * The type of a variable that has to be written.
 *
 * @throws {KernelCompileError} at the variable, when its type does not show
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
 * @throws {KernelCompileError} at the variable, when its type does not show or no memory may hold it
 */
export function storableType(module: ModuleText, variable: Variable): ValueType {
  const type = shownType(module, variable);
  const reason = reasonAgainst(module, type, []);
  if (!reason) return type;
  const { name, index, what = name } = variable;
  return module.refuse(
    index,
    `${what} is wanted after a call of the host, and ${reason}: ${wayOutOf(type, reason)}`,
  );
}

const BOOL_INSIDE = "a bool in an array or struct is no value that memory holds";
const NO_LENGTH = "the length of an array is at least 1";
const SCALARS = new Set(["u32", "i32", "f32", "f16"]);

/**
 * Why memory that is shared with the host cannot hold a type.
 *
 * @param around the arrays and structs that it is in
 */
function reasonAgainst(
  module: ModuleText,
  type: ValueType,
  around: readonly string[],
): string | undefined {
  const { name, args } = type;
  if (SCALARS.has(name)) return undefined;
  const isBool = name === "bool" || (name.startsWith("vec") && args[0]?.name === "bool");
  if (isBool) {
    return around.length === 0 ? undefined : BOOL_INSIDE;
  }
  if (name === "ptr") return "a pointer cannot be kept meanwhile";
  if (/^(?:vec|mat)/.test(name)) return undefined;
  if (name === "array") {
    if (!args[1]) return "an array without a length cannot be kept meanwhile";
    const length = valueOf(codeOf(module.source), args[1].name);
    if (length < 1) return `${NO_LENGTH}: current value is ${length}`;
    return reasonAgainst(module, args[0]!, [...around, name]);
  }
  const members = module.declarations.structs.get(name);
  if (!members) return `${typeText(type)} is no value that memory holds`;
  if (around.includes(name)) return `${name} holds itself`;
  for (const member of members) {
    const reason = reasonAgainst(module, namedType(module, member.type), [...around, name]);
    if (reason) return reason;
  }
  return undefined;
}

function wayOutOf({ name }: ValueType, reason: string): string {
  if (name === "ptr") return "take it again after the call";
  if (reason.startsWith(NO_LENGTH)) return "make it longer";
  return reason === BOOL_INSIDE ? "use u32, 0 and 1" : "read what you need before";
}
