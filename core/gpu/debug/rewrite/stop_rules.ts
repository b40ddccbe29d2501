import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { calledNames } from "../../syntax/declarations.ts";
import { type Expression, partsOf } from "../../syntax/expression.ts";
import { expressionsIn, type Statement, statementsIn } from "../../syntax/statements.ts";
import { hasAttribute } from "../../print/entry_points.ts";
import type { AssertCall } from "./assert_calls.ts";
import { inOneLine } from "./debug_rewrite.ts";
import type { CallGraph } from "./call_graph.ts";

/** Functions at which all lanes of a workgroup have to arrive. */
const MEETINGS = ["workgroupBarrier", "storageBarrier", "textureBarrier", "workgroupUniformLoad"];

/** What stops invocations. */
export interface StopOptions {
  readonly asserts: ReadonlyMap<number, AssertCall>;
  /** The variable that says that the invocation has stopped. */
  readonly flag: string;
  readonly isStopping: boolean;
}

/**
 * How an invocation stops at a failed `assert`. A fragment is discarded: it draws and stores nothing
 * more. In compute stages, the functions of the chain of calls return, one after the other. Where lanes
 * meet at a barrier, which all of them have to reach, nothing stops.
 */
export class StopRules {
  readonly #graph: CallGraph;
  readonly #options: StopOptions;
  readonly #fragmentOnly: ReadonlySet<FunctionDeclaration>;
  readonly #unstoppable: ReadonlySet<FunctionDeclaration>;
  /** Functions after whose call the flag has to be looked at. */
  readonly #flagging: ReadonlySet<string>;

  constructor(graph: CallGraph, options: StopOptions) {
    this.#graph = graph;
    this.#options = options;
    const { functions } = graph;
    const reached = (stage: string) =>
      graph.calledBy(functions.filter((one) => hasAttribute(one, stage)));
    const [fragment, compute] = [reached("fragment"), reached("compute")];
    this.#fragmentOnly = fragment.difference(compute);
    const { declarations } = graph.text;
    const meeting = graph.callersOf(functions.filter((one) => {
      const names = calledNames(declarations, one);
      return MEETINGS.some((name) => names.has(name));
    }));
    this.#unstoppable = graph.calledBy(
      [...meeting].filter((one) => hasAttribute(one, "compute")),
    );
    const flagging = functions.filter((one) =>
      this.#stops(one) && [...options.asserts.keys()].some((at) =>
        at >= one.body.start && at < one.body.end
      ) && (!this.#fragmentOnly.has(one) || this.#assertsInContinuing(one))
    );
    this.#flagging = new Set([...graph.callersOf(flagging)].map(({ name }) => name.text));
  }

  /** The statements that end the invocation at a failed `assert`. */
  stopText(one: FunctionDeclaration, isContinuing: boolean): string {
    if (!this.#stops(one)) return "";
    const { flag } = this.#options;
    if (isContinuing) return `${flag} = true;`;
    return this.#fragmentOnly.has(one) ? "discard;" : `${flag} = true; ${this.#leaveText(one)}`;
  }

  /** The statement that begins a function, if its caller may go on in an expression after one has stopped. */
  enterText(one: FunctionDeclaration): string {
    const isReturning = this.#stops(one) && !this.#fragmentOnly.has(one);
    if (!isReturning || !this.#flagging.has(one.name.text)) return "";
    return ` if ${this.#options.flag} { ${this.#leaveText(one)} }`;
  }

  /** The statement that ends a function if one that it called has stopped; empty if none may. */
  checkText(one: FunctionDeclaration, statement: Statement): string {
    if (!this.#stops(one) || !this.#mayFlag(one, statement)) return "";
    const leave = this.#fragmentOnly.has(one) ? "discard;" : this.#leaveText(one);
    return ` if ${this.#options.flag} { ${leave} }`;
  }

  /** Whether an expression calls a function in which the invocation may stop, so that its value is none. */
  mayStopIn(one: FunctionDeclaration, expression: Expression): boolean {
    return this.#stops(one) &&
      [...partsOf(expression)].some(({ kind, text }) =>
        kind === "call" && this.#flagging.has(text)
      );
  }

  #stops(one: FunctionDeclaration): boolean {
    return this.#options.isStopping && !this.#unstoppable.has(one);
  }

  #leaveText({ result }: FunctionDeclaration): string {
    const type = inOneLine(this.#graph.text, result);
    return type === "" ? "return;" : `return ${type}();`;
  }

  #mayFlag(one: FunctionDeclaration, statement: Statement): boolean {
    const calls = (expression: Expression) => this.mayStopIn(one, expression);
    if (expressionsIn(statement).some(calls)) return true;
    if (statement.kind !== "loop") return false;
    const heads = [...statement.init ? [statement.init] : [], ...statement.continuing];
    const may = (inner: Statement): boolean =>
      expressionsIn(inner).some(calls) || this.#isAssert(inner) || statementsIn(inner).some(may);
    return heads.some(may);
  }

  #isAssert(statement: Statement): boolean {
    return statement.kind === "call" && this.#options.asserts.has(statement.call.start);
  }

  #assertsInContinuing(one: FunctionDeclaration): boolean {
    const body = this.#graph.bodyOf(one);
    const visit = (statement: Statement): boolean =>
      (statement.kind === "loop" && statement.continuing.some((inner) => this.#hasAssert(inner))) ||
      statementsIn(statement).some(visit);
    return body !== undefined && visit(body);
  }

  #hasAssert(statement: Statement): boolean {
    return this.#isAssert(statement) ||
      statementsIn(statement).some((inner) => this.#hasAssert(inner));
  }
}
