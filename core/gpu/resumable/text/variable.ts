import type { Expression } from "../../syntax/expression.ts";
import type { TokenRange } from "../../syntax/tokens.ts";
import type { ValueType } from "../../syntax/value_type.ts";

/** A local variable or parameter of a function that suspends, or a value that is kept for one. */
export interface Variable {
  /** As the author wrote it; for a temporary value, as what it is of. */
  readonly name: string;
  /** What messages call a value to which the author gave no name. */
  readonly what?: string;
  readonly keyword: "var" | "let" | "const";
  /** Where it stands in the author's text. */
  readonly index: number;
  /** The type as it is written; empty where none is. */
  readonly type: TokenRange;
  /** What a type follows from that is not written. */
  readonly value?: Expression;
  /** A type that is known without the author's text. */
  readonly known?: ValueType;
}

/** No tokens. */
export const NO_TOKENS: TokenRange = { start: 0, end: 0 };
