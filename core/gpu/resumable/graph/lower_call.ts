import type { Expression } from "../../syntax/expression.ts";
import { argumentTypes } from "../../printf/printf_functions.ts";
import type { ValueType } from "../../syntax/value_type.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import { aroundWord, replyText } from "../text/packet_words.ts";
import { checkWordCount, type Service } from "../text/services.ts";
import { NO_TOKENS, type Variable } from "../text/variable.ts";
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
  const name = `${call.text}_value`;
  return {
    name,
    what: `what ${call.text} gives back`,
    keyword: "let",
    index,
    type: NO_TOKENS,
    known,
  };
}

function lowerService(builder: GraphBuilder, call: Expression, service: Service): void {
  checkCount(builder, call, service.parameters.length);
  const pieces: Piece[] = [];
  let word = 0;
  const wordCount = service.parameters.reduce((sum, { words }) => sum + words.length, 0);
  checkWordCount(builder.module, service, { does: "takes", wordCount });
  service.parameters.forEach(({ name, type, words }, at) => {
    const mention = keepTyped(builder, call.operands[at]!, {
      name: `${service.name}_${name}`,
      known: type,
    });
    for (const one of words) {
      const [before, behind] = aroundWord(one);
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
  const types = argumentTypes(printf);
  const pieces = shown.flatMap((argument, at): Piece[] => {
    const [name = "", component] = types[at]!.split(/[<>]/);
    const args = component ? [{ name: component, args: [] }] : [];
    const known = { name, args };
    const mention = keepTyped(builder, argument, { name: "printf_argument", known });
    return at === 0 ? [mention] : [", ", mention];
  });
  const name = builder.module.printfName(printf);
  request(builder, call, [`${name}(`, ...pieces, `);`]);
}

/** Gives an argument its type, so that a compiler finds a wrong one at its place. */
function keepTyped(
  builder: GraphBuilder,
  argument: Expression,
  { name, known }: { readonly name: string; readonly known: ValueType },
): Expression {
  const index = builder.indexOf(argument);
  const kept: Variable = { name, keyword: "let", index, type: NO_TOKENS, known };
  builder.emit({ index, pieces: [argument], sets: kept, declares: true });
  return builder.mention(kept, argument);
}

function request(builder: GraphBuilder, call: Expression, pieces: readonly Piece[]): void {
  const next = builder.block(builder.indexOf(call));
  builder.end({ kind: "request", index: next.index, pieces, next }, next);
}

function checkCount(
  { module }: GraphBuilder,
  { text, start, operands }: Expression,
  wanted: number,
) {
  if (operands.length === wanted) return;
  const { list } = module.declarations.functions.find(({ name }) => name.text === text)!;
  const taken = module.textOf(list);
  const takes = `${text}(${taken}) takes ${wanted} argument${wanted === 1 ? "" : "s"}`;
  module.refuseAt(start, `${takes}: current value is ${operands.length}`);
}
