import type { Expression } from "../../syntax/expression.ts";
import type { TokenRange } from "../../syntax/tokens.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import type { Variable } from "../text/variable.ts";

/** What an operation is written as: generated text, an expression or tokens of the author's. */
export type Piece = string | Expression | (TokenRange & { readonly kind: "tokens" });

/** What is done without waiting for the host. */
export interface Operation {
  /** Where in the author's text it comes from. */
  readonly index: number;
  /** The statement, or the value that `sets` gets. */
  readonly pieces: readonly Piece[];
  /** The variable whose old value is gone after it. */
  readonly sets?: Variable;
  /** Whether `sets` begins here. */
  readonly declares?: boolean;
  /** Where `break`, `continue` and `return` in it lead. */
  readonly jumps: readonly Block[];
}

/** How a block ends. */
export type Terminator =
  | { readonly kind: "goto"; readonly target: Block }
  | {
    readonly kind: "branch";
    readonly condition: Expression;
    readonly then: Block;
    readonly otherwise: Block;
  }
  | {
    readonly kind: "switch";
    readonly selector: Expression;
    /** One of them is the default. */
    readonly clauses: readonly { readonly selectors: TokenRange; readonly target: Block }[];
  }
  /** Asks for something, by calling a function of `kernel_api.wgsl`; goes on when it was done. */
  | {
    readonly kind: "request";
    /** Where in the author's text it comes from. */
    readonly index: number;
    readonly pieces: readonly Piece[];
    readonly next: Block;
  }
  | { readonly kind: "call"; readonly target: SuspendingFunction; readonly next: Block }
  | { readonly kind: "return" };

/** Operations that are done one after the other; then it is decided where to go on. */
export interface Block {
  /** Where in the author's text it begins. */
  readonly index: number;
  readonly operations: Operation[];
  terminator: Terminator;
}

/** Where a block may go on. */
export function successorsOf({ operations, terminator }: Block): Block[] {
  return [...operations.flatMap(({ jumps }) => jumps), ...targetsOf(terminator)];
}

/** Where a block goes on at its end. */
export function targetsOf(terminator: Terminator): Block[] {
  switch (terminator.kind) {
    case "goto":
      return [terminator.target];
    case "branch":
      return [terminator.then, terminator.otherwise];
    case "switch":
      return terminator.clauses.map(({ target }) => target);
    case "request":
    case "call":
      return [terminator.next];
    case "return":
      return [];
  }
}
