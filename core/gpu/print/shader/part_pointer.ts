import type { Types } from "../../text/inference.ts";
import type { Expression } from "../../text/syntax.ts";
import { PrintFault } from "../print_arguments.ts";

/** The language feature that allows pointers to a part of a variable as arguments. */
const PART_POINTERS = "unrestricted_pointer_parameters";

/**
 * Finds a pointer to an element, member or component that is passed to a function of the text. Deno's runtime
 * ends the whole process at one, instead of reporting an error.
 */
export function partPointer(types: Types): PrintFault | undefined {
  // Where a package brings the GPU, nothing says what it allows.
  const { gpu } = globalThis.navigator ?? {};
  if (gpu === undefined || gpu.wgslLanguageFeatures?.has(PART_POINTERS)) return undefined;
  for (const { callee: { declared }, operands, text } of [...types.module.calls.values()].flat()) {
    if (declared?.kind !== "function") continue;
    const found = declared.parameters.findIndex(({ type }, at) =>
      types.named(type!).name === "ptr" && operands[at] && isPartPointer(operands[at])
    );
    if (found < 0) continue;
    const reason =
      `${text} is handed a pointer to a part of a variable, which this runtime does not take: put the part into a var, hand over the pointer to that, and put it back`;
    return new PrintFault(operands[found]!.start, reason);
  }
  return undefined;
}

function isPartPointer(pointer: Expression): boolean {
  let isTaken = false;
  for (let target: Expression | undefined = pointer; target;) {
    const { kind, text } = target;
    if (isTaken && (kind === "member" || kind === "index")) return true;
    if (kind === "unary") isTaken = text === "&";
    if (target.kind !== "name") [target] = target.operands;
    else {
      const { declared } = target;
      const value = declared?.kind === "variable" ? declared.value : undefined;
      return !isTaken && value !== undefined && isPartPointer(value);
    }
  }
  return false;
}
