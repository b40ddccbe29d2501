import { refuse } from "../text/lines.ts";
import type { Piece } from "../text/printer.ts";
import {
  baseOf,
  type Call,
  type Expression,
  type Func,
  localOf,
  type Node,
  valuesIn,
} from "../text/syntax.ts";
import { BOOL } from "../text/value_type.ts";
import {
  type BasicBlock,
  type Graph,
  type Operation,
  pointeeOf,
  type SuspendingFunction,
  type Temp,
  type Terminator,
} from "./graph.ts";
import { BARRIERS, type Kernel } from "./kernel.ts";
import { aroundWord, checkWordCount, replyText, type Service } from "./services.ts";

/** Lowers the expressions of one function: what suspends in them becomes blocks, in the order of evaluation. */
export class ExpressionLowering {
  /** The function's first block. */
  readonly entry: BasicBlock;
  protected readonly kernel: Kernel;
  protected readonly graph: Graph;
  protected readonly of: SuspendingFunction;
  #current: BasicBlock;

  constructor(kernel: Kernel, graph: Graph, of: SuspendingFunction) {
    this.kernel = kernel;
    this.graph = graph;
    this.of = of;
    this.entry = this.#current = this.newBlock(of.of.nameStart);
  }

  /** Creates a block, which returns from the function unless it gets another terminator. */
  protected newBlock(start: number): BasicBlock {
    return { start, operations: [], terminator: { kind: "return", pieces: [], targets: [] } };
  }
  /** Lets what follows be of another block. */
  protected goOn(block: BasicBlock): void {
    this.#current = block;
  }
  protected emit(operation: Omit<Operation, "jumps"> & Partial<Operation>): void {
    this.#current.operations.push({ jumps: [], ...operation });
  }
  /** Ends the block; what follows is of `next`. */
  protected end(terminator: Terminator, next: BasicBlock): void {
    this.#current.terminator = terminator;
    this.#current = next;
  }
  protected goto(target: BasicBlock, next = target): void {
    this.end({ kind: "goto", pieces: [], targets: [target] }, next);
  }
  protected branch(
    condition: Piece,
    targets: readonly [BasicBlock, BasicBlock],
    next: BasicBlock,
  ): void {
    this.end({ kind: "branch", pieces: [condition], targets }, next);
  }
  #temp({ start, end }: Node, given: Partial<Temp>): Temp {
    return {
      kind: "placeholder",
      name: "kept",
      keyword: "let",
      nameStart: start,
      start,
      end,
      parts: [],
      ...given,
    };
  }
  #declare(temp: Temp, pieces: readonly Piece[]): Temp {
    this.emit({ start: temp.start, pieces, sets: temp, declares: true });
    return temp;
  }
  /** Keeps the value of an expression in a variable. */
  protected keep(expression: Expression): void {
    const temp = this.#temp(expression, { what: "this value", value: expression });
    this.#declare(temp, [this.#asBefore(expression)]);
    this.graph.replaced.set(expression, temp);
  }
  /** The expression as it is printed now, whatever replaces it later. */
  #asBefore(expression: Expression): Expression {
    const copy = { ...expression };
    const before = this.graph.replaced.get(expression);
    if (before) this.graph.replaced.set(copy, before);
    return copy;
  }

  /** Evaluates an expression whose value is needed at the end of a block. */
  protected condition(condition: Expression): void {
    this.expression(condition);
    const isPointer = (part: Expression) => {
      const variable = localOf(part);
      return isAddress(part) || (variable && pointeeOf(variable)?.isWhole);
    };
    if ([...valuesIn(condition)].some(isPointer)) this.keep(condition);
  }

  /**
   * Carries out the calls of the host in an expression, operands from left to right. Afterwards it can be
   * written without them.
   */
  protected expression(expression: Expression): void {
    if (expression.kind === "name" || !this.kernel.suspends(expression)) return;
    const { kind, text, operands } = expression;
    if ((text === "&&" || text === "||") && this.kernel.suspends(operands[1]!)) {
      return this.#shortCircuit(expression);
    }
    if ((kind === "index" || kind === "member") && isReference(operands[0]!)) {
      return this.place(expression, false);
    }
    if (isAddress(expression)) return this.#address(expression, false);
    this.operands(operands);
    if (kind === "call" && this.kernel.isSuspending(expression)) this.call(expression, true);
  }

  /** Evaluates operands, keeping the values of those before the last that suspends. */
  protected operands(operands: readonly Expression[]): void {
    const last = operands.findLastIndex(this.kernel.suspends);
    operands.forEach((operand, at) => {
      if (isAddress(operand)) return this.#address(operand, at < last);
      this.expression(operand);
      if (at < last && !this.isStable(operand)) this.keep(operand);
    });
  }

  /** Evaluates the indices in a reference; `isLater` if something suspends before it is used. */
  protected place(target: Expression, isLater: boolean): void {
    if (target.kind === "index") {
      const [base, index] = target.operands;
      this.place(base!, isLater || this.kernel.suspends(index!));
      this.expression(index!);
      if (isLater && !this.isStable(index!)) this.keep(index!);
    } else if (target.kind === "member" || target.kind === "group") {
      this.place(target.operands[0]!, isLater);
    } else this.expression(target);
  }

  /** Evaluates the indices of a pointer, which is taken where it is used. */
  #address(address: Expression, isLater: boolean): void {
    const [target] = (address as Expression & { kind: "unary" }).operands;
    if (!isReference(target!)) {
      const reason =
        "a pointer is taken of what a call of the host decides: keep the call's value in a variable first";
      refuse(address, reason);
    }
    this.place(target!, isLater);
  }

  /** `a && b` becomes `var kept = a; if kept { kept = b; }`. */
  #shortCircuit(expression: Expression & { readonly kind: "binary" | string }): void {
    const { text, operands: [left, right] } = expression as Expression & { kind: "binary" };
    const { start } = expression;
    this.expression(left!);
    const kept = this.#declare(
      this.#temp(expression, { keyword: "var", known: BOOL }),
      [left!],
    );
    const [evaluate, join] = [this.newBlock(right!.start), this.newBlock(start)];
    this.branch(
      kept,
      text === "&&" ? [evaluate, join] : [join, evaluate],
      evaluate,
    );
    this.expression(right!);
    this.emit({ start, pieces: [right!], sets: kept });
    this.goto(join);
    this.graph.replaced.set(expression, kept);
  }

  /** Whether the value cannot change during a suspension. */
  protected isStable(expression: Expression): boolean {
    if (this.graph.replaced.has(expression)) return true;
    if (expression.kind === "name") {
      const { declared } = expression;
      if (declared?.kind !== "variable" || declared.keyword !== "var") return true;
      // Local variables only change by statements, unless a pointer to them is passed to a function.
      return declared.isLocal && !this.kernel.module.addressed.has(declared);
    }
    const { kind, text, operands } = expression;
    if (kind === "call" || (kind === "unary" && (text === "&" || text === "*"))) return false;
    return operands.every((operand) => this.isStable(operand));
  }

  /** Calls the host, or a function that does. The arguments have been evaluated. */
  protected call(call: Call, isUsed: boolean): void {
    const kernel = this.kernel;
    const { declared } = call.callee;
    const service = declared?.kind === "function" ? kernel.services.get(declared) : undefined;
    const target = declared?.kind === "function" ? this.graph.functions.get(declared) : undefined;
    if (call.text === "workgroupUniformLoad") return this.#uniformLoad(call);
    if (service) this.#service(call, service);
    else if (target) this.#function(call, target);
    else this.#request(call);
    if (!isUsed) return;
    const known = service ? service.result : target?.result?.known;
    if (!known) {
      return refuse(call, `${call.text} gives nothing back, and a value is wanted`);
    }
    const kept = this.#temp(call, {
      name: `${call.text}_value`,
      what: `what ${call.text} gives back`,
      known,
    });
    this.#declare(kept, [
      target?.result
        ? target.result
        : replyText(kernel.types, known, { reply: kernel.module.libraryName("reply") }),
    ]);
    this.graph.replaced.set(call, kept);
  }

  /** Reads between two barriers: no lane writes before all have read. */
  #uniformLoad(call: Call): void {
    const { types, module } = this.kernel;
    const [pointer] = call.operands;
    const [space, pointed] = (pointer && types.of(pointer))?.args ?? [];
    const known = types.of(call);
    if (space?.name !== "workgroup" || !pointed || !known) {
      return refuse(
        call,
        "it takes a pointer to workgroup memory: write workgroupUniformLoad(&shared_value)",
      );
    }
    const meet = `${module.libraryName("lanes_meet")}();`;
    this.#ask(call, [meet]);
    const kept = this.#temp(call, { name: "uniform_value", known });
    this.#declare(kept, [pointed.name === "atomic" ? "atomicLoad(" : "*(", pointer!, ")"]);
    this.#ask(call, [meet]);
    this.graph.replaced.set(call, kept);
  }

  #service(call: Call, { of, opcode, isCast, parameters }: Service): void {
    const { module, laneWords } = this.kernel;
    this.#checkCount(call, of);
    const wordCount = parameters.reduce((sum, { words }) => sum + words.length, 0);
    checkWordCount(of, laneWords, { does: "takes", wordCount });
    let word = 0;
    const pieces = parameters.flatMap(({ name, type, words }, at): Piece[] => {
      const kept = this.#typed(call.operands[at]!, { name: `${of.name}_${name}`, known: type });
      return words.flatMap((one) => {
        const [before, behind] = aroundWord(one);
        return [`${module.libraryName("packet_set")}(${word++}u, ${before}`, kept, `${behind}); `];
      });
    });
    this.#ask(call, [
      ...pieces,
      `${module.libraryName(isCast ? "cast_call" : "call")}(`,
      opcode,
      ");",
    ]);
  }

  #function(call: Call, target: SuspendingFunction): void {
    this.#checkCount(call, target.of);
    target.of.parameters.forEach((parameter, at) => {
      const argument = call.operands[at]!;
      this.emit({ start: argument.start, pieces: [argument], sets: parameter, declares: true });
    });
    const next = this.newBlock(call.start);
    this.end({ kind: "call", callee: target, pieces: [], targets: [next] }, next);
  }

  #request(call: Call): void {
    const kernel = this.kernel;
    const assert = kernel.asserts.get(call);
    const print = kernel.prints.get(call);
    // A lane whose assertion fails keeps the values, and leaves its step, which is its last.
    if (assert) {
      const values = assert.parameters.flatMap(({ node, around }, at): Piece[] => {
        const [before, after] = around ?? ["", ""];
        return [at === 0 ? before : `, ${before}`, ...node ? [node] : [], after];
      });
      const pieces = [
        "if !(",
        assert.condition,
        `) { ${nameOfPrint(kernel, call)}(`,
        ...values,
        "); return; }",
      ];
      return this.emit({ start: call.start, pieces });
    }
    if (BARRIERS.has(call.text)) {
      if (call.operands.length > 0) refuse(call, `${call.text} takes no arguments`);
      return this.#ask(call, [`${kernel.module.libraryName("lanes_meet")}();`]);
    }
    if (!print) return this.#ask(call, [call, ";"]);
    const given = print.parameters.map(({ node, type, around }) =>
      this.#typed(node!, { name: "printf_argument", known: type }, around)
    );
    const join = this.newBlock(call.start);
    if (print.condition) {
      const known = BOOL;
      const condition = this.#typed(print.condition, { name: "printf_argument", known });
      const then = this.newBlock(call.start);
      this.branch(condition, [then, join], then);
    }
    const pieces = given.flatMap((one, at): Piece[] => at === 0 ? [one] : [", ", one]);
    this.#ask(call, [`${nameOfPrint(kernel, call)}(`, ...pieces, ");"]);
    if (print.condition) this.goto(join);
  }

  /** Declares the type of an argument, so that a compiler reports a wrong one at its position. */
  #typed(
    argument: Expression,
    given: Pick<Temp, "name" | "known">,
    [before, after]: readonly [string, string] = ["", ""],
  ): Piece {
    return this.#declare(this.#temp(argument, given), [
      before,
      argument,
      after,
    ]);
  }

  #ask({ start }: Call, pieces: readonly Piece[]): void {
    const next = this.newBlock(start);
    this.end({ kind: "request", start, pieces, targets: [next] }, next);
  }

  #checkCount({ text, start, operands }: Call, { list, parameters: { length } }: Func): void {
    if (operands.length === length) return;
    const takes = `${text}(${this.kernel.module.textOf(list)}) takes ${length} argument${
      length === 1 ? "" : "s"
    }`;
    refuse({ start }, `${takes}: current value is ${operands.length}`);
  }
}

/** The name of the function that appends a `printf` to the lane's stream, or keeps what an `assert` tells. */
export function nameOfPrint({ module }: Kernel, { start }: Call): string {
  const { line, column } = module.positionAt(start);
  return `${module.freePrefix("put_printf_")}${line}_${column}`;
}

function isAddress(expression: Expression): boolean {
  return expression.kind === "unary" && expression.text === "&";
}

/** Whether an expression is a reference, which is read when it is used. */
function isReference(expression: Expression): boolean {
  const base = baseOf(expression);
  if (base.kind === "unary") return base.text === "*";
  if (base.kind !== "name") return false;
  const variable = localOf(base);
  return variable ? variable.keyword === "var" : true;
}
