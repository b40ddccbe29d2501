import { isNullish, isTrue } from "../path/condition.ts";
import { kept } from "../path/misuse.ts";
import { keyOf, listed, named, partKey, partOf, rest } from "../path/pattern.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Scope } from "../path/scope.ts";
import { Unknown, type Value } from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { overwritten, ownerOf, part, store } from "./access.ts";
import { combined } from "./operator.ts";

/** Something that can be assigned to, looked up once. */
interface Place {
  read(): Steps<Value>;
  write(value: Value): Steps<void>;
}

/** `a = b`, `a ??= b`, `a += b`, `[a, b] = c`. */
export function* assign(run: Run, node: ts.BinaryExpression, scope: Scope): Steps<Value> {
  const operator = s.operatorOf(node).slice(0, -1);
  const { evaluate } = run.interpreter;
  if (operator === "") {
    const target = s.bare(node.left);
    if (s.isAccess(target) || ts.isIdentifier(target)) {
      const place = yield* placeOf(run, target, scope);
      const value = yield* evaluate(run, node.right, scope);
      if (s.isAccess(target)) kept(value, node.right);
      yield* place.write(value);
      return value;
    }
    const value = yield* evaluate(run, node.right, scope);
    yield* give(target, value, scope);
    return value;
  }
  const target = s.bare(node.left);
  const place = yield* placeOf(run, target, scope);
  const before = yield* place.read();
  const isSkipped = (operator === "??" && !isNullish(run, before)) ||
    (operator === "||" && isTrue(run, before)) || (operator === "&&" && !isTrue(run, before));
  if (isSkipped) return before;
  const right = yield* evaluate(run, node.right, scope);
  const value = /^(?:\?\?|\|\||&&)$/.test(operator)
    ? right
    : combined(run, operator, [before, right]);
  if (s.isAccess(target)) kept(value, node.right);
  yield* place.write(value);
  return value;
}

/** `++a` and `a--`. */
export function* updated(
  run: Run,
  node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression,
  scope: Scope,
): Steps<{ readonly before: Value; readonly after: Value }> {
  const place = yield* placeOf(run, s.bare(node.operand), scope);
  const before = yield* place.read();
  const isUp = node.operator === ts.SyntaxKind.PlusPlusToken;
  const after = combined(run, isUp ? "+" : "-", [before, typeof before === "bigint" ? 1n : 1]);
  yield* place.write(after);
  return { before, after };
}

function* placeOf(run: Run, target: ts.Node, scope: Scope): Steps<Place> {
  if (s.isAccess(target)) {
    const owner = yield* ownerOf(run, target, scope);
    const key = yield* partKey(run, target, scope);
    const site: Site = { node: target, scope };
    return {
      read: () => part(owner, key, site),
      write: (value) => store(owner, key, { value, site }),
    };
  }
  return {
    read: () => run.interpreter.evaluate(run, target, scope),
    write: (value) => writeName(target, value, scope),
  };
}

function* writeName(target: ts.Node, value: Value, scope: Scope): Steps<void> {
  const { run } = scope;
  const name = s.nameOf(target);
  let variable = scope.find(name);
  if (!variable) {
    yield* run.interpreter.evaluate(run, target, scope); // the name of a module
    const known = scope.outermost.variables;
    variable = known.get(name) ?? known.get(`declared ${name}`);
  }
  if (!variable) return;
  overwritten(variable.value, value, { node: target, scope });
  variable.value = value;
  named(value, target, run.file.source);
}

/** Gives the parts of a pattern that is no declaration what they get. */
export function* give(target: ts.Node, value: Value, scope: Scope): Steps<void> {
  const { run } = scope;
  if (ts.isArrayLiteralExpression(target)) {
    const { length } = target.elements;
    const whole = yield* listed(value, length, { node: target, scope });
    for (const [index, element] of target.elements.entries()) {
      const isRest = ts.isSpreadElement(element);
      const one = isRest
        ? rest(whole, index)
        : yield* partOf(whole, index, { node: element, scope });
      yield* giveOne(run, isRest ? element.expression : element, one, scope);
    }
  } else if (ts.isObjectLiteralExpression(target)) {
    for (const element of target.properties) {
      if (!element.name) continue;
      const key = yield* keyOf(run, element.name, scope);
      const one = yield* partOf(value, key, { node: element.name, scope });
      const inner = ts.isPropertyAssignment(element) ? element.initializer : element.name;
      yield* giveOne(run, inner, one, scope);
    }
  } else {
    yield* (yield* placeOf(run, target, scope)).write(value);
  }
}

/** As {@linkcode give}, with `= value` for what is absent. */
function* giveOne(run: Run, target: ts.Node, value: Value, scope: Scope): Steps<void> {
  const inner = s.bare(target);
  const hasDefault = ts.isBinaryExpression(inner) && s.operatorOf(inner) === "=";
  if (!hasDefault) return yield* give(inner, value, scope);
  const isAbsent = value === undefined || (value instanceof Unknown && isNullish(run, value));
  const whole = isAbsent ? yield* run.interpreter.evaluate(run, inner.right, scope) : value;
  yield* give(s.bare(inner.left), whole, scope);
}
