import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import { Binding, type Scope } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { CONSUMERS } from "../syntax/vocabulary.ts";
import { usesOf } from "./called.ts";
import type { Oracle } from "./oracle.ts";
import { isContainer, isLinearType, lent } from "./value_type.ts";

interface Path {
  /** As it is written, without `?` and `!`. */
  readonly text: string;
  /** The name that it begins with; absent for `this`. */
  readonly root: Binding | undefined;
}

/**
 * The fields whose ports a function consumes where they are, `this.#port.close()`: within one
 * function, and until code runs that could change the field, such a path is as good as a name.
 */
export class Fields {
  readonly #oracle: Oracle;

  constructor(oracle: Oracle) {
    this.#oracle = oracle;
    for (const access of this.#oracle.names.accesses) {
      if (CONSUMERS.has(s.propertyName(access))) this.#note(s.bare(access.expression));
    }
  }

  #note(field: ts.Node): void {
    const oracle = this.#oracle;
    const path = s.isAccess(field) ? this.#pathOf(field) : undefined;
    const scope = oracle.names.scopeOf(field);
    if (!path || !s.isAccess(field) || knownField(path, scope)) return;
    const type = lent(oracle.of(field));
    if (!isLinearType(type) || isContainer(oracle.of(field.expression))) return;
    if (!isPlain(oracle, field)) return;
    const { root, text } = path;
    const place = root && isOfFunction(root, scope) ? root.scope : scope.functionScope;
    const binding = new Binding(field, { scope: place, declaredAs: "field", name: text });
    binding.type = type;
    binding.isAssigned = !isConstant(oracle, field);
    place.bindings.set(text, binding);
  }

  /** The field that an expression names, if it is one of those that were noted. */
  at(node: ts.Node): Binding | undefined {
    const path = this.#pathOf(node);
    return path && knownField(path, this.#oracle.names.scopeOf(node));
  }

  /** The fields that a method consumes, of the object whose method is called. */
  consumedBy(call: ts.CallExpression): readonly Binding[] {
    const { file, names } = this.#oracle;
    const callee = s.bare(call.expression);
    const path = s.isAccess(callee) ? this.#pathOf(callee.expression) : undefined;
    if (!path) return [];
    const method = file.checker.getResolvedSignature(call)?.declaration;
    return consumedIn(file, method).flatMap((name) => {
      const field = knownField({ ...path, text: `${path.text}.${name}` }, names.scopeOf(call));
      return field?.isFixed ? [field] : [];
    });
  }

  /** `this.a.b` and `name.a.b`, where the name stands for one object. */
  #pathOf(expression: ts.Node): Path | undefined {
    const node = s.bare(expression);
    if (isThis(node)) return { text: "this", root: undefined };
    const root = this.#oracle.names.bindingOf(node);
    if (root) {
      return root.isFixed && !isLinearType(root.type) ? { text: root.name, root } : undefined;
    }
    const name = s.propertyName(node);
    const owner = s.isAccess(node) && name !== "" ? this.#pathOf(node.expression) : undefined;
    return owner && { ...owner, text: `${owner.text}.${name}` };
  }
}

function knownField({ text, root }: Path, around: Scope): Binding | undefined {
  let scope: Scope | undefined = around;
  while (scope && !scope.bindings.has(text)) scope = scope.parent;
  const field = scope?.bindings.get(text);
  if (!field || field.scope.functionScope !== around.functionScope) return undefined;
  return root && isOfFunction(root, around) && field.scope !== root.scope ? undefined : field;
}

const DEPTH_MAX = 5;

/** The names of the fields that a method consumes whatever happens, itself or by another method. */
function consumedIn(file: CheckedFile, method: ts.Node | undefined, depth = 0): readonly string[] {
  if (!method || !s.isFunction(method) || !ts.isBlock(method.body) || depth > DEPTH_MAX) return [];
  const { statements } = method.body;
  const end = statements.findIndex((one) => !ts.isExpressionStatement(one));
  return statements.slice(0, end < 0 ? undefined : end).filter(ts.isExpressionStatement)
    .flatMap(({ expression }) => consumedField(file, expression, depth));
}

function consumedField(file: CheckedFile, value: ts.Node, depth: number): readonly string[] {
  const node = s.bare(value);
  if (ts.isAwaitExpression(node)) return consumedField(file, node.expression, depth);
  const callee = ts.isCallExpression(node) ? s.bare(node.expression) : undefined;
  if (!callee || !ts.isCallExpression(node) || !s.isAccess(callee)) return [];
  const owner = s.bare(callee.expression);
  if (isThis(owner)) {
    return consumedIn(file, file.checker.getResolvedSignature(node)?.declaration, depth + 1);
  }
  const isField = s.isAccess(owner) && isThis(s.bare(owner.expression));
  if (!isField) return consumedField(file, owner, depth);
  return CONSUMERS.has(s.propertyName(callee)) ? [s.propertyName(owner)] : [];
}

function isThis({ kind }: ts.Node): boolean {
  return kind === ts.SyntaxKind.ThisKeyword;
}

function isOfFunction(root: Binding, scope: Scope): boolean {
  return root.scope.functionScope === scope.functionScope;
}

/** Whether a field gets a port once: it is read-only, or private and not assigned but where it is made. */
function isConstant({ file }: Oracle, field: ts.Node): boolean {
  const declaration = file.declarationAt(field);
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
function isPlain({ file }: Oracle, field: ts.Node): boolean {
  const declaration = file.declarationAt(field);
  return declaration !== undefined &&
    (ts.isPropertyDeclaration(declaration) || ts.isPropertySignature(declaration) ||
      ts.isPropertyAssignment(declaration) || ts.isShorthandPropertyAssignment(declaration) ||
      ts.isParameter(declaration));
}
