import * as s from "../syntax/syntax.ts";
import { CONSUMERS } from "../syntax/vocabulary.ts";
import { usesOf } from "./called.ts";
import { ts } from "../program/compiler.ts";
import type { Oracle } from "./oracle.ts";
import { isContainer, isLinearType, lent } from "./value_type.ts";

/**
 * Notes the fields whose ports a function consumes where they are, `this.#port.close()`: within one
 * function, and until code runs that could change the field, such a path is as good as a name.
 */
export function noteField(oracle: Oracle, node: s.SyntaxNode, scope: s.Scope): void {
  if (node.type !== "MemberExpression" || !CONSUMERS.has(s.propertyName(node))) return;
  const field = s.bare(s.part(node, "object"));
  const path = field.type === "MemberExpression" ? pathOf(field, scope) : undefined;
  if (!path || knownField(path, scope)) return;
  const type = lent(oracle.of(field, scope));
  const owner = oracle.of(s.part(field, "object"), scope);
  if (!isLinearType(type) || isContainer(owner) || !isPlain(oracle, field)) return;
  const place = path.root && isOfFunction(path.root, scope) ? path.root.scope : scope.functionScope;
  const binding = new s.Binding(field, { scope: place, declaredAs: "field", name: path.text });
  binding.type = type;
  binding.isAssigned = !isConstant(oracle, field);
  place.bindings.set(path.text, binding);
}

/** The field that an expression names, if it is one of those that were noted. */
export function fieldAt(node: s.SyntaxNode, scope: s.Scope): s.Binding | undefined {
  const path = pathOf(node, scope);
  return path && knownField(path, scope);
}

interface Path {
  /** As it is written, without `?` and `!`. */
  readonly text: string;
  /** The name that it begins with; absent for `this`. */
  readonly root: s.Binding | undefined;
}

/** `this.a.b` and `name.a.b`, where the name stands for one object. */
function pathOf(expression: s.SyntaxNode, scope: s.Scope): Path | undefined {
  const node = s.bare(expression);
  if (node.type === "ThisExpression") return { text: "this", root: undefined };
  if (node.type === "Identifier") {
    const root = scope.resolve(s.word(node, "name"));
    return root?.isFixed && !isLinearType(root.type) ? { text: root.name, root } : undefined;
  }
  const name = node.type === "MemberExpression" ? s.propertyName(node) : "";
  const owner = name === "" ? undefined : pathOf(s.part(node, "object"), scope);
  return owner && { ...owner, text: `${owner.text}.${name}` };
}

function knownField({ text, root }: Path, scope: s.Scope): s.Binding | undefined {
  const field = scope.resolve(text);
  if (!field || field.scope.functionScope !== scope.functionScope) return undefined;
  return root && isOfFunction(root, scope) && field.scope !== root.scope ? undefined : field;
}

function isOfFunction(root: s.Binding, scope: s.Scope): boolean {
  return root.scope.functionScope === scope.functionScope;
}

/** Whether a field gets a port once: it is read-only, or private and not assigned but where it is made. */
function isConstant({ file }: Oracle, field: s.SyntaxNode): boolean {
  const declaration = file.declarationOf(field);
  if (!declaration || !(ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration))) {
    return false;
  }
  if (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) return true;
  if (!ts.isPrivateIdentifier(declaration.name)) return false;
  return usesOf(file, declaration.name, declaration.parent).every((use) => {
    const { parent } = use.parent;
    const isTarget = ts.isBinaryExpression(parent) && parent.left === use.parent;
    return !isTarget || ts.findAncestor(use, ts.isFunctionLike)?.kind === ts.SyntaxKind.Constructor;
  });
}

/** Whether a path ends with a field: an accessor may give another port each time. */
function isPlain({ file }: Oracle, field: s.SyntaxNode): boolean {
  const declaration = file.declarationOf(field);
  return declaration !== undefined &&
    (ts.isPropertyDeclaration(declaration) || ts.isPropertySignature(declaration) ||
      ts.isPropertyAssignment(declaration) || ts.isShorthandPropertyAssignment(declaration) ||
      ts.isParameter(declaration));
}
