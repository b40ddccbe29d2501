import type { Expression } from "../../syntax/expression.ts";
import { partsOf } from "../../syntax/expression.ts";
import { expressionsIn, type Statement, statementsIn } from "../../syntax/statement.ts";
import type { KernelModule } from "./kernel_module.ts";
import type { SuspendingFunction } from "./resolve_names.ts";
import type { Variable } from "./variable.ts";

/**
 * Refuses what no WGSL is and what the compiler does not see: steps make functions and blocks of one
 * another, and fields of a frame of variables.
 *
 * @throws {KernelCompileError} at the first place
 */
export function checkStatements(module: KernelModule, one: SuspendingFunction): void {
  check(one.body, false);
  const { name } = one.declaration;
  if (!one.result || !fallsThrough(one.body)) return;
  module.refuse(name.index, `${name.text} gives a value back, and a way through it has no return`);

  function check(statement: Statement, isContinuing: boolean): void {
    if (statement.kind === "assign" && statement.target) checkTarget(module, one, statement.target);
    if (statement.kind === "increment") checkTarget(module, one, statement.target);
    if (statement.kind === "return") checkReturn(statement, isContinuing);
    if (statement.kind === "switch" && !statement.clauses.some(({ isDefault }) => isDefault)) {
      module.refuseAt(statement.start, "this switch has no default: add default: {}");
    }
    for (const part of expressionsIn(statement).flatMap((expression) => [...partsOf(expression)])) {
      if (part.kind === "unary" && part.text === "&") checkTarget(module, one, part.operands[0]!);
    }
    const continuing = statement.kind === "loop" ? statement.continuing : [];
    for (const inner of statementsIn(statement)) {
      check(inner, isContinuing || continuing.includes(inner));
    }
  }

  function checkReturn(
    { start, value }: Statement & { readonly kind: "return" },
    isInside: boolean,
  ) {
    if (isInside) module.refuseAt(start, "no return may be in continuing: write break if");
    if (value && !one.result) {
      module.refuseAt(start, "a function without a result gives a value back");
    }
    if (!value && one.result) {
      module.refuseAt(
        start,
        `${one.declaration.name.text} gives a value back: write it behind return`,
      );
    }
  }
}

/** Only a `var` is a place in memory; a pointer leads to one. */
function checkTarget(module: KernelModule, one: SuspendingFunction, target: Expression): void {
  let base = target;
  while (/^(?:member|index|group)$/.test(base.kind)) base = base.operands[0]!;
  const variable = base.kind === "name" ? module.names.get(base.start) : undefined;
  if (!variable || variable.keyword === "var") return;
  const isBehind = base !== target && module.typeOf(variable)?.name === "ptr";
  if (!isBehind) module.refuseAt(target.start, `${whatOf(one, variable)} cannot change: use a var`);
}

function whatOf({ parameters }: SuspendingFunction, variable: Variable): string {
  const { name, keyword } = variable;
  return `${name} is a ${parameters.includes(variable) ? "parameter" : keyword} and`;
}

/** Whether what follows a statement may be reached, by the rules of WGSL. */
function fallsThrough(statement: Statement): boolean {
  switch (statement.kind) {
    case "return":
    case "break":
    case "continue":
      return false;
    case "block":
      return statement.statements.every(fallsThrough);
    case "if": {
      const { then, otherwise } = statement;
      return !otherwise || fallsThrough(then) || fallsThrough(otherwise);
    }
    case "switch":
      return statement.clauses.some(({ body }) => fallsThrough(body) || leaves(body));
    case "loop":
      return Boolean(statement.condition ?? statement.breakIf) || leaves(statement.body);
    default:
      return true;
  }
}

/** Whether a `break` in it leaves the loop or `switch` around. */
function leaves(statement: Statement): boolean {
  if (statement.kind === "loop" || statement.kind === "switch") return false;
  return statement.kind === "break" || statementsIn(statement).some(leaves);
}
