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

function noteJumps(
  builder: GraphBuilder,
  { statement, targets }: { readonly statement: Statement; readonly targets: Targets },
  found: Block[],
): void {
  const { kind, start, end } = statement;
  const { jumps } = builder.graph;
  if (kind === "return") {
    const { value } = statement;
    jumps.set(start, { end, target: undefined, ...(value && { value }) });
  }
  const target = kind === "break"
    ? targets.onBreak
    : kind === "continue"
    ? targets.onContinue
    : undefined;
  if (target) {
    jumps.set(start, { end, target });
    found.push(target);
  }
  const { onContinue } = targets;
  const inside = kind === "loop"
    ? {}
    : kind === "switch"
    ? { ...(onContinue && { onContinue }) }
    : targets;
  for (const inner of statementsIn(statement)) {
    noteJumps(builder, { statement: inner, targets: inside }, found);
  }
}
