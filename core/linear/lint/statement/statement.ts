import { isSame, isTrue } from "../path/condition.ts";
import { kept } from "../path/misuse.ts";
import { bind } from "../path/pattern.ts";
import { excuse, noteGone } from "../path/reach.ts";
import { type Completion, Run, type Steps } from "../path/run.ts";
import { Abandoned, Thrown } from "../path/thrown.ts";
import { Scope } from "../path/scope.ts";
import { Func, Item, Unknown, type Value } from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { within } from "./block.ts";
import { declare } from "./declaration.ts";
import { ofFor, ofForIn, ofForOf, ofWhile, roundOf } from "./loop.ts";

export type Outcome = Completion | undefined;
type Execute<N extends ts.Node> = (run: Run, node: N, scope: Scope) => Steps<Outcome>;

/** Runs a statement; tells how it ends, unless the next one comes. */
export function execute(run: Run, node: ts.Node, scope: Scope): Steps<Outcome> {
  run.step();
  return (EXECUTORS[node.kind] ?? ofNothing)(run, node as never, scope);
}

// deno-lint-ignore require-yield
function* ofNothing(): Steps<Outcome> {
  return undefined;
}

/** Runs the statements of a block that is entered already. */
export function* executeAll(
  run: Run,
  nodes: readonly ts.Node[],
  scope: Scope,
): Steps<Outcome> {
  for (const node of nodes) {
    if (ts.isFunctionDeclaration(node) && node.body && node.name) {
      const value = new Func(node, scope);
      scope.variables.set(node.name.text, { value, node: node.name });
    }
  }
  for (const node of nodes) {
    const outcome = yield* execute(run, node, scope);
    if (outcome) return outcome;
  }
  return undefined;
}

function ofBlock(run: Run, node: ts.Block, scope: Scope): Steps<Outcome> {
  return within(node, scope, (inner) => executeAll(run, node.statements, inner));
}

function* ofExpression(run: Run, node: ts.ExpressionStatement, scope: Scope): Steps<Outcome> {
  yield* run.interpreter.evaluate(run, node.expression, scope);
  return undefined;
}

function* ofVariables(run: Run, node: ts.VariableStatement, scope: Scope): Steps<Outcome> {
  yield* declare(run, node.declarationList, scope);
  return undefined;
}

function* ofIf(run: Run, node: ts.IfStatement, scope: Scope): Steps<Outcome> {
  const truth = isTrue(run, yield* run.interpreter.evaluate(run, node.expression, scope));
  const next = truth ? node.thenStatement : node.elseStatement;
  return next && (yield* execute(run, next, scope));
}

function* ofSwitch(run: Run, node: ts.SwitchStatement, scope: Scope): Steps<Outcome> {
  const subject = yield* run.interpreter.evaluate(run, node.expression, scope);
  return yield* within(node, scope, (inner) => ofCases(node, subject, inner));
}

function* ofCases(node: ts.SwitchStatement, subject: Value, scope: Scope): Steps<Outcome> {
  const { run } = scope;
  const { clauses } = node.caseBlock;
  let start = -1;
  for (const [index, clause] of clauses.entries()) {
    if (ts.isDefaultClause(clause)) continue;
    const value = yield* run.interpreter.evaluate(run, clause.expression, scope);
    if (!isSame(run, subject, value)) continue;
    start = index;
    break;
  }
  if (start < 0) start = clauses.findIndex(ts.isDefaultClause);
  if (start < 0) return undefined;
  const statements = clauses.slice(start).flatMap((clause) => [...clause.statements]);
  const outcome = yield* executeAll(run, statements, scope);
  return outcome?.kind === "break" ? roundOf(outcome, node).outcome : outcome;
}

function* ofLabel(run: Run, node: ts.LabeledStatement, scope: Scope): Steps<Outcome> {
  const outcome = yield* execute(run, node.statement, scope);
  const isOwn = outcome?.kind === "break" && outcome.label === node.label.text;
  return isOwn ? undefined : outcome;
}

function* ofTry(run: Run, node: ts.TryStatement, scope: Scope): Steps<Outcome> {
  const { tryBlock, catchClause, finallyBlock } = node;
  const { frame } = scope;
  let outcome: Outcome;
  let error: unknown;
  frame.guards++;
  try {
    outcome = yield* execute(run, tryBlock, scope);
  } catch (caught) {
    error = caught;
  } finally {
    frame.guards--;
  }
  if (error instanceof Thrown && catchClause) {
    const { value } = error;
    frame.scope = scope;
    if (error.isForeign) excuse(run, scope);
    error = undefined;
    if (finallyBlock) frame.guards++;
    try {
      outcome = yield* within(catchClause, scope, (inner) => ofCatch(catchClause, value, inner));
    } catch (caught) {
      error = caught;
    } finally {
      if (finallyBlock) frame.guards--;
    }
  }
  if (finallyBlock && !(error instanceof Abandoned)) {
    frame.scope = scope;
    const last = yield* execute(run, finallyBlock, scope);
    if (last) return last;
  }
  if (error) throw error;
  return outcome;
}

function* ofCatch(
  { variableDeclaration, block }: ts.CatchClause,
  value: Value,
  scope: Scope,
): Steps<Outcome> {
  const name = variableDeclaration?.name;
  if (name) yield* bind(name, value, { node: name, scope });
  return yield* executeAll(scope.run, block.statements, scope);
}

function* ofReturn(run: Run, node: ts.ReturnStatement, scope: Scope): Steps<Outcome> {
  const value = node.expression && (yield* run.interpreter.evaluate(run, node.expression, scope));
  if (node.expression) kept(value, node.expression);
  return { kind: "return", value, node };
}

function* ofThrow(run: Run, node: ts.ThrowStatement, scope: Scope): Steps<Outcome> {
  const value = yield* run.interpreter.evaluate(run, node.expression, scope);
  const isForeign = value instanceof Unknown && value.isForeignError; // thrown on
  if (!isForeign) noteGone(run, scope);
  throw new Thrown(value, isForeign, { node, frame: scope.frame });
}

// deno-lint-ignore require-yield
function* ofJump(_: Run, node: ts.BreakOrContinueStatement): Steps<Outcome> {
  const kind = ts.isBreakStatement(node) ? "break" : "continue";
  return { kind, label: node.label?.text ?? "", node };
}

function* ofClass(run: Run, node: ts.ClassDeclaration, scope: Scope): Steps<Outcome> {
  const value = yield* run.interpreter.evaluate(run, node, scope);
  if (node.name) scope.variables.set(node.name.text, { value, node: node.name });
  return undefined;
}

/** `namespace Name`: it has what it declares; a class or a function of the name is more. */
function* ofNamespace(run: Run, node: ts.ModuleDeclaration, scope: Scope): Steps<Outcome> {
  const { body, modifiers = [] } = node;
  if (!body || modifiers.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) {
    return undefined;
  }
  const name = s.nameOf(node.name);
  const { value } = scope.variables.get(name) ?? { value: new Item() };
  scope.variables.set(name, { value, node: node.name as ts.Identifier });
  return yield* within(node, scope, function* (inner) {
    yield* executeAll(run, ts.isModuleBlock(body) ? body.statements : [body], inner);
    if (!(value instanceof Item)) return undefined;
    for (const [key, part] of inner.variables) value.parts.set(key, part.value);
    return undefined;
  });
}

function* ofDefault(run: Run, node: ts.ExportAssignment, scope: Scope): Steps<Outcome> {
  run.escaped.add(yield* run.interpreter.evaluate(run, node.expression, scope));
  return undefined;
}

const EXECUTORS: { readonly [kind: number]: Execute<never> } = {
  [ts.SyntaxKind.Block]: ofBlock,
  [ts.SyntaxKind.ModuleDeclaration]: ofNamespace,
  [ts.SyntaxKind.ExpressionStatement]: ofExpression,
  [ts.SyntaxKind.VariableStatement]: ofVariables,
  [ts.SyntaxKind.IfStatement]: ofIf,
  [ts.SyntaxKind.WhileStatement]: ofWhile,
  [ts.SyntaxKind.DoStatement]: ofWhile,
  [ts.SyntaxKind.ForStatement]: ofFor,
  [ts.SyntaxKind.ForOfStatement]: ofForOf,
  [ts.SyntaxKind.ForInStatement]: ofForIn,
  [ts.SyntaxKind.SwitchStatement]: ofSwitch,
  [ts.SyntaxKind.LabeledStatement]: ofLabel,
  [ts.SyntaxKind.TryStatement]: ofTry,
  [ts.SyntaxKind.ReturnStatement]: ofReturn,
  [ts.SyntaxKind.ThrowStatement]: ofThrow,
  [ts.SyntaxKind.BreakStatement]: ofJump,
  [ts.SyntaxKind.ContinueStatement]: ofJump,
  [ts.SyntaxKind.ClassDeclaration]: ofClass,
  [ts.SyntaxKind.ExportAssignment]: ofDefault,
};
