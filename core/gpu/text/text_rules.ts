import type { Types } from "./inference.ts";
import { refuse } from "./lines.ts";
import type { Module } from "./module.ts";
import { baseOf, type Expression, nodesIn } from "./syntax.ts";
import { RUNTIME_NAMES } from "./value_type.ts";

/** The language feature that allows pointers to a part of a variable as arguments. */
const PART_POINTERS = "unrestricted_pointer_parameters";

/**
 * Refuses where a runtime would end the whole process instead of reporting an error: a pointer to an
 * element, member or component that is handed to a function of the text.
 *
 * @throws {TextFault} at the first
 */
export function refusePartPointers(types: Types): void {
  // Only Deno's runtime ends the process. Where a package brings the GPU, nothing says what it allows.
  const { gpu } = globalThis.navigator ?? {};
  if (gpu === undefined || gpu.wgslLanguageFeatures?.has(PART_POINTERS)) return;
  for (const { callee: { declared, text }, operands } of allCalls(types.module)) {
    if (declared?.kind !== "function") continue;
    const at = declared.parameters.findIndex(({ type }, at) =>
      operands[at] && types.named(type!).name === "ptr" && leadsToPart(operands[at])
    );
    if (at < 0) continue;
    const reason =
      `${text} is handed a pointer to a part of a variable, which this runtime does not take: put the part into a var, hand over the pointer to that, and put it back`;
    refuse(operands[at]!, reason);
  }
}

function allCalls({ calls }: Module) {
  return [...calls.values()].flat();
}

/** Whether a pointer leads into a variable; names of pointers are followed. */
function leadsToPart(pointer: Expression): boolean {
  let isTaken = false;
  for (let target: Expression | undefined = pointer; target;) {
    if (target.kind === "name") {
      const value = target.declared?.kind === "variable" ? target.declared.value : undefined;
      return !isTaken && value !== undefined && leadsToPart(value);
    }
    const { kind, text, operands }: Exclude<Expression, { kind: "name" }> = target;
    if (isTaken && (kind === "member" || kind === "index")) return true;
    if (kind === "unary") isTaken = text === "&";
    target = operands[0];
  }
  return false;
}

/**
 * Refuses where a text changes or takes a pointer to a name that every kernel has, such as `lane_index`.
 *
 * @throws {TextFault} at the first
 */
export function refuseChangedNames({ globals }: Module): void {
  for (const node of globals.flatMap((one) => [...nodesIn(one)])) {
    const target = node.kind === "assign" || node.kind === "increment"
      ? node.target
      : node.kind === "unary" && node.text === "&"
      ? node.operands[0]
      : undefined;
    const base = target && baseOf(target);
    if (base?.kind !== "name" || base.declared || !RUNTIME_NAMES.has(base.text)) {
      continue;
    }
    const reason =
      `${base.text} says who runs, and cannot be changed: give a variable of your own another name, as my_${base.text}`;
    refuse(base, reason);
  }
}
