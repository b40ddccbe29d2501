import type { Act } from "./port_state.ts";
import type { Binding } from "../syntax/scope.ts";
import type { SyntaxNode } from "../syntax/syntax.ts";

/** Something that a program does to one name. */
export interface FlowEvent {
  readonly act: Act;
  readonly binding: Binding;
  /** The place to point at when this breaks a rule. */
  readonly node: SyntaxNode;
  /** What does it, in words for a message: `send()`. */
  readonly by: string;
  /** Whether it reaches through the `value` of a `Maybe` or `Either`. */
  readonly inside: boolean;
  /** For `define`: whether the value may be `undefined`. */
  readonly isNullable: boolean;
}

/** Events that run one after the other, and the blocks that may follow. */
export class Block {
  readonly events: FlowEvent[] = [];
  readonly next: Block[] = [];
  /**
   * Set on the first block of a function: it runs at an unknown time, so that names of scopes
   * shallower than this may be in another state by then.
   */
  detachedDepth: number | undefined;
}
