import { followDeclarations } from "../expression/assignment.ts";
import { followClass } from "../expression/class.ts";
import { followExpression } from "../expression/expression.ts";
import { DROP, ESCAPE, type Flow } from "../flow/flow.ts";
import { followFunction } from "../expression/function.ts";
import { followIf, followSwitch } from "./branching.ts";
import { followLoopJump, followReturn, followThrow } from "./jump.ts";
import { followFor, followForEach, followWhile } from "./loop.ts";
import { Block } from "../flow/graph.ts";
import { Scope } from "../syntax/scope.ts";
import { child, children, part, type SyntaxNode, word } from "../syntax/syntax.ts";
import { followTry } from "./try.ts";

/** Follows a block in a scope of its own. */
export function followBlock(flow: Flow, block: SyntaxNode): void {
  const scope = new Scope(flow.scope, flow.scope.depth);
  flow.withScope(scope, () => followStatements(flow, children(block, "body")), block);
}

/** Follows the statements of a scope that is already entered. */
export function followStatements(flow: Flow, statements: readonly SyntaxNode[]): void {
  flow.scope.hoist(statements);
  for (const { declaredAs, localFunction } of flow.scope.bindings.values()) {
    if (declaredAs === "function" && localFunction) followFunction(flow, localFunction);
  }
  for (const statement of statements) followStatement(flow, statement);
}

/**
 * Adds a statement to the graph; `label` is the label in front of it. An empty statement is not in
 * the tree.
 */
export function followStatement(flow: Flow, node: SyntaxNode | undefined, label = ""): void {
  if (!node) return;
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
    default:
      return followSimple(flow, node);
  }
}

function followSimple(flow: Flow, node: SyntaxNode): void {
  switch (node.type) {
    case "ExpressionStatement":
      return void followExpression(flow, part(node, "expression"), DROP);
    case "VariableDeclaration":
      return followDeclarations(flow, node);
    case "ReturnStatement":
    case "ThrowStatement":
      return followExit(flow, node);
    case "BreakStatement":
    case "ContinueStatement":
      return followLoopJump(flow, node);
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
      return followExport(flow, node);
    case "ClassDeclaration":
      return followClass(flow, node);
    case "TSExportAssignment":
      return void followExpression(flow, part(node, "expression"), ESCAPE);
  }
}

function followExit(flow: Flow, node: SyntaxNode): void {
  const argument = child(node, "argument");
  const isReturn = node.type === "ReturnStatement";
  if (argument) {
    followExpression(flow, argument, isReturn ? { act: "move", by: "return" } : ESCAPE);
  }
  return isReturn ? followReturn(flow, node) : followThrow(flow, node);
}

/** An exported name is everybody's: nothing is known of it afterwards. */
function followExport(flow: Flow, node: SyntaxNode): void {
  const declaration = child(node, "declaration");
  if (declaration) {
    const isStatement = /Declaration$/.test(declaration.type);
    if (isStatement) followStatement(flow, declaration);
    else followExpression(flow, declaration, ESCAPE);
    for (const declarator of children(declaration, "declarations")) {
      escapeNamed(flow, child(declarator, "id"));
    }
  }
  for (const specifier of children(node, "specifiers")) {
    escapeNamed(flow, child(specifier, "local"));
  }
}

function escapeNamed(flow: Flow, id: SyntaxNode | undefined): void {
  if (id?.type === "Identifier") followExpression(flow, id, ESCAPE);
}

/** A label on a statement that is no loop: only `break label` ends there. */
function followLabelled(flow: Flow, label: string, work: () => void): void {
  if (label === "") return work();
  const breakTo = new Block();
  flow.within({ kind: "target", label, breakTo, takesBareBreak: false }, work);
  flow.continueIn(breakTo);
}
