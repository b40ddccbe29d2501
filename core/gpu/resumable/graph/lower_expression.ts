import { type Expression, partsOf } from "../../syntax/expression.ts";
import type { Token } from "../../syntax/tokens.ts";
import { BARRIERS, type KernelAssert, pointeeOf, type Variable } from "../text/kernel_module.ts";
import type { GraphBuilder, Piece } from "./kernel_graph.ts";
import { typeOfExpression } from "../../syntax/expression_type.ts";
import type { ValueType } from "../../syntax/value_type.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import { aroundWord, checkWordCount, replyText, type Service } from "../text/services.ts";

/**
 * Carries out the calls of the host in an expression, in the order of WGSL: operands from left to
 * right. Afterwards the expression can be written without them.
 */
export function lowerExpression(builder: GraphBuilder, expression: Expression): void {
  if (!builder.module.suspends(expression)) return;
  const { kind, text, operands } = expression;
  if ((text === "&&" || text === "||") && builder.module.suspends(operands[1]!)) {
    return lowerShortCircuit(builder, expression);
  }
  if ((kind === "index" || kind === "member") && isReference(builder, operands[0]!)) {
    return lowerTarget(builder, expression, false);
  }
  if (isAddress(expression)) return lowerAddress(builder, expression, false);
  lowerOperands(builder, operands);
  if (kind === "call" && builder.module.isSuspending(text)) lowerCall(builder, expression, true);
}

/** Evaluates operands from left to right, keeping the values of those before the last that suspends. */
export function lowerOperands(builder: GraphBuilder, operands: readonly Expression[]): void {
  const last = operands.findLastIndex(builder.module.suspends);
  operands.forEach((operand, at) => {
    if (isAddress(operand)) return lowerAddress(builder, operand, at < last);
    lowerExpression(builder, operand);
    if (at < last && !isStable(builder, operand)) builder.keep(operand);
  });
}

/**
 * Evaluates the indices in a reference that is assigned to or read later.
 *
 * @param isLater whether something suspends before then
 */
export function lowerTarget(builder: GraphBuilder, target: Expression, isLater: boolean): void {
  const { kind, operands: [base, index] } = target;
  const { suspends } = builder.module;
  if (kind === "index") {
    lowerTarget(builder, base!, isLater || suspends(index!));
    lowerExpression(builder, index!);
    if (isLater && !isStable(builder, index!)) builder.keep(index!);
  } else if (kind === "member" || kind === "group") lowerTarget(builder, base!, isLater);
  else lowerExpression(builder, target);
}

/** Evaluates an expression whose value is needed at the end of a block. */
export function lowerCondition(builder: GraphBuilder, condition: Expression): void {
  lowerExpression(builder, condition);
  const { module } = builder;
  const isPointer = (part: Expression) => {
    const variable = part.kind === "name" ? module.names.get(part.start) : undefined;
    return isAddress(part) || (variable && pointeeOf(module, variable)?.isWhole);
  };
  if ([...partsOf(condition)].some(isPointer)) builder.keep(condition);
}

/** `a && b` becomes `var kept = a; if kept { kept = b; }`. */
function lowerShortCircuit(builder: GraphBuilder, expression: Expression): void {
  const [left, right] = expression.operands;
  lowerExpression(builder, left!);
  const index = builder.indexOf(expression);
  const known = { name: "bool", args: [] };
  const kept = builder.variable(expression, { keyword: "var", known });
  builder.declare(kept, [left!]);
  const [evaluate, join] = [builder.block(builder.indexOf(right!)), builder.block(index)];
  const ways = expression.text === "&&" ? [evaluate, join] as const : [join, evaluate] as const;
  const condition = builder.mention(kept, expression);
  builder.branch(condition, ways, evaluate);
  lowerExpression(builder, right!);
  builder.emit({ index, pieces: [right!], sets: kept });
  builder.goto(join);
  builder.graph.replaced.set(expression, kept);
}

/** Whether the value cannot change during a suspension. */
export function isStable(builder: GraphBuilder, expression: Expression): boolean {
  if (builder.graph.replaced.has(expression)) return true;
  const { kind, text, start, operands } = expression;
  if (kind === "literal") return true;
  if (kind === "name") return isStableName(builder, start);
  if (kind === "call" || (kind === "unary" && (text === "&" || text === "*"))) return false;
  return operands.every((operand) => isStable(builder, operand));
}

/** Local variables only change by statements, unless a pointer to them is passed to a function. */
function isStableName({ module }: GraphBuilder, at: number): boolean {
  const variable = module.names.get(at);
  if (variable) {
    return variable.keyword !== "var" ||
      ![...module.addressed].some((token) => module.names.get(token) === variable);
  }
  const { text } = module.tokens[at]!;
  const declared = module.declarations.variables.find(({ name }) => name.text === text);
  return declared === undefined || declared.keyword !== "var";
}

/** Whether an expression is a reference, which is read when it is used. */
function isReference(builder: GraphBuilder, expression: Expression): boolean {
  const { kind, text, start, operands } = expression;
  if (kind === "member" || kind === "index" || kind === "group") {
    return isReference(builder, operands[0]!);
  }
  if (kind === "unary") return text === "*";
  const variable = builder.module.names.get(start);
  return kind === "name" && (variable ? variable.keyword === "var" : true);
}

function isAddress({ kind, text }: Expression): boolean {
  return kind === "unary" && text === "&";
}

/** Evaluates the indices of a pointer, which is taken where it is used. */
function lowerAddress(builder: GraphBuilder, address: Expression, isLater: boolean): void {
  const [target] = address.operands;
  if (!isReference(builder, target!)) {
    const reason =
      "a pointer is taken of what a call of the host decides: keep the call's value in a variable first";
    builder.module.refuseAt(address.start, reason);
  }
  lowerTarget(builder, target!, isLater);
}

/**
 * Calls the host, or a function that does. The arguments have been evaluated.
 *
 * @param isUsed whether the value of the call is used
 */
export function lowerCall(builder: GraphBuilder, call: Expression, isUsed: boolean): void {
  const { module } = builder;
  const service = module.services.get(call.text);
  const target = builder.graph.functions.get(call.text);
  if (call.text === "workgroupUniformLoad") return lowerUniformLoad(builder, call);
  if (service) lowerService(builder, call, service);
  else if (target) lowerFunctionCall(builder, call, target);
  else lowerRequest(builder, call);
  if (!isUsed) return;
  const result = service ? service.result : target?.result?.known;
  if (!result) {
    return module.refuseAt(call.start, `${call.text} gives nothing back, and a value is wanted`);
  }
  const what = `what ${call.text} gives back`;
  const kept = builder.variable(call, { name: `${call.text}_value`, what, known: result });
  builder.declare(kept, [
    target?.result
      ? builder.mention(target.result, call)
      : replyText(module, result, { reply: module.libraryName("reply") }),
  ]);
  builder.graph.replaced.set(call, kept);
}

/** Reads between two barriers: no lane writes before all have read. */
function lowerUniformLoad(builder: GraphBuilder, call: Expression): void {
  const { module } = builder;
  const [pointer] = call.operands;
  const [space, pointed] = (pointer && typeOfExpression(module, pointer))?.args ?? [];
  const known = typeOfExpression(module, call);
  let base = pointer;
  while (base?.operands[0]) base = base.operands[0];
  const name = base && !module.names.has(base.start) ? base.text : undefined;
  const isShared = space?.name === "workgroup" ||
    module.declarations.variables.some((one) =>
      one.name.text === name && one.space === "workgroup"
    );
  if (!isShared || !pointed || !known) {
    const reason =
      "it takes a pointer to workgroup memory: write workgroupUniformLoad(&shared_value)";
    return module.refuseAt(call.start, reason);
  }
  const meet = `${module.libraryName("lanes_meet")}();`;
  request(builder, call, [meet]);
  const kept = builder.variable(call, { name: "uniform_value", known });
  builder.declare(kept, [pointed.name === "atomic" ? "atomicLoad(" : "*(", pointer!, ")"]);
  request(builder, call, [meet]);
  builder.graph.replaced.set(call, kept);
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
      pieces.push(
        `${builder.module.libraryName("packet_set")}(${word++}u, ${before}`,
        mention,
        `${behind}); `,
      );
    }
  });
  pieces.push(`${builder.module.libraryName(service.isCast ? "cast_call" : "call")}(`, {
    kind: "tokens",
    ...service.opcode,
  }, ");");
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
  builder.end({ kind: "call", callee: target, pieces: [], targets: [next] }, next);
}

function lowerRequest(builder: GraphBuilder, call: Expression): void {
  const { module } = builder;
  const assert = module.asserts.get(call.start);
  const printf = module.printfs.get(call.start);
  if (assert) return lowerAssert(builder, call, assert);
  if (BARRIERS.has(call.text)) {
    if (call.operands.length > 0) module.refuseAt(call.start, `${call.text} takes no arguments`);
    return request(builder, call, [`${module.libraryName("lanes_meet")}();`]);
  }
  if (!printf) return request(builder, call, [call, ";"]);
  const given = shownArguments(builder, call, printf.hidden).map((argument, at) => {
    const { type, around } = printf.parameters[at]!;
    return keepTyped(builder, argument, { name: "printf_argument", known: type, around });
  });
  const condition = printf.isConditional ? given.shift()! : undefined;
  const join = builder.block(builder.indexOf(call));
  if (condition) {
    const then = builder.block(builder.indexOf(call));
    builder.branch(condition, [then, join], then);
  }
  const pieces = given.flatMap((one, at): Piece[] => at === 0 ? [one] : [", ", one]);
  request(builder, call, [`${module.printfName(printf)}(`, ...pieces, `);`]);
  if (condition) builder.goto(join);
}

/** The arguments of a call that the device evaluates. */
function shownArguments(
  { module }: GraphBuilder,
  { operands }: Expression,
  hidden: readonly Token[],
): Expression[] {
  return operands.filter(({ start }) => !hidden.includes(module.tokens[start]!));
}

/** A lane whose assertion fails keeps the values, and leaves its step, which is its last. */
function lowerAssert(builder: GraphBuilder, call: Expression, { call: shown }: KernelAssert): void {
  const [condition, ...values] = shownArguments(builder, call, shown.hidden);
  const pieces = values.flatMap((value, at): Piece[] => {
    const [before, after] = shown.parameters[at + 1]!.around ?? ["", ""];
    return [at === 0 ? before : `, ${before}`, value, after];
  });
  const name = builder.module.printfName(shown);
  builder.emitAt(call, ["if !(", condition!, `) { ${name}(`, ...pieces, "); return; }"]);
}

/** Declares the type of an argument, so that a compiler reports a wrong one at its position. */
function keepTyped(
  builder: GraphBuilder,
  argument: Expression,
  { around: [before, after] = ["", ""], ...typed }: Pick<Variable, "name"> & {
    readonly known: ValueType;
    readonly around?: readonly [before: string, after: string] | undefined;
  },
): Expression {
  const kept = builder.variable(argument, typed);
  builder.declare(kept, [before, argument, after]);
  return builder.mention(kept, argument);
}

function request(builder: GraphBuilder, call: Expression, pieces: readonly Piece[]): void {
  const next = builder.block(builder.indexOf(call));
  builder.end({ kind: "request", index: next.index, pieces, targets: [next] }, next);
}

function checkCount(
  { module }: GraphBuilder,
  { text, start, operands }: Expression,
  wanted: number,
) {
  if (operands.length === wanted) return;
  const { list } = module.declarations.functions.find(({ name }) => name.text === text)!;
  const taken = module.text.textOf(list);
  const takes = `${text}(${taken}) takes ${wanted} argument${wanted === 1 ? "" : "s"}`;
  module.refuseAt(start, `${takes}: current value is ${operands.length}`);
}
