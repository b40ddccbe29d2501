import { bodyStart, hasAttribute, withParameters } from "../../print/entry_points.ts";
import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { type Expression, partsOf } from "../../syntax/expression.ts";
import { typeOfPart } from "../../syntax/expression_type.ts";
import { expressionsIn, type LoopStatement, type Statement } from "../../syntax/statements.ts";
import { insertion, type WgslText } from "../../syntax/wgsl_text.ts";
import { type AssertCall, assertCalls, rewriteAssert } from "./assert_calls.ts";
import { CallGraph, CallWays } from "./call_graph.ts";
import { DebugRewrite } from "./debug_rewrite.ts";
import { PlainCopies } from "./plain_copies.ts";
import { StopRules } from "./stop_rules.ts";

/** What is put into a shader. */
export interface InstrumentOptions {
  readonly isStopping: boolean;
}

/** A shader whose functions record what happens in them. */
export interface InstrumentedText {
  readonly rewrite: DebugRewrite;
  readonly graph: CallGraph;
  readonly ways: CallWays;
  /** The functions that have the parameter of the way of calls. */
  readonly functions: ReadonlySet<FunctionDeclaration>;
}

/** A function that is being rewritten. */
interface Inside {
  readonly of: FunctionDeclaration;
  /** Whether it is in `continuing`, out of which nothing returns. */
  readonly isContinuing: boolean;
}

const ENTRY = ["compute", "fragment", "vertex"] as const;

/**
 * Puts records into all functions that compute and fragment stages reach.
 *
 * @throws {PrintfError} at the first invalid `assert`
 */
export function instrumentFunctions(text: WgslText, options: InstrumentOptions): InstrumentedText {
  const asserts = assertCalls(text);
  const graph = new CallGraph(text);
  const entries = graph.functions.filter((one) => ENTRY.some((stage) => hasAttribute(one, stage)));
  const inVertex = graph.calledBy(entries.filter((one) => hasAttribute(one, "vertex")));
  const running = graph.calledBy(entries.filter((one) => !hasAttribute(one, "vertex")));
  const visitor = new FunctionVisitor(graph, asserts, options);
  const recording = graph.functions.filter((one) => running.has(one) && visitor.records(one));
  const functions = new Set([...graph.callersOf(recording)].filter((one) => running.has(one)));
  for (const one of functions) visitor.visit(one, functions);
  new PlainCopies(visitor.rewrite, graph, asserts.values()).write({
    others: graph.functions.filter((one) => !functions.has(one)),
    shared: functions.intersection(inVertex),
  });
  return { rewrite: visitor.rewrite, graph, ways: visitor.ways, functions };
}

class FunctionVisitor {
  readonly rewrite: DebugRewrite;
  readonly ways: CallWays;
  readonly #graph: CallGraph;
  readonly #asserts: ReadonlyMap<number, AssertCall>;
  readonly #stops: StopRules;
  #instrumented: ReadonlySet<string> = new Set();

  constructor(
    graph: CallGraph,
    asserts: ReadonlyMap<number, AssertCall>,
    { isStopping }: InstrumentOptions,
  ) {
    this.rewrite = new DebugRewrite(graph.text);
    this.ways = new CallWays(graph);
    this.#graph = graph;
    this.#asserts = asserts;
    const flag = `${this.rewrite.prefix}stopped`;
    this.#stops = new StopRules(graph, { asserts, flag, isStopping });
  }

  /** Whether a function has records of its own. */
  records({ body }: FunctionDeclaration): boolean {
    return [...this.#asserts.keys()].some((at) => at >= body.start && at < body.end);
  }

  visit(of: FunctionDeclaration, instrumented: ReadonlySet<FunctionDeclaration>): void {
    this.#instrumented = new Set([...instrumented].map(({ name }) => name.text));
    const { rewrite } = this;
    const isEntry = ENTRY.some((stage) => hasAttribute(of, stage));
    const start = bodyStart({ text: rewrite.text }, of);
    if (isEntry) rewrite.edits.push(insertion(start, ` let ${rewrite.way} = 0u;`));
    else {
      rewrite.edits.push(
        withParameters({ text: rewrite.text }, of, `${rewrite.way}: u32`),
        insertion(start, this.#stops.enterText(of)),
      );
    }
    const body = this.#graph.bodyOf(of);
    if (!body) return;
    for (const one of body.statements) this.#statement(one, { of, isContinuing: false });
  }

  #statement(statement: Statement, inside: Inside): void {
    const { rewrite } = this;
    const call = statement.kind === "call" ? this.#asserts.get(statement.call.start) : undefined;
    if (call) return this.#assert(call, statement, inside);
    const isKept = this.#openAssignment(statement, inside);
    for (const one of expressionsIn(statement)) this.#passWays(one);
    if (isKept) this.#closeAssignment(statement);
    const check = inside.isContinuing ? "" : this.#stops.checkText(inside.of, statement);
    if (statement.kind === "loop") this.#loop(statement, inside, check);
    else this.#blocks(statement, inside, check);
    if (/^(?:return|break|continue|block)$/.test(statement.kind)) return;
    if (check !== "") rewrite.behind(statement.end, check);
  }

  /** Lets an assignment keep what was there if the invocation stops in its value. */
  #openAssignment(statement: Statement, { of }: Inside): boolean {
    if (statement.kind !== "assign" || !statement.target) return false;
    const { target, value, operator } = statement;
    const { rewrite } = this;
    const { text } = rewrite;
    const isPlain = [...partsOf(target)].every(({ kind }) => kind !== "call");
    if (!isPlain || !this.#stops.mayStopIn(of, value)) return false;
    // Only scalars and vectors can be selected.
    const { name } = typeOfPart(text, target) ?? { name: "" };
    if (!/^(?:bool|[iuf]32|f16|vec[2-4])$/.test(name)) return false;
    const place = rewrite.writtenOf(target);
    if (operator === "=") rewrite.before(value.start, "select(");
    else {
      const count = operator.startsWith(">") ? operator.length : 1;
      rewrite.replace(target.end, `= select(${place} ${operator.slice(0, -1)} (`);
      for (let at = 1; at < count; at++) rewrite.replace(target.end + at, "");
    }
    return true;
  }

  #closeAssignment(statement: Statement): void {
    const { rewrite } = this;
    if (statement.kind !== "assign" || !statement.target) return;
    const { target, value, operator } = statement;
    const end = operator === "=" ? "" : ")";
    rewrite.behind(value.end, `${end}, ${rewrite.writtenOf(target)}, ${rewrite.prefix}stopped)`);
  }

  #assert(call: AssertCall, statement: Statement, inside: Inside): void {
    const { rewrite } = this;
    const { start, end } = call.condition;
    const site = rewrite.site({ of: inside.of, start, end });
    const stop = this.#stops.stopText(inside.of, inside.isContinuing);
    rewriteAssert(rewrite, call, { site, stop });
    if (statement.kind !== "call") return;
    for (const one of statement.call.operands) this.#passWays(one);
    const check = inside.isContinuing ? "" : this.#stops.checkText(inside.of, statement);
    if (check !== "") rewrite.behind(statement.end, check);
  }

  /** Rewrites the statements in a statement; `check` begins each of their blocks. */
  #blocks(statement: Statement, inside: Inside, check: string): void {
    const blocks = statement.kind === "if"
      ? [statement.then, ...statement.otherwise ? [statement.otherwise] : []]
      : statement.kind === "switch"
      ? statement.clauses.map(({ body }) => body)
      : [];
    if (statement.kind === "block") {
      for (const one of statement.statements) this.#statement(one, inside);
    }
    for (const block of blocks) {
      if (block.kind === "if") {
        // It has no place behind it, as the whole chain has one.
        for (const one of expressionsIn(block)) this.#passWays(one);
        const own = inside.isContinuing ? "" : this.#stops.checkText(inside.of, block);
        this.#blocks(block, inside, check === "" ? own : check);
        continue;
      }
      this.#openBlock(block.start, check);
      for (const one of block.statements) this.#statement(one, inside);
    }
  }

  #openBlock(start: number, text: string): void {
    const { tokens } = this.rewrite.text;
    let brace = start;
    while (tokens[brace]!.text !== "{") brace++;
    if (text !== "") this.rewrite.behind(brace + 1, text);
  }

  #loop(loop: LoopStatement, inside: Inside, check: string): void {
    const { init, body, continuing } = loop;
    this.#openBlock(body.start, check);
    const heads = init ? [init] : [];
    const isHead = (one: Statement) => one.end <= body.start;
    for (const one of [...heads, ...continuing.filter(isHead)]) {
      for (const value of expressionsIn(one)) this.#passWays(value);
    }
    for (const one of body.statements) this.#statement(one, inside);
    for (const one of continuing.filter((one) => !isHead(one))) {
      this.#statement(one, { ...inside, isContinuing: true });
    }
  }
  /** Hands on the way of calls, which each call adds to. */
  #passWays(expression: Expression): void {
    const { rewrite, ways } = this;
    for (const { kind, text, operands, start, end } of partsOf(expression)) {
      if (kind !== "call" || !this.#instrumented.has(text)) continue;
      const offset = ways.offsetOf(start);
      const way = offset === 0 ? rewrite.way : `${rewrite.way} + ${offset}u`;
      const isFirst = operands.length === 0 || rewrite.text.tokens[end - 2]!.text === ",";
      rewrite.before(end - 1, isFirst ? way : `, ${way}`);
    }
  }
}
