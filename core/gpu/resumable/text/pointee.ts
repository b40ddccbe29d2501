import type { Expression } from "../../syntax/expression.ts";
import type { ModuleText } from "./module_text.ts";
import type { Variable } from "./variable.ts";

/** Where a pointer leads to. */
export interface Pointee {
  readonly variable: Variable;
  /** Whether to all of the variable, and not to an element or member of it. */
  readonly isWhole: boolean;
}

/** The local variable that `let pointer = &variable;` and its copies lead to. */
export function pointeeOf(module: ModuleText, { keyword, value }: Variable): Pointee | undefined {
  return keyword === "let" && value ? leadsTo(module, value) : undefined;
}

/** What an expression leads to that is a pointer, or a place that one leads to. */
function leadsTo(module: ModuleText, expression: Expression): Pointee | undefined {
  const { kind, text, operands } = expression;
  const [inner] = operands;
  if (kind === "group") return leadsTo(module, inner!);
  if (kind === "name") {
    const variable = module.names.get(expression.start);
    return variable && pointeeOf(module, variable);
  }
  return kind === "unary" && text === "&" ? placeOf(module, inner!) : undefined;
}

function placeOf(module: ModuleText, expression: Expression): Pointee | undefined {
  const { kind, text, start, operands } = expression;
  const [inner] = operands;
  if (kind === "group") return placeOf(module, inner!);
  if (kind === "unary" && text === "*") return leadsTo(module, inner!);
  if (kind === "index" || kind === "member") {
    const place = placeOf(module, inner!);
    return place && { ...place, isWhole: false };
  }
  const variable = kind === "name" ? module.names.get(start) : undefined;
  return variable && (pointeeOf(module, variable) ?? { variable, isWhole: true });
}
