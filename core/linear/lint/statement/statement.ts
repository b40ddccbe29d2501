import { followDeclarations } from "../expression/assignment.ts";
import { followBlock, followClass, followFunction, followResult, handOn } from "./function.ts";
import { callProcedure, DROP, ESCAPE, type Flow, type Frame, LOOK } from "../flow/flow.ts";
import {
  followFor,
  followForEach,
  followLoopJump,
  followReturn,
  followRounds,
  followThrow,
} from "./jump.ts";
import * as s from "../syntax/syntax.ts";
import { checkOf, equalityCheck, followCondition, tell } from "../expression/condition.ts";
import type { Block, Procedure } from "../flow/graph.ts";
import { coversAll } from "../types/oracle.ts";

/** Follows the statements of a scope that is already entered. */
export function followStatements(flow: Flow, statements: readonly s.SyntaxNode[]): void {
  for (const statement of statements) {
    const node = s.declarationIn(statement);
    if (node.type !== "FunctionDeclaration") continue;
    followFunction(flow, flow.scope.functionAt(node));
  }
  for (const statement of statements) followStatement(flow, statement);
}

/**
 * Adds a statement to the graph; `label` is the label in front of it. An empty statement is not in
 * the tree.
 */
export function followStatement(flow: Flow, node: s.SyntaxNode | undefined, label = ""): void {
  if (!node) return;
  if (!COMPOUND.has(node.type)) return followSimple(flow, node);
  flow.deeper(node, () => followCompound(flow, node, label));
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

function followCompound(flow: Flow, node: s.SyntaxNode, label: string): void {
  switch (node.type) {
    case "BlockStatement":
      return followLabelled(flow, label, () => followBlock(flow, node));
    case "IfStatement":
      return followLabelled(flow, label, () => followIf(flow, node));
    case "SwitchStatement":
      return followSwitch(flow, node, label);
    case "WhileStatement":
    case "DoWhileStatement":
      return followRounds(flow, node, label);
    case "ForStatement":
      return followFor(flow, node, label);
    case "ForOfStatement":
    case "ForInStatement":
      return followForEach(flow, node, label);
    case "TryStatement":
      return followLabelled(flow, label, () => followTry(flow, node));
    case "LabeledStatement":
      return followStatement(flow, s.child(node, "body"), s.word(s.part(node, "label"), "name"));
  }
}

function followSimple(flow: Flow, node: s.SyntaxNode): void {
  switch (node.type) {
    case "ExpressionStatement":
      return flow.follow(s.part(node, "expression"), DROP);
    case "VariableDeclaration":
      return followDeclarations(flow, node);
    case "ReturnStatement":
      return followReturned(flow, node);
    case "ThrowStatement":
      flow.follow(s.part(node, "argument"), ESCAPE);
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
      return flow.follow(s.part(node, "expression"), ESCAPE);
  }
}

function followReturned(flow: Flow, node: s.SyntaxNode): void {
  const argument = s.child(node, "argument");
  if (argument && isOverruled(flow.frames)) flow.follow(argument, DROP);
  else if (argument) followResult(flow, argument, flow.currentFunction);
  followReturn(flow, node);
}

/** Whether a `finally` around a `return` leaves in another way, so that its value is lost. */
function isOverruled(frames: readonly Frame[]): boolean {
  return frames.some((one) =>
    one.kind === "finally" &&
    s.children(one.finalizer.node, "body").some(({ type }) => type === "ReturnStatement")
  );
}

/** A namespace is a block whose exported names are everybody's. */
function followNamespace(flow: Flow, node: s.SyntaxNode): void {
  const body = s.child(node, "body");
  if (body?.type === "TSModuleBlock") flow.deeper(node, () => followBlock(flow, body));
}

/** An exported name is everybody's: nothing is known of it afterwards. */
function followExport(flow: Flow, node: s.SyntaxNode): void {
  const declaration = s.child(node, "declaration");
  if (declaration) {
    const isStatement = /Declaration$/.test(declaration.type);
    if (isStatement) followStatement(flow, declaration);
    else flow.follow(declaration, ESCAPE);
    flow.exported.push(...exportedIds(declaration));
  }
  for (const specifier of s.children(node, "specifiers")) {
    const local = s.child(specifier, "local");
    if (local && !s.child(node, "source")) flow.exported.push(local);
  }
}

/** The names that a declaration declares; an anonymous function or class stands for itself. */
function exportedIds(declaration: s.SyntaxNode): readonly s.SyntaxNode[] {
  const declarators = s.children(declaration, "declarations");
  if (declarators.length > 0) {
    return declarators.flatMap((one) => s.boundIdentifiers(s.child(one, "id")));
  }
  const id = s.child(declaration, "id");
  if (id) return [id];
  return /^(?:Function|Class)Declaration$/.test(declaration.type) ? [declaration] : [];
}

/** What a module gives away is in others' hands when it ends. */
export function giveExports(flow: Flow): void {
  for (const node of flow.exported) {
    if (node.type === "Identifier") flow.follow(node, ESCAPE);
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

/** `if`, with what the condition tells in each branch; `else if` goes on without nesting. */
function followIf(flow: Flow, node: s.SyntaxNode): void {
  const after = flow.newBlock();
  let current: s.SyntaxNode | undefined = node;
  while (current?.type === "IfStatement") {
    const yes = flow.newBlock();
    const no = flow.newBlock();
    followCondition(flow, s.part(current, "test"), { yes, no });
    flow.block = yes;
    followStatement(flow, s.child(current, "consequent"));
    flow.block.next.push(after);
    flow.block = no;
    current = s.child(current, "alternate");
  }
  followStatement(flow, current);
  flow.continueIn(after);
}

/** `switch`, with cases that fall through. */
function followSwitch(flow: Flow, node: s.SyntaxNode, label: string): void {
  const subject = s.part(node, "discriminant");
  const cases = s.children(node, "cases");
  const breakTo = flow.newBlock();
  const noMatch = flow.newBlock();
  const bodies = cases.map(() => flow.newBlock());
  const isWhole = coversAll(node, flow.types);
  if (!checkOf(flow, subject)) flow.follow(subject, LOOK);
  followTests(flow, { subject, cases, bodies, noMatch, isWhole });
  const target = { kind: "target", label, breakTo, takesBareBreak: true } as const;
  flow.within(target, () => {
    flow.stop();
    const scope = flow.types.statementScope(node, flow.scope);
    flow.withScope(scope, () => followCases(flow, cases, bodies), node);
  });
  flow.block.next.push(breakTo);
  if (isWhole) return void (flow.block = breakTo);
  flow.block = noMatch;
  flow.continueIn(breakTo);
}

interface Tests {
  readonly subject: s.SyntaxNode;
  readonly cases: readonly s.SyntaxNode[];
  readonly bodies: readonly Block[];
  readonly noMatch: Block;
  readonly isWhole: boolean;
}

/** The tests run in order, whatever the place of `default`. */
function followTests(flow: Flow, tests: Tests): void {
  const { cases, bodies } = tests;
  let otherwise = tests.noMatch;
  for (const [index, one] of cases.entries()) {
    const test = s.child(one, "test");
    if (test) followCase(flow, { ...tests, test, body: bodies[index]! });
    else if (!tests.isWhole) otherwise = bodies[index]!;
  }
  flow.block.next.push(otherwise);
}

function followCase(
  flow: Flow,
  { subject, test, body }: Tests & { readonly test: s.SyntaxNode; readonly body: Block },
): void {
  const no = flow.newBlock();
  const check = equalityCheck(flow, subject, test);
  if (check) tell(flow, check, { yes: body, no });
  else if (s.literal(subject) === true) followCondition(flow, test, { yes: body, no });
  else {
    flow.follow(test, LOOK);
    flow.block.next.push(body, no);
  }
  flow.block = no;
}

function followCases(
  flow: Flow,
  cases: readonly s.SyntaxNode[],
  bodies: readonly Block[],
): void {
  for (const [index, one] of cases.entries()) {
    flow.continueIn(bodies[index]!);
    for (const statement of s.children(one, "consequent")) followStatement(flow, statement);
  }
}

/** `try`, in each of its forms. */
function followTry(flow: Flow, node: s.SyntaxNode): void {
  const block = s.child(node, "finalizer");
  if (!block) return followCaught(flow, node);
  const finalizer = finalizerProcedure(flow, block);
  const entry = flow.newBlock();
  flow.within({ kind: "finally", entry, finalizer }, () => followCaught(flow, node));
  callProcedure(flow, finalizer);
  const after = flow.block;
  flow.block = entry;
  callProcedure(flow, finalizer);
  flow.block.next.push(flow.handler());
  flow.block = after;
}

/** A `finally` as a procedure: it runs on each way out of its `try`, and then the way goes on. */
function finalizerProcedure(flow: Flow, block: s.SyntaxNode): Procedure {
  const finalizer = flow.newProcedure(block);
  const { frames, scope, procedure } = flow;
  flow.inProcedure(finalizer, scope, () => {
    flow.within({ kind: "outside", frames: [...frames], scope, procedure }, () => {
      followBlock(flow, block);
    });
    flow.block.next.push(finalizer.exit);
  });
  return finalizer;
}

function followCaught(flow: Flow, node: s.SyntaxNode): void {
  const handler = s.child(node, "handler");
  const block = s.part(node, "block");
  if (!handler) return followBlock(flow, block);
  const entry = flow.newBlock();
  flow.within({ kind: "catch", entry }, () => followBlock(flow, block));
  const after = flow.newBlock();
  flow.block.next.push(after);
  flow.block = entry;
  followHandler(flow, handler);
  flow.continueIn(after);
}

function followHandler(flow: Flow, handler: s.SyntaxNode): void {
  const scope = flow.types.statementScope(handler, flow.scope);
  flow.withScope(scope, () => followStatements(flow, s.bodyOf(handler)), handler);
}
