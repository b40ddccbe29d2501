import type { Assignment, Declaration } from "../../syntax/statement.ts";
import type { Piece } from "./basic_block.ts";
import type { GraphBuilder } from "./graph_builder.ts";
import { isStable, lowerExpression, lowerTarget } from "./lower_expression.ts";

/** A declaration; the constants of a function become those of the module. */
export function lowerDeclaration(builder: GraphBuilder, declaration: Declaration): void {
  const { module, graph } = builder;
  const { name, keyword, type, value } = declaration;
  const variable = module.names.get(name)!;
  if (keyword === "const") {
    graph.constants.push({ variable, declaration });
    return;
  }
  if (value) lowerExpression(builder, value);
  const zero: readonly Piece[] = [{ kind: "tokens", ...type }, "()"];
  const pieces = value ? [value] : zero;
  builder.emit({ index: variable.index, pieces, sets: variable, declares: true });
}

/** An assignment: what is on the left is found before the value is evaluated. */
export function lowerAssignment(builder: GraphBuilder, assignment: Assignment): void {
  const { target, operator, value } = assignment;
  const index = builder.indexOf(assignment);
  const emit = (pieces: readonly Piece[]) => builder.emit({ index, pieces });
  const suspends = builder.module.suspends(value);
  if (target) lowerTarget(builder, target, suspends);
  const variable = target?.kind === "name" ? builder.module.names.get(target.start) : undefined;
  if (operator === "=" || !suspends || isStable(builder, target!)) {
    lowerExpression(builder, value);
    if (operator !== "=" || !variable) {
      return emit([target ?? "_", ` ${operator} `, value, ";"]);
    }
    return builder.emit({ index, pieces: [value], sets: variable });
  }
  // WGSL reads the old value before it evaluates the other.
  const old = { ...target! };
  builder.keep(old);
  lowerExpression(builder, value);
  emit([target!, " = ", old, ` ${operator.slice(0, -1)} (`, value, ");"]);
}
