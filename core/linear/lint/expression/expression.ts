import { handOver, letGo } from "../foreign/handover.ts";
import { iterate } from "../library/iteration.ts";
import { global } from "../library/library.ts";
import { isNullish, isTrue } from "../path/condition.ts";
import { kept, touch } from "../path/misuse.ts";
import { declared } from "../path/module.ts";
import { keyOf, partKey } from "../path/pattern.ts";
import { Run, type Steps } from "../path/run.ts";
import { Abandoned, Thrown } from "../path/thrown.ts";
import { Scope } from "../path/scope.ts";
import {
  type Cursor,
  Func,
  isLinear,
  isThing,
  Item,
  List,
  Port,
  Unknown,
  type Value,
} from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { accessed, removePart } from "./access.ts";
import { evaluateAll, quick } from "./arguments.ts";
import { assign, updated } from "./assignment.ts";
import { annotated, awaited } from "./awaiting.ts";
import { called, constructed } from "./call.ts";
import { classOf } from "./class.ts";
import { combined, unknownOf } from "./operator.ts";

type Evaluate<N extends ts.Node> = (run: Run, node: N, scope: Scope) => Steps<Value>;

/** Numbers above it say how much fits, or how often. */
const ANY_NUMBER_MIN = 2;

/** What an expression gives. */
export function evaluate(run: Run, node: ts.Node, scope: Scope): Steps<Value> {
  run.step();
  return (EVALUATORS[node.kind] ?? ofOther)(run, node as never, scope);
}

function* ofOther(run: Run, node: ts.Node, scope: Scope): Steps<Value> {
  for (const part of partsOf(node)) {
    const name = ts.isJsxAttribute(part.parent.parent) ? part.parent.parent.name.getText() : "";
    const site = { node: part, scope, isInner: true };
    yield* handOver(run, yield* evaluate(run, part, scope), { site, name });
  }
  return new Unknown(() => run.file.typeAt(node));
}

/** The expressions in something of which no more is known. */
function partsOf(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  ts.forEachChild(node, (one) => {
    if (ts.isJsxExpression(one) && one.expression) found.push(one.expression);
    else if (/^Jsx/.test(ts.SyntaxKind[one.kind]!)) found.push(...partsOf(one));
  });
  return found;
}

function ofInner(run: Run, node: ts.ParenthesizedExpression, scope: Scope): Steps<Value> {
  return evaluate(run, node.expression, scope);
}

/** `value as Type`: what it says counts where its source says nothing. */
function* ofCast(
  run: Run,
  node: ts.AsExpression | ts.SatisfiesExpression,
  scope: Scope,
): Steps<Value> {
  const value = yield* evaluate(run, node.expression, scope);
  const isNever = node.type.kind === ts.SyntaxKind.NeverKeyword;
  const isEnd = ts.isSatisfiesExpression(node) || ts.isReturnStatement(node.parent) ||
    ts.isExpressionStatement(node.parent);
  if (isNever && isEnd && value instanceof Unknown) throw new Abandoned(true);
  const isAny = node.type.kind === ts.SyntaxKind.UnknownKeyword ||
    node.type.kind === ts.SyntaxKind.AnyKeyword;
  if (isAny && isLinear(value)) letGo(run, value); // what it is from now on the program hides
  return ts.isAsExpression(node) ? yield* annotated(run, value, { node, scope }) : value;
}

function* ofTag(run: Run, node: ts.TaggedTemplateExpression, scope: Scope): Steps<Value> {
  const { template } = node;
  const parts = ts.isTemplateExpression(template) ? template.templateSpans : [];
  for (const { expression } of parts) letGo(run, yield* evaluate(run, expression, scope));
  return new Unknown(() => run.file.typeAt(node));
}

function ofText(_: Run, { text }: ts.LiteralLikeNode): Steps<Value> {
  return given(text);
}

// deno-lint-ignore require-yield
function* given(value: Value): Steps<Value> {
  return value;
}

function* ofName(run: Run, node: ts.Identifier, scope: Scope): Steps<Value> {
  if (node.text === "undefined") return undefined;
  const variable = scope.find(node.text);
  if (variable) return variable.value;
  const declaration = run.declarationAt(node);
  if (!declaration || run.file.isOfLanguage(declaration)) {
    return global(run, node.text) ?? new Unknown(() => run.file.typeAt(node));
  }
  const isHere = declaration.getSourceFile() === run.file.source;
  const isLocal = isHere && (!run.isLater || ts.findAncestor(declaration, ts.isFunctionLike));
  if (isLocal && !ts.isParameter(declaration) && hasValue(declaration)) {
    throw new Abandoned(true); // not there yet
  }
  const outermost = scope.outermost;
  const known = outermost.variables.get(`declared ${node.text}`);
  if (known) return known.value;
  const value = yield* declared(run, declaration, { node, scope });
  outermost.variables.set(`declared ${node.text}`, { value, node: undefined });
  return value;
}

/** Whether a declaration is more than a promise of somebody else. */
function hasValue(declaration: ts.Declaration): boolean {
  const isDeclared = ts.findAncestor(declaration, (one) =>
    ts.canHaveModifiers(one) &&
    (ts.getModifiers(one) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword));
  return !isDeclared && (ts.isVariableDeclaration(declaration) || ts.isClassLike(declaration) ||
    ts.isBindingElement(declaration));
}

/** A function that may have a name, which it knows itself. */
function ofFunction(_: Run, node: ts.FunctionExpression, scope: Scope): Steps<Value> {
  if (!node.name) return given(new Func(node, scope));
  const func = new Func(node, new Scope(scope));
  func.scope.variables.set(node.name.text, { value: func, node: node.name });
  return given(func);
}

function* ofTemplate(run: Run, node: ts.TemplateExpression, scope: Scope): Steps<Value> {
  const values: Value[] = [];
  for (const { expression } of node.templateSpans) {
    values.push(yield* evaluate(run, expression, scope));
  }
  for (const one of values) if (one instanceof Port) touch(run, one, { node, scope });
  if (values.some(isThing)) return run.answer(`text ${node.pos}`, ...values);
  return node.templateSpans.reduce(
    (text, { literal }, index) => text + String(values[index]) + literal.text,
    node.head.text,
  );
}

function* ofArray(run: Run, node: ts.ArrayLiteralExpression, scope: Scope): Steps<Value> {
  const list = new List(yield* evaluateAll(run, node.elements, scope));
  for (const item of list.items) kept(item, node);
  return list;
}

function* ofObject(run: Run, node: ts.ObjectLiteralExpression, scope: Scope): Steps<Value> {
  const item = new Item();
  for (const one of node.properties) {
    if (ts.isSpreadAssignment(one)) {
      const whole = yield* evaluate(run, one.expression, scope);
      if (whole instanceof Item) {
        for (const [key, value] of whole.parts) item.parts.set(key, value);
      }
      if (whole instanceof Unknown || (whole instanceof Item && whole.type)) {
        item.type = () => run.file.typeAt(node);
      }
    } else {
      yield* definePart(run, item, one, scope);
    }
  }
  return item;
}

function* definePart(
  run: Run,
  item: Item,
  node: Exclude<ts.ObjectLiteralElementLike, ts.SpreadAssignment>,
  scope: Scope,
): Steps<void> {
  const key = yield* keyOf(run, node.name, scope);
  if (ts.isGetAccessor(node) || ts.isSetAccessor(node)) {
    const known = item.accessors.get(key) ?? {};
    const func = new Func(node, scope, item, item);
    item.accessors.set(key, { ...known, [ts.isGetAccessor(node) ? "get" : "set"]: func });
    return;
  }
  const value = ts.isMethodDeclaration(node)
    ? new Func(node, scope, item, item)
    : yield* evaluate(run, ts.isPropertyAssignment(node) ? node.initializer : node.name, scope);
  kept(value, ts.isPropertyAssignment(node) ? node.initializer : node);
  item.parts.set(key, value);
}

function* ofCondition(run: Run, node: ts.ConditionalExpression, scope: Scope): Steps<Value> {
  const truth = isTrue(run, yield* evaluate(run, node.condition, scope));
  return yield* evaluate(run, truth ? node.whenTrue : node.whenFalse, scope);
}

function* ofBinary(run: Run, node: ts.BinaryExpression, scope: Scope): Steps<Value> {
  const operator = s.operatorOf(node);
  const { kind } = node.operatorToken;
  const isAssignment = kind >= ts.SyntaxKind.FirstAssignment &&
    kind <= ts.SyntaxKind.LastAssignment;
  if (isAssignment) return yield* assign(run, node, scope);
  const known = quick(node.left, scope);
  const left = known ? known.value : yield* evaluate(run, node.left, scope);
  switch (operator) {
    case "&&":
      return isTrue(run, left) ? yield* evaluate(run, node.right, scope) : left;
    case "||":
      return isTrue(run, left) ? left : yield* evaluate(run, node.right, scope);
    case "??":
      return isNullish(run, left) ? yield* evaluate(run, node.right, scope) : left;
  }
  const other = quick(node.right, scope);
  const right = other ? other.value : yield* evaluate(run, node.right, scope);
  return operator === "," ? right : combined(run, operator, [left, right]);
}

function* ofPrefix(run: Run, node: ts.PrefixUnaryExpression, scope: Scope): Steps<Value> {
  const { operator, operand } = node;
  if (operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken) {
    return (yield* updated(run, node, scope)).after;
  }
  const value = yield* evaluate(run, operand, scope);
  if (operator === ts.SyntaxKind.ExclamationToken) return !isTrue(run, value);
  if (isThing(value)) return unknownOf(run, ts.tokenToString(operator)!, [value]);
  if (operator === ts.SyntaxKind.MinusToken) return -(value as number);
  return operator === ts.SyntaxKind.TildeToken ? ~(value as number) : Number(value);
}

function* ofPostfix(run: Run, node: ts.PostfixUnaryExpression, scope: Scope): Steps<Value> {
  return (yield* updated(run, node, scope)).before;
}

function* ofType(run: Run, node: ts.TypeOfExpression, scope: Scope): Steps<Value> {
  const value = yield* evaluate(run, node.expression, scope);
  if (!isThing(value)) return value === null ? "object" : typeof value;
  if (value instanceof Unknown) return run.answer("typeof", value);
  return value instanceof Func || (value instanceof Item && value.made) ? "function" : "object";
}

function* ofVoid(run: Run, node: ts.VoidExpression, scope: Scope): Steps<Value> {
  yield* evaluate(run, node.expression, scope);
  return undefined;
}

function* ofDelete(run: Run, node: ts.DeleteExpression, scope: Scope): Steps<Value> {
  const target = s.bare(node.expression);
  if (!s.isAccess(target)) return true;
  const owner = yield* evaluate(run, target.expression, scope);
  const key = yield* partKey(run, target, scope);
  if (owner instanceof Item || owner instanceof Unknown) removePart(owner, run.keyOf(key));
  return true;
}

function* ofAwait(run: Run, node: ts.AwaitExpression, scope: Scope): Steps<Value> {
  return yield* awaited(run, yield* evaluate(run, node.expression, scope), { node, scope });
}

function* ofYield(run: Run, node: ts.YieldExpression, scope: Scope): Steps<Value> {
  const value = node.expression && (yield* evaluate(run, node.expression, scope));
  if (!node.asteriskToken) {
    if (isLinear(value)) {
      kept(value, node);
      delete value.name; // that of whoever asks is what it is called from now on
    }
    return yield { yielded: value };
  }
  const cursor: Cursor = yield* iterate(value, { node, scope });
  let turn = yield* cursor.next(undefined);
  while (!turn.isDone) {
    run.step();
    let sent: Value;
    try {
      sent = yield { yielded: turn.value };
    } catch (error) {
      if (!(error instanceof Thrown && cursor.raise)) {
        if (!(error instanceof Abandoned)) yield* cursor.close();
        throw error;
      }
      turn = yield* cursor.raise(error);
      continue;
    }
    turn = yield* cursor.next(sent);
  }
  return turn.value;
}

const EVALUATORS: { readonly [kind: number]: Evaluate<never> } = {
  [ts.SyntaxKind.Identifier]: ofName,
  [ts.SyntaxKind.StringLiteral]: ofText,
  [ts.SyntaxKind.NoSubstitutionTemplateLiteral]: ofText,
  [ts.SyntaxKind.NumericLiteral]: (run: Run, { text }: ts.NumericLiteral) => {
    if (!run.isAnyNumber || Number(text) <= ANY_NUMBER_MIN) return given(Number(text));
    const any = run.answer("number", text);
    any.isUnique = true;
    return given(any);
  },
  [ts.SyntaxKind.BigIntLiteral]: (_: Run, { text }: ts.BigIntLiteral) =>
    given(BigInt(text.slice(0, -1))),
  [ts.SyntaxKind.TrueKeyword]: () => given(true),
  [ts.SyntaxKind.FalseKeyword]: () => given(false),
  [ts.SyntaxKind.NullKeyword]: () => given(null),
  [ts.SyntaxKind.ThisKeyword]: (_: Run, _node: ts.Node, { frame }: Scope) => given(frame.self),
  [ts.SyntaxKind.TemplateExpression]: ofTemplate,
  [ts.SyntaxKind.ArrayLiteralExpression]: ofArray,
  [ts.SyntaxKind.ObjectLiteralExpression]: ofObject,
  [ts.SyntaxKind.ParenthesizedExpression]: ofInner,
  [ts.SyntaxKind.AsExpression]: ofCast,
  [ts.SyntaxKind.SatisfiesExpression]: ofCast,
  [ts.SyntaxKind.TaggedTemplateExpression]: ofTag,
  [ts.SyntaxKind.NonNullExpression]: ofInner,
  [ts.SyntaxKind.TypeAssertionExpression]: ofInner,
  [ts.SyntaxKind.ExpressionWithTypeArguments]: ofInner,
  [ts.SyntaxKind.PartiallyEmittedExpression]: ofInner,
  [ts.SyntaxKind.FunctionExpression]: ofFunction,
  [ts.SyntaxKind.ArrowFunction]: (_: Run, node: ts.ArrowFunction, scope: Scope) =>
    given(new Func(node, scope)),
  [ts.SyntaxKind.ClassExpression]: classOf,
  [ts.SyntaxKind.ClassDeclaration]: classOf,
  [ts.SyntaxKind.ConditionalExpression]: ofCondition,
  [ts.SyntaxKind.BinaryExpression]: ofBinary,
  [ts.SyntaxKind.PrefixUnaryExpression]: ofPrefix,
  [ts.SyntaxKind.PostfixUnaryExpression]: ofPostfix,
  [ts.SyntaxKind.TypeOfExpression]: ofType,
  [ts.SyntaxKind.VoidExpression]: ofVoid,
  [ts.SyntaxKind.DeleteExpression]: ofDelete,
  [ts.SyntaxKind.AwaitExpression]: ofAwait,
  [ts.SyntaxKind.YieldExpression]: ofYield,
  [ts.SyntaxKind.PropertyAccessExpression]: accessed,
  [ts.SyntaxKind.ElementAccessExpression]: accessed,
  [ts.SyntaxKind.CallExpression]: called,
  [ts.SyntaxKind.NewExpression]: constructed,
};
