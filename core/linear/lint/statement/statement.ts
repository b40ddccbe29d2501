import { followDeclarations } from "../expression/assignment.ts";
import { followClass } from "../function/class.ts";
import { followExpression } from "../expression/expression.ts";
import { DROP, ESCAPE, type Flow } from "../flow/flow.ts";
import { followFunction, followResult, handOn } from "../function/function.ts";
import { followIf, followSwitch } from "./branching.ts";
import { followLoopJump, followReturn, followThrow } from "./jump.ts";
import { followFor, followForEach, followWhile } from "./loop.ts";
import {
  boundIdentifiers,
  child,
  children,
  declarationIn,
  part,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { followTry } from "./try.ts";

/** Follows a block in a scope of its own. */
export function followBlock(flow: Flow, block: SyntaxNode): void {
  const scope = flow.types.blockScope(block, flow.scope);
  flow.withScope(scope, () => followStatements(flow, children(block, "body")), block);
}

/** Follows the statements of a scope that is already entered. */
export function followStatements(flow: Flow, statements: readonly SyntaxNode[]): void {
  for (const statement of statements) {
    const node = declarationIn(statement);
    if (node.type !== "FunctionDeclaration") continue;
    followFunction(flow, flow.types.functionAt(node, flow.scope));
  }
  for (const statement of statements) followStatement(flow, statement);
}

/**
 * Adds a statement to the graph; `label` is the label in front of it. An empty statement is not in
 * the tree.
 */
export function followStatement(flow: Flow, node: SyntaxNode | undefined, label = ""): void {
  if (!node) return;
  if (!isCompound(node)) return followSimple(flow, node);
  flow.deeper(node, () => followCompound(flow, node, label));
}

function isCompound({ type }: SyntaxNode): boolean {
  return COMPOUND.has(type);
}

/** Statements that hold statements. */
const COMPOUND: ReadonlySet<string> = new Set([
  "BlockStatement",
  "DoWhileStatement",
  "ForInStatement",
  "ForOfStatement",
  "ForStatement",
  "IfStatement",
  "LabeledStatement",
  "SwitchStatement",
  "TryStatement",
  "WhileStatement",
]);

function followCompound(flow: Flow, node: SyntaxNode, label: string): void {
  switch (node.type) {
    case "BlockStatement":
      return followLabelled(flow, label, () => followBlock(flow, node));
    case "IfStatement":
      return followLabelled(flow, label, () => followIf(flow, node));
    case "SwitchStatement":
      return followSwitch(flow, node, label);
    case "WhileStatement":
    case "DoWhileStatement":
      return followWhile(flow, node, label);
    case "ForStatement":
      return followFor(flow, node, label);
    case "ForOfStatement":
    case "ForInStatement":
      return followForEach(flow, node, label);
    case "TryStatement":
      return followLabelled(flow, label, () => followTry(flow, node));
    case "LabeledStatement":
      return followStatement(flow, child(node, "body"), word(part(node, "label"), "name"));
  }
}

function followSimple(flow: Flow, node: SyntaxNode): void {
  switch (node.type) {
    case "ExpressionStatement":
      return followExpression(flow, part(node, "expression"), DROP);
    case "VariableDeclaration":
      return followDeclarations(flow, node);
    case "ReturnStatement":
      return followReturned(flow, node);
    case "ThrowStatement":
      followExpression(flow, part(node, "argument"), ESCAPE);
      return followThrow(flow, node);
    case "BreakStatement":
    case "ContinueStatement":
      return followLoopJump(flow, node);
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
      return followExport(flow, node);
    case "ClassDeclaration":
      return followClass(flow, node);
    case "TSModuleDeclaration":
      return followNamespace(flow, node);
    case "TSExportAssignment":
      return followExpression(flow, part(node, "expression"), ESCAPE);
  }
}

function followReturned(flow: Flow, node: SyntaxNode): void {
  const argument = child(node, "argument");
  if (argument) followResult(flow, argument, flow.currentFunction);
  followReturn(flow, node);
}

/** A namespace is a block whose exported names are everybody's. */
function followNamespace(flow: Flow, node: SyntaxNode): void {
  const body = child(node, "body");
  if (body?.type === "TSModuleBlock") flow.deeper(node, () => followBlock(flow, body));
}

/** An exported name is everybody's: nothing is known of it afterwards. */
function followExport(flow: Flow, node: SyntaxNode): void {
  const declaration = child(node, "declaration");
  if (declaration) {
    const isStatement = /Declaration$/.test(declaration.type);
    if (isStatement) followStatement(flow, declaration);
    else followExpression(flow, declaration, ESCAPE);
    flow.exported.push(...exportedIds(declaration));
  }
  for (const specifier of children(node, "specifiers")) {
    const local = child(specifier, "local");
    if (local && !child(node, "source")) flow.exported.push(local);
  }
}

/** The names that a declaration declares; an anonymous function or class stands for itself. */
function exportedIds(declaration: SyntaxNode): readonly SyntaxNode[] {
  const declarators = children(declaration, "declarations");
  if (declarators.length > 0) {
    return declarators.flatMap((one) => boundIdentifiers(child(one, "id")));
  }
  const id = child(declaration, "id");
  if (id) return [id];
  return /^(?:Function|Class)Declaration$/.test(declaration.type) ? [declaration] : [];
}

/** What a module gives away is in others' hands when it ends. */
export function giveExports(flow: Flow): void {
  for (const node of flow.exported) {
    if (node.type === "Identifier") followExpression(flow, node, ESCAPE);
    else handOn(flow, flow.typeOf(node));
  }
}

/** A label on a statement that is no loop: only `break label` ends there. */
function followLabelled(flow: Flow, label: string, work: () => void): void {
  if (label === "") return work();
  const breakTo = flow.newBlock();
  flow.within({ kind: "target", label, breakTo, takesBareBreak: false }, work);
  flow.continueIn(breakTo);
}
