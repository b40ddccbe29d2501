import { type Statement, statementsIn } from "../../syntax/statement.ts";
import type { Block } from "./basic_block.ts";
import type { GraphBuilder } from "./graph_builder.ts";

/** Where `break` and `continue` lead; `undefined` where they may not be. */
export interface Targets {
  readonly onBreak?: Block;
  readonly onContinue?: Block;
}

/** A statement that does not suspend stays as the author wrote it. */
export function keepStatement(
  builder: GraphBuilder,
  statement: Statement,
  targets: Targets,
): void {
  const jumps: Block[] = [];
  noteJumps(builder, { statement, targets }, jumps);
  const { start, end } = statement;
  const index = builder.indexOf(statement);
  builder.emit({ index, pieces: [{ kind: "tokens", start, end }], jumps });
}

/** Where jumps in a kept statement lead: `own` to a loop or switch that is kept with them. */
interface KeptTargets {
  readonly onBreak?: Block | "own";
  readonly onContinue?: Block | "own";
}

function noteJumps(
  builder: GraphBuilder,
  { statement, targets }: { readonly statement: Statement; readonly targets: KeptTargets },
  found: Block[],
): void {
  const { kind, start, end } = statement;
  const { jumps } = builder.graph;
  if (kind === "return") {
    const { value } = statement;
    jumps.set(start, { end, target: undefined, ...(value && { value }) });
  } else if (kind === "break" || kind === "continue") {
    const target = kind === "break" ? targets.onBreak : targets.onContinue;
    if (!target) return refuseJump(builder, statement);
    if (target === "own") return;
    jumps.set(start, { end, target });
    found.push(target);
  }
  const inside: KeptTargets = kind === "loop"
    ? { onBreak: "own", onContinue: "own" }
    : kind === "switch"
    ? { ...targets, onBreak: "own" }
    : targets;
  for (const inner of statementsIn(statement)) {
    noteJumps(builder, { statement: inner, targets: inside }, found);
  }
}

/** Refuses a `break` or `continue` that leaves nothing. */
export function refuseJump(
  { module }: GraphBuilder,
  { start }: { readonly start: number },
): never {
  return module.refuseAt(start, "there is no loop that it could leave");
}
