import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import { Binding, type Scope } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { CONSUMERS } from "../syntax/vocabulary.ts";
import { usesOf } from "./called.ts";
import type { Oracle } from "./oracle.ts";
import { surelyCalled, surelyConsumed } from "./list.ts";
import { partsIn, resultsOf, skipped } from "./loan.ts";
import { isContainer, isLinearType, lent, linearType } from "./value_type.ts";

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
    const binding = this.#bind(path, field, scope);
    binding.type = type;
    binding.isAssigned = !isConstant(oracle, field);
  }

  #bind({ root, text }: Path, node: ts.Node, around: Scope): Binding {
    const scope = root && isOfFunction(root, around) ? root.scope : around.functionScope;
    const name = text.replace(/^\d+\./, ""); // of parts of what is made at an offset
    const binding = new Binding(node, { scope, declaredAs: "field", name });
    binding.type = lent(linearType("port"));
    scope.bindings.set(text, binding);
    return binding;
  }

  /** The field that an expression names, if it is one of those that were noted. */
  at(node: ts.Node): Binding | undefined {
    const path = this.#pathOf(node);
    return path && knownField(path, this.#oracle.names.scopeOf(node));
  }

  /** The ports that a method or a part consumes, of the object that it is called on or was part of. */
  consumedBy(call: ts.CallExpression): readonly Binding[] {
    const callee = s.bare(call.expression);
    const { file, names } = this.#oracle;
    const part = names.bindingOf(callee);
    const path = part
      ? { text: `${part.origin.value?.pos}`, root: part }
      : s.isAccess(callee) && this.#pathOf(callee.expression);
    if (!path || part?.isFixed === false) return [];
    const scope = names.scopeOf(call);
    const fieldOf = (name: string, isMade: boolean) => {
      const inner = { ...path, text: `${path.text}.${name}` };
      return knownField(inner, scope) ?? (isMade ? this.#bind(inner, callee, scope) : undefined);
    };
    const { value, isPart, partName } = path.root?.origin ?? {};
    const isWhole = path.text === path.root?.name && !isPart;
    const key = part ? partName : isWhole ? s.propertyName(callee) : undefined;
    const shared = value && key !== undefined ? sharedPorts(file, key, value) : [];
    const method = part ? undefined : file.checker.getResolvedSignature(call)?.declaration;
    const fields = consumedIn(file, method).map((one) => {
      return fieldOf(s.propertyName(one), isConstant(this.#oracle, one));
    });
    return [
      ...shared.map((one) => siblingOf(part, one.key) ?? fieldOf(one.key ?? one.name, true)),
      ...fields.filter((one) => one?.isFixed),
    ].filter((one) => one !== undefined);
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

/** The name that gets another part of what a name has a part of. */
function siblingOf(part: Binding | undefined, key: string | undefined): Binding | undefined {
  if (!part || key === undefined) return undefined;
  return [...part.scope.bindings.values()].find(({ origin }) =>
    origin.value === part.origin.value && origin.partName === key
  );
}

/**
 * The ports that a part of what a function makes consumes whatever happens, by name, and by their
 * own part: `close` in `const { port, close } = f()`, where `f` ends with
 * `return { port, close: () => port.close() }`.
 */
function sharedPorts(file: CheckedFile, key: string, value: ts.Node) {
  const call = skipped(value);
  const [whole, ...others] = ts.isCallExpression(call) ? resultsOf(file, call) : [];
  const parts = whole && others.length === 0 ? partsIn(whole) : new Map<string, ts.Node>();
  const part = parts.get(key);
  const declared = part && ts.isIdentifier(part) ? file.declarationAt(part) : part;
  const made = declared && ts.isVariableDeclaration(declared) ? declared.initializer : declared;
  if (!made || !s.isFunction(made) || s.isGenerator(made)) return [];
  return surelyConsumed(made.body).flatMap((id) => {
    const variable = file.declarationAt(id);
    const isConst = variable && ts.isVariableDeclaration(variable) &&
      (variable.parent.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const;
    const isOuter = isConst && !ts.findAncestor(variable, (one) => one === made);
    if (!isOuter || !isPort(file, id)) return [];
    const own = [...parts].find(([, one]) =>
      ts.isIdentifier(one) && file.declarationAt(one) === variable
    );
    return { name: s.nameOf(id), key: own?.[0] };
  });
}

function isPort(file: CheckedFile, node: ts.Node): boolean {
  return file.reader.valueOf(file.typeAt(node))?.kind === "port";
}

const DEPTH_MAX = 5;

/** The fields that a method consumes whatever happens, itself or by another method. */
function consumedIn(
  file: CheckedFile,
  method: ts.Node | undefined,
  depth = 0,
): readonly s.Access[] {
  if (!method || !s.isFunction(method) || depth > DEPTH_MAX) return [];
  return surelyCalled(method.body).flatMap((call) => {
    const owner = s.bare(call.expression);
    if (isThis(owner)) return consumedIn(file, file.declarationAt(call), depth + 1);
    const isField = s.isAccess(owner) && isThis(s.bare(owner.expression)) && isPort(file, owner);
    return isField && CONSUMERS.has(s.propertyName(call)) ? [owner] : [];
  });
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
