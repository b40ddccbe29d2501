import { bodyStart, hasAttribute, withParameters } from "../printf/entry_points.ts";
import type { FunctionDeclaration } from "../syntax/declarations.ts";
import { type Expression, partsOf } from "../syntax/expression.ts";
import {
  type Assignment,
  expressionsIn,
  type LoopStatement,
  type Statement,
} from "../syntax/statements.ts";
import { insertion, type WgslText } from "../syntax/wgsl_text.ts";
import { concreteType } from "../syntax/expression_type.ts";
import { namedType, typeText } from "../syntax/value_type.ts";
import { type AssertCall, assertCalls, rewriteAssert } from "./assert_calls.ts";
import { boundsGuard } from "./bounds_guard.ts";
import { CallGraph, CallWays } from "./call_graph.ts";
import { DebugRewrite } from "./debug_rewrite.ts";
import { StopRules } from "./stop_rules.ts";
import { tracedType, traceNote } from "./trace_note.ts";
import { isWatched, type Watch, watchAround, watchFunction } from "./value_watch.ts";

/** What is put into a shader. */
export interface InstrumentOptions {
  readonly isStopping: boolean;
  readonly bounds: boolean;
  readonly watch: ReadonlySet<Watch>;
  readonly trace: boolean;
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
  visitor.leaveOut(graph.functions.filter((one) => !functions.has(one)), inVertex, functions);
  return { rewrite: visitor.rewrite, graph, ways: visitor.ways, functions };
}

class FunctionVisitor {
  readonly rewrite: DebugRewrite;
  readonly ways: CallWays;
  readonly #graph: CallGraph;
  readonly #asserts: ReadonlyMap<number, AssertCall>;
  readonly #options: InstrumentOptions;
  readonly #stops: StopRules;
  #instrumented: ReadonlySet<string> = new Set();

  constructor(
    graph: CallGraph,
    asserts: ReadonlyMap<number, AssertCall>,
    options: InstrumentOptions,
  ) {
    this.rewrite = new DebugRewrite(graph.text);
    this.ways = new CallWays(graph);
    this.#graph = graph;
    this.#asserts = asserts;
    this.#options = options;
    const flag = `${this.rewrite.prefix}stopped`;
    this.#stops = new StopRules(graph, { asserts, flag, isStopping: options.isStopping });
  }

  /** Whether a function has records of its own. */
  records({ body }: FunctionDeclaration): boolean {
    const { trace, bounds, watch } = this.#options;
    if (trace || bounds || watch.size > 0) return true;
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
    if (this.#options.trace) this.#noteParameters(of, start);
    for (const one of body.statements) this.#statement(one, { of, isContinuing: false });
  }

  /**
   * Removes the asserts of functions that no stage reaches which can record, and lets vertex stages call
   * copies without records.
   */
  leaveOut(
    others: readonly FunctionDeclaration[],
    inVertex: ReadonlySet<FunctionDeclaration>,
    instrumented: ReadonlySet<FunctionDeclaration>,
  ): void {
    const { rewrite } = this;
    const copied = new Set([...inVertex].filter((one) => instrumented.has(one)));
    for (const one of others) rewrite.edits.push(...this.#plainEdits(one, copied));
    for (const one of copied) {
      const { whole, name } = one;
      const [start, end] = [whole.start, whole.end].map((at) => rewrite.text.tokens[at]?.index);
      const renamed = {
        index: name.index,
        end: name.index + name.text.length,
        text: this.#plain(name.text),
      };
      const all = rewrite.text.edited([renamed, ...this.#plainEdits(one, copied)]);
      const removed = all.length - rewrite.text.source.length;
      const written = all.slice(start, (end ?? rewrite.text.source.length) + removed);
      rewrite.helper(`plain ${name.text}`, () => written);
    }
  }

  #plain(name: string): string {
    return `${this.rewrite.prefix}plain_${name}`;
  }

  #plainEdits({ body }: FunctionDeclaration, copied: ReadonlySet<FunctionDeclaration>) {
    const { tokens } = this.#graph.text;
    const asserts = [...this.#asserts.values()]
      .filter(({ at }) => at >= body.start && at < body.end)
      .flatMap(({ at, end }) =>
        tokens.slice(at, end + 1).map(({ index, text }) => ({
          index,
          end: index + text.length,
          text: " ".repeat(text.length),
        }))
      );
    const isLeftOut = ({ at }: { readonly at: number }) =>
      [...this.#asserts.values()].some((one) => at > one.at && at < one.end);
    const calls = this.#graph.calls.filter((call) =>
      call.at >= body.start && call.at < body.end && copied.has(call.callee) && !isLeftOut(call)
    ).map(({ at }) => {
      const { index, text } = tokens[at]!;
      return { index, end: index + text.length, text: this.#plain(text) };
    });
    return [...asserts, ...calls];
  }

  #noteParameters(of: FunctionDeclaration, start: number): void {
    const { rewrite } = this;
    const { text } = rewrite;
    const at = text.tokens.indexOf(of.name);
    const enter = rewrite.site({ of, start: at, end: at + 1, verb: "enter" });
    let notes = traceNote(rewrite, enter, { text: "", type: undefined });
    for (const { name, type: range } of of.parameters) {
      const type = namedType(text, range);
      const token = text.tokens.indexOf(name);
      if (/^(?:ptr|texture|sampler)/.test(type.name)) continue;
      const site = rewrite.site({ of, start: token, end: token + 1, verb: "parameter" });
      notes += traceNote(rewrite, site, { text: name.text, type });
    }
    rewrite.edits.push(insertion(start, notes));
  }

  #statement(statement: Statement, inside: Inside): void {
    const { rewrite } = this;
    const call = statement.kind === "call" ? this.#asserts.get(statement.call.start) : undefined;
    if (call) return this.#assert(call, statement, inside);
    const isTraced = this.#options.trace;
    if (statement.kind === "return" && statement.value && isTraced) {
      this.#openReturn(statement, inside);
    }
    if (statement.kind !== "declare" || statement.keyword !== "const") {
      if (!this.#compound(statement, inside)) {
        for (const one of expressionsIn(statement)) {
          this.#expression(one, inside, isPlace(one, statement));
        }
      }
    }
    const check = inside.isContinuing ? "" : this.#stops.checkText(inside.of, statement);
    if (statement.kind === "loop") this.#loop(statement, inside, check);
    else this.#blocks(statement, inside, check);
    if (/^(?:return|break|continue|block)$/.test(statement.kind)) {
      if (statement.kind === "return" && statement.value && isTraced) {
        this.#closeReturn(statement, inside);
      }
      return;
    }
    const notes = isTraced ? this.#noteOf(statement, inside) : "";
    if (notes + check !== "") rewrite.behind(statement.end, notes + check);
  }

  #assert(call: AssertCall, statement: Statement, inside: Inside): void {
    const { rewrite } = this;
    const { start, end } = call.condition;
    const site = rewrite.site({ of: inside.of, start, end, verb: "assert" });
    const stop = this.#stops.stopText(inside.of, inside.isContinuing);
    rewriteAssert(rewrite, call, { site, stop });
    if (statement.kind !== "call") return;
    for (const one of statement.call.operands) {
      if (rewrite.text.tokens[one.start]!.kind !== "string") this.#expression(one, inside, false);
    }
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
        for (const one of expressionsIn(block)) this.#expression(one, inside, false);
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
    const notes = this.#options.trace && init ? this.#noteOf(init, inside) : "";
    this.#openBlock(body.start, check + notes);
    const heads = init ? [init] : [];
    const isHead = (one: Statement) => one.end <= body.start;
    for (const one of [...heads, ...continuing.filter(isHead)]) {
      if (one.kind === "declare" && one.keyword === "const") continue;
      if (this.#compound(one, inside)) continue;
      for (const part of expressionsIn(one)) this.#expression(part, inside, isPlace(part, one));
    }
    for (const one of body.statements) this.#statement(one, inside);
    for (const one of continuing.filter((one) => !isHead(one))) {
      this.#statement(one, { ...inside, isContinuing: true });
    }
  }

  /** The record of what a statement has changed; empty if it changes nothing. */
  #noteOf(statement: Statement, { of }: Inside): string {
    const { rewrite } = this;
    const { text } = rewrite;
    if (statement.kind === "declare") {
      if (statement.keyword === "const") return "";
      const { name, keyword, type: { start, end }, value } = statement;
      const type = end > start
        ? namedType(text, { start, end })
        : value && tracedType(rewrite, value);
      if (type?.name === "ptr") return "";
      const site = rewrite.site({ of, start: name, end: name + 1, verb: keyword });
      return traceNote(rewrite, site, {
        text: text.tokens[name]!.text,
        type: type && concreteType(type),
      });
    }
    const target = statement.kind === "assign" || statement.kind === "increment"
      ? statement.target
      : undefined;
    if (!target) return "";
    const site = rewrite.site({ of, start: target.start, end: target.end, verb: "set" });
    const isPlain = [...partsOf(target)].every(({ kind }) => kind !== "call");
    const type = isPlain ? tracedType(rewrite, target) : undefined;
    return traceNote(rewrite, site, { text: text.textOf(target).replaceAll(/\s+/g, " "), type });
  }

  #openReturn({ start }: Statement, { of }: Inside): void {
    const { rewrite } = this;
    const type = typeText(namedType(rewrite.text, of.result));
    rewrite.replace(start, `{ let ${rewrite.prefix}value: ${type} =`);
  }

  #closeReturn(statement: Statement & { readonly kind: "return" }, { of }: Inside): void {
    const { rewrite } = this;
    const { start, end } = statement.value!;
    const site = rewrite.site({ of, start, end, verb: "return" });
    const value = `${rewrite.prefix}value`;
    const note = traceNote(rewrite, site, {
      text: value,
      type: namedType(rewrite.text, of.result),
    });
    rewrite.behind(statement.end, `${note} return ${value}; }`);
  }

  /** Rewrites `place /= value` to an assignment of a watched value; returns whether it did. */
  #compound(statement: Statement, inside: Inside): boolean {
    const { rewrite } = this;
    const { watch } = this.#options;
    if (watch.size === 0 || statement.kind !== "assign" || !statement.target) return false;
    const { target, operator, value } = statement as Assignment & { readonly target: Expression };
    const name = operator.slice(0, -1);
    if (!/^[-+*/%]$/.test(name) || [...partsOf(target)].some(({ kind }) => kind === "call")) {
      return false;
    }
    const operands = [target, value];
    const helper = watchFunction(rewrite, { operands, name }, watch);
    if (!helper) return false;
    const site = rewrite.site({
      of: inside.of,
      start: statement.start,
      end: value.end,
      verb: "watch",
    });
    const place = rewrite.text.textOf(target).replaceAll(/\s+/g, " ");
    const { open, close } = watchAround(rewrite, helper, site);
    this.#expression(target, inside, true);
    rewrite.replace(target.end, `= ${open}${place},`);
    this.#expression(value, inside, false);
    rewrite.behind(value.end, close);
    return true;
  }

  /** Rewrites an expression; one that is a place in memory is not a value that can be watched. */
  #expression(expression: Expression, inside: Inside, isTarget: boolean): void {
    const { rewrite } = this;
    const { kind, text, operands, start, end } = expression;
    const { of } = inside;
    const watched = !isTarget && this.#options.watch.size > 0 && isWatched(expression)
      ? watchFunction(rewrite, { operands, name: text }, this.#options.watch)
      : undefined;
    if (watched) {
      const site = rewrite.site({ of, start, end, verb: "watch" });
      const { open, close } = watchAround(rewrite, watched, site);
      if (kind === "call") {
        rewrite.replace(start, watched);
        for (const one of operands) this.#expression(one, inside, false);
        rewrite.before(end - 1, close.slice(0, -1));
        return;
      }
      rewrite.before(start, open);
      this.#expression(operands[0]!, inside, false);
      rewrite.replace(operands[0]!.end, ",");
      this.#expression(operands[1]!, inside, false);
      rewrite.behind(end, close);
      return;
    }
    if (kind === "index") return this.#index(expression, inside, isTarget);
    const isPlace = (kind === "unary" && text === "&") ||
      (isTarget && /^(?:member|group)$/.test(kind));
    for (const one of operands) {
      if (rewrite.text.tokens[one.start]!.kind !== "string") this.#expression(one, inside, isPlace);
    }
    if (kind === "call" && this.#instrumented.has(text)) this.#passWay(expression);
  }

  #index(access: Expression, inside: Inside, isTarget: boolean): void {
    const { rewrite } = this;
    const { operands: [base, index], start, end } = access;
    const { of } = inside;
    this.#expression(base!, inside, isTarget);
    const around = this.#options.bounds && boundsGuard(rewrite, rewrite.sites.length, access);
    if (around) {
      rewrite.site({ of, start, end, verb: "bounds" });
      rewrite.before(index!.start, around.open);
    }
    this.#expression(index!, inside, false);
    if (around) rewrite.behind(index!.end, around.close);
  }

  /** Hands on the way of calls, which this call adds to. */
  #passWay({ operands, start, end }: Expression): void {
    const { rewrite, ways } = this;
    const { tokens } = rewrite.text;
    const offset = ways.offsetOf(start);
    const way = offset === 0 ? rewrite.way : `${rewrite.way} + ${offset}u`;
    const isFirst = operands.length === 0 || tokens[end - 2]!.text === ",";
    rewrite.before(end - 1, isFirst ? way : `, ${way}`);
  }
}

/** Whether an expression of a statement is the place that it changes. */
function isPlace(expression: Expression, statement: Statement): boolean {
  return (statement.kind === "assign" || statement.kind === "increment") &&
    statement.target === expression;
}
