import { foreignCall } from "../foreign/foreign.ts";
import { onlyLooks } from "../foreign/signature.ts";
import { constructNative, nativeMethod } from "../library/library.ts";
import { isNullish } from "../path/condition.ts";
import { madeOf, promised } from "../path/making.ts";
import { blame } from "../path/misuse.ts";
import { partKey } from "../path/pattern.ts";
import { Run, type Steps } from "../path/run.ts";
import type { Scope } from "../path/scope.ts";
import { Func, isThing, Item, plain, Port, Unknown, type Value } from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import { call } from "../statement/func.ts";
import * as s from "../syntax/syntax.ts";
import { member, ownerOf, part, SHORT } from "./access.ts";
import { evaluateAll } from "./arguments.ts";
import { construct, constructBase } from "./class.ts";

/** A call. */
export function* called(run: Run, node: ts.CallExpression, scope: Scope): Steps<Value> {
  const value = yield* calledInChain(run, node, scope);
  return value === SHORT ? undefined : value;
}

function* calledInChain(run: Run, node: ts.CallExpression, scope: Scope): Steps<Value> {
  const callee = s.bare(node.expression);
  const site = { node, scope };
  if (callee.kind === ts.SyntaxKind.SuperKeyword) {
    return yield* constructBase(run, yield* evaluateAll(run, node.arguments, scope), site);
  }
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return new Unknown(() => run.file.typeAt(node));
  let self: Value;
  let func: Value;
  if (s.isAccess(callee)) {
    self = yield* ownerOf(run, callee, scope);
    if (self === SHORT) return SHORT;
    const key = ts.isPropertyAccessExpression(callee)
      ? callee.name.text
      : yield* partKey(run, callee, scope);
    if (
      self instanceof Unknown && typeof key === "string" && /^(?:then|catch|finally)$/.test(key)
    ) {
      self = promised(
        run,
        () => madeOf(awaitedType(run, callee), site, { isOwned: true }),
        site,
      );
    }
    const isNative = typeof key === "string" && !(self instanceof Unknown || self instanceof Item);
    const method = isNative ? nativeMethod(self, key) : undefined;
    if (method) {
      const args = yield* evaluateAll(run, node.arguments, scope);
      return yield* method(run, self, args, site);
    }
    func = self instanceof Unknown && self.isPlain
      ? self
      : yield* methodOf(run, self, key, { node: callee, scope });
  } else {
    func = yield* run.interpreter.evaluate(run, callee, scope);
  }
  if (node.questionDotToken && isNullish(run, func)) return undefined;
  const args = yield* evaluateAll(run, node.arguments, scope);
  if (func instanceof Unknown && func.isPlain && !args.some(isKnown)) {
    return plain(() => run.file.typeAt(node));
  }
  if (func instanceof Func) checkArguments(run, func, args, { node, scope });
  return yield* call(func, args, { ...site, self });
}

/** What a promise of which only the type is known is for. */
function awaitedType({ file: { checker } }: Run, { expression }: s.Access): ts.Type {
  const type = checker.getTypeAtLocation(expression);
  return checker.getAwaitedType(type) ?? type;
}

/** Whether a value is more than something of which nothing is known. */
function isKnown(value: Value): boolean {
  return isThing(value) && !(value instanceof Unknown);
}

/** What is called; nothing is worked out of what only its type is known of. */
function* methodOf(
  run: Run,
  self: Value,
  key: string | Unknown,
  site: { readonly node: s.Access; readonly scope: Scope },
): Steps<Value> {
  if (self instanceof Unknown && typeof key === "string" && !self.parts.has(key)) {
    const declaration = run.declarationAt(site.node);
    const hasBody = declaration && "body" in declaration && declaration.body;
    if (!hasBody) return new Unknown();
    if (ts.isFunctionDeclaration(declaration)) {
      return yield* run.interpreter.declared(run, declaration, site);
    }
  }
  return typeof key === "string" ? yield* member(self, key, site) : yield* part(self, key, site);
}

/** A function takes a port where a parameter says that it is one: not one that was consumed. */
function checkArguments(
  run: Run,
  { node: callee }: Func,
  args: readonly Value[],
  { node, scope }: { readonly node: ts.CallExpression; readonly scope: Scope },
): void {
  for (const [index, value] of args.entries()) {
    const parameter = callee.parameters[index];
    if (!(value instanceof Port) || !value.end || !parameter?.type) continue;
    const type = run.file.typeAt(parameter);
    const isTaken = run.file.reader.kindOf(type) === "port";
    if (!isTaken && !onlyLooks(type)) continue;
    const by = `${s.calleeName(node)}()`;
    const rule = isTaken ? "double-move" : "use-after-move";
    blame(run, { rule, subject: value, by }, { node, scope });
  }
}

/** `new Something(...)`. */
export function* constructed(run: Run, node: ts.NewExpression, scope: Scope): Steps<Value> {
  const maker = yield* run.interpreter.evaluate(run, node.expression, scope);
  const args = yield* evaluateAll(run, node.arguments ?? [], scope);
  const site = { node, scope };
  if (maker instanceof Item && maker.made) return yield* construct(maker, args, site);
  const name = s.bare(node.expression);
  const declaration = ts.isIdentifier(name) ? run.declarationAt(name) : undefined;
  const isNative = !declaration || run.file.isOfLanguage(declaration);
  const native = isNative ? yield* constructNative(s.nameOf(name), args, site) : undefined;
  return native ?? (yield* foreignCall(args, site, maker));
}
