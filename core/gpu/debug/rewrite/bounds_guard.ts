import { declarationOf, typeOfPart, valueBehind } from "../../syntax/expression_type.ts";
import type { Expression } from "../../syntax/expression.ts";
import { partsOf } from "../../syntax/expression.ts";
import type { Scope, ValueType } from "../../syntax/value_type.ts";
import { DebugKind, type DebugRewrite, headed } from "./debug_rewrite.ts";

/** The text around an expression that is watched. */
export interface Around {
  readonly open: string;
  readonly close: string;
}

/**
 * What guards the index of an access: a function that records an index beyond the end, and returns it
 * unchanged, so that the access does what it did before. `undefined` where nothing needs a guard, or the
 * length is unknown.
 */
export function boundsGuard(
  rewrite: DebugRewrite,
  site: number,
  access: Expression,
): Around | undefined {
  const { text, prefix, way } = rewrite;
  const [base, index] = access.operands;
  const type = valueBehind(typeOfPart(text, base!));
  const length = type && lengthText(rewrite, base!, type);
  if (length === undefined) return undefined;
  const isFixed = !length.startsWith("arrayLength");
  if (isFixed && isConstant(text, index!)) return undefined;
  const name = rewrite.helper(
    "bounds",
    (name) =>
      `fn ${name}(index: u32, length: u32, site: u32, way: u32) -> u32 {
  if index >= length && (${prefix}seen & 1u) == 0u {
    ${prefix}seen |= 1u;
    printf(${headed("%u %u", DebugKind.bounds, "%u")}, site, way, index, length);
  }
  return index;
}`,
  );
  return { open: `${name}(u32(`, close: `), ${length}, ${site}u, ${way})` };
}

function lengthText(
  rewrite: DebugRewrite,
  base: Expression,
  { name, args: [, length] }: ValueType,
): string | undefined {
  const { text } = rewrite;
  const [, size] = /^(?:vec|mat)([2-4])/.exec(name) ?? [];
  if (size) return `${size}u`;
  if (name !== "array") return undefined;
  if (length) return `u32(${length.name})`;
  // Only a variable of the module has an array without a length, or its last member is one.
  const isMember = [...partsOf(base)].every(({ kind }) => kind === "name" || kind === "member");
  const root = [...partsOf(base)].at(-1)!;
  const declared = declarationOf(text, root.start);
  const isModules = text.declarations.variables.some((one) => one === declared);
  return isMember && isModules ? `arrayLength(&${rewrite.writtenOf(base)})` : undefined;
}

/** Whether the compiler knows a value, and checks it. */
export function isConstant(scope: Scope, expression: Expression): boolean {
  const { kind, text, start, operands } = expression;
  if (kind === "literal") return true;
  if (kind === "name") {
    const declared = declarationOf(scope, start);
    return declared !== undefined && "keyword" in declared && declared.keyword === "const";
  }
  if (kind === "call" && !/^[iu]32$/.test(text)) return false;
  return /^(?:group|unary|binary|call)$/.test(kind) &&
    operands.every((operand) => isConstant(scope, operand));
}
