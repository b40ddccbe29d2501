import type { Expression } from "../../syntax/expression.ts";
import type { ValueType } from "../../syntax/value_type.ts";
import type { SuspendingFunction } from "../resolve_names.ts";
import { aroundWord, replyText } from "../packet_words.ts";
import type { Service } from "../services.ts";
import { NO_TOKENS, type Variable } from "../variable.ts";
import type { Piece } from "./basic_block.ts";
import type { GraphBuilder } from "./graph_builder.ts";

/**
 * Calls the host, or a function that does; the arguments suspend no more.
 *
 * @param isUsed whether the value of the call is
 */
export function lowerCall(builder: GraphBuilder, call: Expression, isUsed: boolean): void {
  const { module } = builder;
  const service = module.services.get(call.text);
  const target = builder.functions.get(call.text);
  if (service) lowerService(builder, call, service);
  else if (target) lowerFunctionCall(builder, call, target);
  else lowerRequest(builder, call);
  if (!isUsed) return;
  const result = service ? service.result : target?.result?.known;
  if (!result) {
    return module.refuseAt(call.start, `${call.text} gives nothing back, and a value is wanted`);
  }
  const kept = valueOf(builder, call, result);
  const value = target?.result ? builder.mention(target.result, call) : replyText(module, result);
  builder.emit({ index: kept.index, pieces: [value], sets: kept, declares: true });
  builder.graph.replaced.set(call, kept);
}

function valueOf(builder: GraphBuilder, call: Expression, known: ValueType): Variable {
  const index = builder.indexOf(call);
  return { name: `${call.text}_value`, keyword: "let", index, type: NO_TOKENS, known };
}

function lowerService(builder: GraphBuilder, call: Expression, service: Service): void {
  checkCount(builder, call, service.parameters.length);
  const pieces: Piece[] = [];
  let word = 0;
  service.parameters.forEach(({ name, type, words }, at) => {
    const argument = call.operands[at]!;
    const index = builder.indexOf(argument);
    const known: Variable = {
      name: `${service.name}_${name}`,
      keyword: "let",
      index,
      type: NO_TOKENS,
      known: type,
    };
    builder.emit({ index, pieces: [argument], sets: known, declares: true });
    for (const one of words) {
      const [before, behind] = aroundWord(one);
      const mention = builder.mention(known, argument);
      pieces.push(`packet_set(${word++}u, ${before}`, mention, `${behind}); `);
    }
  });
  pieces.push(service.isCast ? "cast_call(" : "call(", { kind: "tokens", ...service.opcode }, ");");
  request(builder, call, pieces);
}

function lowerFunctionCall(
  builder: GraphBuilder,
  call: Expression,
  target: SuspendingFunction,
): void {
  checkCount(builder, call, target.parameters.length);
  target.parameters.forEach((parameter, at) => {
    const argument = call.operands[at]!;
    const index = builder.indexOf(argument);
    builder.emit({ index, pieces: [argument], sets: parameter, declares: true });
  });
  const next = builder.block(builder.indexOf(call));
  builder.end({ kind: "call", target, next }, next);
}

function lowerRequest(builder: GraphBuilder, call: Expression): void {
  const printf = builder.module.printfs.get(call.start);
  if (!printf) return request(builder, call, [call, ";"]);
  const hidden = new Set(printf.hidden);
  const shown = call.operands.filter(({ start }) => !hidden.has(builder.module.tokens[start]!));
  const pieces = shown.flatMap((argument, at): Piece[] => at === 0 ? [argument] : [", ", argument]);
  request(builder, call, [
    `${printfName(printf)}(`,
    ...pieces,
    `); call_with_stream(OPCODE_PRINTF);`,
  ]);
}

/** The function that puts a `printf` into the lane's stream. */
export function printfName({ position }: { readonly position: { line: number; column: number } }) {
  return `put_printf_${position.line}_${position.column}`;
}

function request(builder: GraphBuilder, call: Expression, pieces: readonly Piece[]): void {
  const next = builder.block(builder.indexOf(call));
  builder.end({ kind: "request", pieces, next }, next);
}

function checkCount(
  { module }: GraphBuilder,
  { text, start, operands }: Expression,
  wanted: number,
) {
  if (operands.length === wanted) return;
  const takes = `${text} takes ${wanted} argument${wanted === 1 ? "" : "s"}`;
  module.refuseAt(start, `${takes}: current value is ${operands.length}`);
}
