import { followArguments } from "./argument.ts";
import { followExpression } from "./expression.ts";
import { ESCAPE, type Flow, LOOK, USE } from "../flow/flow.ts";
import { callProcedure } from "../flow/call_procedure.ts";
import { procedureOf } from "../function/function.ts";
import { child, part, type SyntaxNode, word } from "../syntax/syntax.ts";
import { constructorType } from "../types/class.ts";
import { teachContext } from "../types/context.ts";
import { functionGiving, type FunctionType } from "../value/value_type.ts";

/** `new C(...)`. */
export function followNew(flow: Flow, node: SyntaxNode): void {
  const callee = part(node, "callee");
  followExpression(flow, callee, LOOK);
  const made = child(node, "typeArguments") && flow.typeOf(node);
  teachContext(flow.types, node, { expected: made, scope: flow.scope });
  const name = word(callee, "name");
  const called = name === "Promise" ? PROMISE : constructorType(flow.types, callee, flow.scope);
  const otherwise = name === "WeakRef" ? USE : ESCAPE;
  const context = { called, name: `new ${name}`, otherwise };
  const { references, runFunctions } = followArguments(flow, node, context);
  runFunctions();
  if (called?.local) callProcedure(flow, procedureOf(flow, called.local), { node, references });
  flow.mayThrow();
}

/** A promise runs its function at once. */
const PROMISE: FunctionType = functionGiving(() => undefined, { callback: { schedule: "once" } });
