import type { Types } from "../text/inference.ts";
import { refuse } from "../text/lines.ts";
import type { Piece } from "../text/printer.ts";
import {
  type Clause,
  type Expression,
  type Func,
  localOf,
  type Node,
  type Placeholder,
  type Variable,
} from "../text/syntax.ts";
import { concrete, type Type } from "../text/value_type.ts";

/** A value that has no name in the text. */
export interface Temp extends Placeholder {
  readonly nameStart: number;
  readonly keyword: "var" | "let";
  /** Describes it in error messages. */
  readonly what?: string;
  /** Its type, where that does not follow from `value`. */
  readonly known?: Type | undefined;
  readonly value?: Expression;
}

/** What may be kept while a lane waits. */
export type Slot = Variable | Temp;

/** The type of a slot; `undefined` if it is unknown. */
export function typeOfSlot(types: Types, slot: Slot): Type | undefined {
  if (slot.kind === "variable") return types.ofVariable(slot);
  const found = slot.known ?? (slot.value && types.of(slot.value));
  return found && (slot.known ? found : concrete(found));
}

/**
 * The type of a slot that has to be known.
 *
 * @throws {TextFault} at it
 */
export function shownType(types: Types, slot: Slot): Type {
  const type = typeOfSlot(types, slot);
  if (type) return type;
  const what = slot.kind === "placeholder" ? slot.what : undefined;
  const wayOut = what
    ? "give this value to a variable with a written type, in a statement before"
    : `write it, as in ${slot.name}: u32`;
  return refuse(
    slot,
    `the type of ${
      what ?? slot.name
    } does not show, and it is kept while the kernel waits for the host: ${wayOut}`,
  );
}

/** The local variable that `let pointer = &variable;` and its copies point to, and whether to the whole of it. */
export function pointeeOf(
  slot: Slot,
): { readonly variable: Variable; readonly isWhole: boolean } | undefined {
  return slot.keyword === "let" && slot.value ? leadsTo(slot.value, false) : undefined;
}

function leadsTo(expression: Expression, isPlace: boolean): ReturnType<typeof pointeeOf> {
  if (expression.kind === "name") {
    const variable = localOf(expression);
    return (variable && pointeeOf(variable)) ??
      (isPlace && variable ? { variable, isWhole: true } : undefined);
  }
  const { kind, text, operands: [inner] } = expression;
  if (kind === "group") return leadsTo(inner!, isPlace);
  if (kind === "unary" && text === (isPlace ? "*" : "&")) return leadsTo(inner!, !isPlace);
  if (!isPlace || (kind !== "index" && kind !== "member")) return undefined;
  const place = leadsTo(inner!, true);
  return place && { ...place, isWhole: false };
}

/** Something that is done without waiting for the host. */
export interface Operation {
  /** Its origin in the author's text. */
  readonly start: number;
  /** The statement, or the value of `sets`. */
  readonly pieces: readonly Piece[];
  readonly sets?: Slot;
  /** Whether it declares `sets`. */
  readonly declares?: boolean;
  /** The targets of `break` and `continue` in it. */
  readonly jumps: readonly BasicBlock[];
}

/** How a block ends; a branch goes to its first target if its condition is true. */
export interface Terminator {
  readonly kind: "goto" | "branch" | "return" | "switch" | "request" | "call";
  readonly targets: readonly BasicBlock[];
  /** The condition of a branch, the selector of a switch, or the text of a request. */
  readonly pieces: readonly Piece[];
  readonly start?: number;
  readonly clauses?: readonly Clause[];
  readonly callee?: SuspendingFunction;
}

/** A basic block. */
export interface BasicBlock {
  readonly start: number;
  readonly operations: Operation[];
  terminator: Terminator;
}

/** A function that suspends. */
export interface SuspendingFunction {
  readonly of: Func;
  readonly result: Temp | undefined;
  /** The step that it returns to; `kernel` has none. */
  readonly back: Temp | undefined;
}

/** The control-flow graphs of all functions that suspend. */
export interface Graph {
  /** The first block of each function; `kernel` comes first. */
  readonly entries: Map<SuspendingFunction, BasicBlock>;
  readonly functions: ReadonlyMap<Func, SuspendingFunction>;
  /** Expressions that are evaluated before their statement, and what keeps their values. */
  readonly replaced: Map<Node, Slot>;
  /** Jumps in statements that are not lowered; without a target they return. */
  readonly jumps: Map<
    Node,
    { readonly target?: BasicBlock | undefined; readonly value?: Expression | undefined }
  >;
  /** Constants of functions, which must be visible in every step. */
  readonly constants: Variable[];
}

/** The blocks that a block may lead to. */
export function successorsOf({ operations, terminator }: BasicBlock): BasicBlock[] {
  return [...operations.flatMap(({ jumps }) => jumps), ...terminator.targets];
}

/** A block, and those that it leads to. */
export function reachableFrom(entry: BasicBlock): BasicBlock[] {
  const found = new Set([entry]);
  const visit = (block: BasicBlock) => {
    for (const next of successorsOf(block)) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(entry);
  return [...found];
}

/**
 * The blocks of a function that have to be steps: the first, those that follow the host or another function,
 * and those with several predecessors. Others are written into their predecessor.
 */
export function stepsOf(entry: BasicBlock): BasicBlock[] {
  const blocks = reachableFrom(entry);
  const ways = new Map<BasicBlock, number>([[entry, 2]]);
  for (const block of blocks) {
    const { kind, targets: [next] } = block.terminator;
    const left = new Set(block.operations.flatMap(({ jumps }) => jumps));
    for (const target of successorsOf(block)) {
      const isStep = ((kind === "request" || kind === "call") && target === next) ||
        left.has(target);
      ways.set(target, (ways.get(target) ?? 0) + (isStep ? 2 : 1));
    }
  }
  return blocks.filter((block) => ways.get(block)! > 1);
}

/** Skips blocks that only jump to another. */
export function skipEmptyBlocks({ entries, jumps }: Graph): void {
  const behind = (start: BasicBlock): BasicBlock => {
    const seen = new Set<BasicBlock>();
    let block = start;
    while (block.operations.length === 0 && block.terminator.kind === "goto" && !seen.has(block)) {
      seen.add(block);
      block = block.terminator.targets[0]!;
    }
    return block;
  };
  for (const [one, entry] of entries) {
    for (const block of reachableFrom(entry)) {
      block.operations.forEach((operation, at) => {
        block.operations[at] = { ...operation, jumps: operation.jumps.map(behind) };
      });
      block.terminator = { ...block.terminator, targets: block.terminator.targets.map(behind) };
    }
    entries.set(one, behind(entry));
  }
  for (const [at, jump] of jumps) {
    jumps.set(at, { ...jump, target: jump.target && behind(jump.target) });
  }
}
