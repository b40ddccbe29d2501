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
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { checkOf, equalityCheck, followCondition, tell } from "../expression/condition.ts";
import type { Block, Procedure } from "../flow/graph.ts";
import { coversAll } from "../types/oracle.ts";

/** Follows the statements of a scope that is already entered. */
export function followStatements(flow: Flow, statements: readonly ts.Node[]): void {
  for (const one of statements) {
    if (!ts.isFunctionDeclaration(one) || !s.isFunction(one)) continue;
    followFunction(flow, flow.types.functionAt(one));
  }
  for (const statement of statements) followStatement(flow, statement);
}

/** Adds a statement to the graph; `label` is the label in front of it. */
export function followStatement(flow: Flow, node: ts.Node | undefined, label = ""): void {
  if (node) flow.deeper(node, () => followOne(flow, node, label));
}

function followOne(flow: Flow, node: ts.Node, label: string): void {
  if (ts.isBlock(node)) return followLabelled(flow, label, () => followBlock(flow, node));
  if (ts.isIfStatement(node)) return followLabelled(flow, label, () => followIf(flow, node));
  if (ts.isSwitchStatement(node)) return followSwitch(flow, node, label);
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return followRounds(flow, node, label);
  if (ts.isForStatement(node)) return followFor(flow, node, label);
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) {
    return followForEach(flow, node, label);
  }
  if (ts.isTryStatement(node)) return followLabelled(flow, label, () => followTry(flow, node));
  if (ts.isLabeledStatement(node)) {
    return followStatement(flow, node.statement, node.label.text);
  }
  followSimple(flow, node);
}

function followSimple(flow: Flow, node: ts.Node): void {
  if (ts.isExpressionStatement(node)) return flow.follow(node.expression, DROP);
  if (ts.isReturnStatement(node)) return followReturned(flow, node);
  if (ts.isThrowStatement(node)) {
    flow.follow(node.expression, ESCAPE);
    return followThrow(flow, node);
  }
  if (ts.isBreakOrContinueStatement(node)) return followLoopJump(flow, node);
  if (ts.isVariableStatement(node)) followDeclarations(flow, node.declarationList);
  if (ts.isClassDeclaration(node)) followClass(flow, node);
  if (ts.isModuleDeclaration(node)) followNamespace(flow, node);
  if (ts.isExportAssignment(node)) flow.follow(node.expression, ESCAPE);
}

function followReturned(flow: Flow, node: ts.ReturnStatement): void {
  const { expression } = node;
  if (expression && isOverruled(flow.frames)) flow.follow(expression, DROP);
  else if (expression) followResult(flow, expression, flow.currentFunction);
  followReturn(flow, node);
}

/** Whether a `finally` around a `return` leaves in another way, so that its value is lost. */
function isOverruled(frames: readonly Frame[]): boolean {
  return frames.some((one) => {
    const block = one.kind === "finally" && one.finalizer.node;
    return block && ts.isBlock(block) && block.statements.some(ts.isReturnStatement);
  });
}

/** A namespace is a block whose exported names are everybody's. */
function followNamespace(flow: Flow, node: ts.ModuleDeclaration): void {
  const { body } = node;
  if (body && ts.isModuleBlock(body)) followBlock(flow, body);
}

/** What a module, or a namespace in it, gives away is in others' hands when the module ends. */
export function giveExports(flow: Flow, module?: ts.Symbol): void {
  const { checker, source } = flow.types.file;
  const exporter = module ?? checker.getSymbolAtLocation(source);
  for (const one of exporter ? checker.getExportsOfModule(exporter) : []) {
    const symbol = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one;
    const declared = symbol.valueDeclaration;
    if (declared?.getSourceFile() !== source || ts.isExportAssignment(declared)) continue;
    if (symbol.flags & ts.SymbolFlags.ValueModule) giveExports(flow, symbol);
    const name = ts.getNameOfDeclaration(declared);
    if (name && ts.isIdentifier(name)) flow.follow(name, ESCAPE);
    else handOn(flow, flow.typeOf(declared));
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
function followIf(flow: Flow, node: ts.IfStatement): void {
  const after = flow.newBlock();
  let current: ts.Statement | undefined = node;
  while (current && ts.isIfStatement(current)) {
    const yes = flow.newBlock();
    const no = flow.newBlock();
    followCondition(flow, current.expression, { yes, no });
    flow.block = yes;
    followStatement(flow, current.thenStatement);
    flow.block.next.push(after);
    flow.block = no;
    current = current.elseStatement;
  }
  followStatement(flow, current);
  flow.continueIn(after);
}

/** `switch`, with cases that fall through. */
function followSwitch(flow: Flow, node: ts.SwitchStatement, label: string): void {
  const { expression: subject, caseBlock } = node;
  const breakTo = flow.newBlock();
  const noMatch = flow.newBlock();
  const bodies = caseBlock.clauses.map(() => flow.newBlock());
  const isWhole = coversAll(node, flow.types);
  if (!checkOf(flow, subject)) flow.follow(subject, LOOK);
  followTests(flow, { node, bodies, noMatch, isWhole });
  const target = { kind: "target", label, breakTo, takesBareBreak: true } as const;
  flow.within(target, () => {
    flow.stop();
    flow.withNames(caseBlock, () => {
      for (const [index, one] of caseBlock.clauses.entries()) {
        flow.continueIn(bodies[index]!);
        for (const statement of one.statements) followStatement(flow, statement);
      }
    });
  });
  flow.block.next.push(breakTo);
  if (isWhole) return void (flow.block = breakTo);
  flow.block = noMatch;
  flow.continueIn(breakTo);
}

interface Tests {
  readonly node: ts.SwitchStatement;
  readonly bodies: readonly Block[];
  readonly noMatch: Block;
  readonly isWhole: boolean;
}

/** The tests run in order, whatever the place of `default`. */
function followTests(flow: Flow, { node, bodies, noMatch, isWhole }: Tests): void {
  let otherwise = noMatch;
  for (const [index, one] of node.caseBlock.clauses.entries()) {
    const body = bodies[index]!;
    if (ts.isCaseClause(one)) followCase(flow, one, { subject: node.expression, body });
    else if (!isWhole) otherwise = body;
  }
  flow.block.next.push(otherwise);
}

function followCase(
  flow: Flow,
  { expression: test }: ts.CaseClause,
  { subject, body }: { readonly subject: ts.Expression; readonly body: Block },
): void {
  const no = flow.newBlock();
  const check = equalityCheck(flow, subject, test);
  if (check) tell(flow, check, { yes: body, no });
  else if (subject.kind === ts.SyntaxKind.TrueKeyword) {
    followCondition(flow, test, { yes: body, no });
  } else {
    flow.follow(test, LOOK);
    flow.block.next.push(body, no);
  }
  flow.block = no;
}

/** `try`, in each of its forms. */
function followTry(flow: Flow, node: ts.TryStatement): void {
  const { finallyBlock } = node;
  if (!finallyBlock) return followCaught(flow, node);
  const finalizer = finalizerProcedure(flow, finallyBlock);
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
function finalizerProcedure(flow: Flow, block: ts.Block): Procedure {
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

function followCaught(flow: Flow, { tryBlock, catchClause }: ts.TryStatement): void {
  if (!catchClause) return followBlock(flow, tryBlock);
  const entry = flow.newBlock();
  flow.within({ kind: "catch", entry }, () => followBlock(flow, tryBlock));
  const after = flow.newBlock();
  flow.block.next.push(after);
  flow.block = entry;
  flow.withNames(catchClause, () => followStatements(flow, catchClause.block.statements));
  flow.continueIn(after);
}
