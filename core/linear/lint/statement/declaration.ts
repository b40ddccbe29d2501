import { annotated } from "../expression/awaiting.ts";
import { madeOf } from "../path/making.ts";
import { bind } from "../path/pattern.ts";
import { Run, type Steps } from "../path/run.ts";
import { Scope } from "../path/scope.ts";
import { isLinear, type Value } from "../path/value.ts";
import { ts } from "../program/compiler.ts";

export function* declare(
  run: Run,
  { declarations, flags }: ts.VariableDeclarationList,
  scope: Scope,
): Steps<void> {
  const kind = flags & ts.NodeFlags.BlockScoped;
  for (const { name, initializer, type } of declarations) {
    if (isAmbient(name)) {
      const site = { node: name, scope };
      yield* bind(name, yield* madeOf(run.file.typeAt(name), site, { isOwned: false }), site);
      continue;
    }
    const given = initializer && (yield* run.interpreter.evaluate(run, initializer, scope));
    const value = type ? yield* annotated(run, given, { node: name, scope }) : given;
    yield* declareOne(name, { value, kind }, scope);
  }
}

function isAmbient(name: ts.Node): boolean {
  const statement = name.parent.parent.parent;
  return ts.isVariableStatement(statement) &&
    (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword);
}

export function* declareOne(
  name: ts.BindingName,
  { value, kind }: { readonly value: Value; readonly kind: ts.NodeFlags },
  scope: Scope,
): Steps<void> {
  const isVar = kind === ts.NodeFlags.None;
  let owner = scope;
  while (isVar && owner.around?.frame === owner.frame) owner = owner.around;
  yield* bind(name, value, { node: name, scope: owner });
  if (isLinear(value)) {
    delete value.keptAt; // it is in a name again
    delete value.givenAt;
  }
  if (kind === ts.NodeFlags.Using || kind === ts.NodeFlags.AwaitUsing) {
    (scope.disposed ??= []).push({ value, node: name, waits: kind === ts.NodeFlags.AwaitUsing });
  }
}
