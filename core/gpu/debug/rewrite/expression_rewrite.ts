import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { type Expression, partsOf } from "../../syntax/expression.ts";
import { type Assignment, expressionsIn, type Statement } from "../../syntax/statements.ts";
import { boundsGuard } from "./bounds_guard.ts";
import type { CallWays } from "./call_graph.ts";
import type { DebugRewrite } from "./debug_rewrite.ts";
import { isWatched, type Watch, watchAround, watchFunction } from "./value_watch.ts";

/** What is put into expressions. */
export interface ExpressionOptions {
  readonly ways: CallWays;
  readonly bounds: boolean;
  readonly watch: ReadonlySet<Watch>;
  /** Whether a function has the parameter of the way of calls. */
  readonly isInstrumented: (name: string) => boolean;
}

/** Guards and watches expressions, and hands on the way of calls. */
export class ExpressionRewrite {
  readonly #rewrite: DebugRewrite;
  readonly #ways: CallWays;
  readonly #options: ExpressionOptions;

  /** Begins without edits. */
  constructor(rewrite: DebugRewrite, options: ExpressionOptions) {
    this.#rewrite = rewrite;
    this.#ways = options.ways;
    this.#options = options;
  }

  /** Rewrites the expressions of a statement, without those of nested ones. */
  statement(statement: Statement, of: FunctionDeclaration): void {
    // What a constant is made of has to stay constant.
    if (statement.kind === "declare" && statement.keyword === "const") return;
    if (this.#compound(statement, of)) return;
    for (const one of expressionsIn(statement)) this.expression(one, of, isPlace(one, statement));
  }

  /** Rewrites `place /= value` to an assignment of a watched value; returns whether it did. */
  #compound(statement: Statement, of: FunctionDeclaration): boolean {
    const rewrite = this.#rewrite;
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
      of,
      start: statement.start,
      end: value.end,
      verb: "watch",
    });
    const place = rewrite.writtenOf(target);
    const { open, close } = watchAround(rewrite, helper, site);
    this.expression(target, of, true);
    rewrite.replace(target.end, `= ${open}${place},`);
    this.expression(value, of, false);
    rewrite.behind(value.end, close);
    return true;
  }

  /** Rewrites an expression; one that is a place in memory is not a value that can be watched. */
  expression(expression: Expression, of: FunctionDeclaration, isTarget: boolean): void {
    const rewrite = this.#rewrite;
    const { kind, text, operands, start, end } = expression;
    const watched = !isTarget && this.#options.watch.size > 0 && isWatched(expression)
      ? watchFunction(rewrite, { operands, name: text }, this.#options.watch)
      : undefined;
    if (watched) {
      const site = rewrite.site({ of, start, end, verb: "watch" });
      const { open, close } = watchAround(rewrite, watched, site);
      if (kind === "call") {
        rewrite.replace(start, watched);
        for (const one of operands) this.expression(one, of, false);
        const isClosed = rewrite.text.tokens[end - 2]!.text === ",";
        rewrite.before(end - 1, close.slice(isClosed ? 1 : 0, -1));
        return;
      }
      rewrite.before(start, open);
      this.expression(operands[0]!, of, false);
      rewrite.replace(operands[0]!.end, ",");
      this.expression(operands[1]!, of, false);
      rewrite.behind(end, close);
      return;
    }
    if (kind === "index") return this.#index(expression, of, isTarget);
    const isPlace = (kind === "unary" && text === "&") ||
      (isTarget && /^(?:member|group)$/.test(kind));
    for (const one of operands) {
      if (rewrite.text.tokens[one.start]!.kind !== "string") this.expression(one, of, isPlace);
    }
    if (kind === "call" && this.#options.isInstrumented(text)) this.#passWay(expression);
  }

  #index(access: Expression, of: FunctionDeclaration, isTarget: boolean): void {
    const rewrite = this.#rewrite;
    const { operands: [base, index], start, end } = access;
    this.expression(base!, of, isTarget);
    const around = this.#options.bounds && boundsGuard(rewrite, rewrite.sites.length, access);
    if (around) {
      rewrite.site({ of, start, end, verb: "bounds" });
      rewrite.before(index!.start, around.open);
    }
    this.expression(index!, of, false);
    if (around) rewrite.behind(index!.end, around.close);
  }

  /** Hands on the way of calls, which this call adds to. */
  #passWay({ operands, start, end }: Expression): void {
    const [rewrite, ways] = [this.#rewrite, this.#ways];
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
