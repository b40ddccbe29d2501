import { LANE_WORDS } from "../../../memory/packet.ts";
import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { type Expression, partsOf } from "../../syntax/expression.ts";
import { expressionsIn, type Statement, statementsIn } from "../../syntax/statement.ts";
import { freePrefix } from "../../syntax/tokens.ts";
import { type PrintfCall, printfCalls } from "../../printf/printf_calls.ts";
import { ModuleText } from "./module_text.ts";
import { type Service, servicesOf } from "./services.ts";
import { calledNames, REQUESTS, suspendingNames } from "./suspending_names.ts";

/** The author's text of a kernel, and what of it calls the host. */
export class KernelModule extends ModuleText {
  /** Words that a lane has in a packet. */
  readonly laneWords: number;
  /** Host functions by their names. */
  readonly services: ReadonlyMap<string, Service>;
  /** Calls of `printf`, by the token of the name. */
  readonly printfs: ReadonlyMap<number, PrintfCall>;
  /** The author's functions that call the host, directly or not; `kernel` is the first. */
  readonly suspending: ReadonlyMap<string, FunctionDeclaration>;
  /** Tokens of local variables of which an address is taken; filled while functions are resolved. */
  readonly addressed = new Set<number>();

  /** @throws {KernelCompileError} with the author's own line and column */
  constructor(source: string, laneWords: number = LANE_WORDS) {
    super(source);
    this.laneWords = laneWords;
    this.services = servicesOf(this);
    const calls = printfCalls(this);
    this.printfs = new Map(calls.map((call) => [call.at, call]));
    this.suspending = suspendingNames(this);
  }

  /** Those that `kernel` calls, directly or not, and itself: stubs may bring many that it does not. */
  get reached(): readonly FunctionDeclaration[] {
    const reached = new Set(["kernel"]);
    for (const name of reached) {
      const declared = this.suspending.get(name);
      if (!declared) continue;
      for (const called of calledNames(this, declared).keys()) reached.add(called);
    }
    return [...this.suspending.values()].filter(({ name }) => reached.has(name.text));
  }

  /** The function that puts a `printf` into the lane's stream. */
  printfName({ position: { line, column } }: Pick<PrintfCall, "position">): string {
    return `${freePrefix(this.tokens, "put_printf_")}${line}_${column}`;
  }

  /** Whether a call by this name suspends. */
  isSuspending(name: string): boolean {
    return name === "printf" || REQUESTS.has(name) || this.services.has(name) ||
      this.suspending.has(name);
  }

  /** Whether an expression calls the host. */
  suspends = (expression: Expression): boolean => {
    for (const { kind, text } of partsOf(expression)) {
      if (kind === "call" && this.isSuspending(text)) return true;
    }
    return false;
  };

  /** Whether a statement calls the host, or one in it does. */
  suspendsIn = (statement: Statement): boolean => {
    return expressionsIn(statement).some(this.suspends) ||
      statementsIn(statement).some(this.suspendsIn);
  };
}
