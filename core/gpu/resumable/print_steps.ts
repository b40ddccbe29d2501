import { type Expression, partsOf } from "../syntax/expression.ts";
import type { TokenRange } from "../syntax/tokens.ts";
import { typeText } from "../syntax/value_type.ts";
import { freePrefix } from "../syntax/free_prefix.ts";
import type { FrameLayout } from "./frame/frame_layout.ts";
import { storableType } from "./frame/storable_type.ts";
import type { Block, Operation, Piece } from "./graph/basic_block.ts";
import type { KernelGraph } from "./graph/graph_builder.ts";
import type { KernelModule } from "./kernel_module.ts";
import type { SuspendingFunction } from "./resolve_names.ts";
import type { SourceWriter } from "./source_writer.ts";
import type { Variable } from "./variable.ts";

/** What the steps of a kernel are written by. */
export interface StepText {
  readonly module: KernelModule;
  readonly graph: KernelGraph;
  readonly layout: FrameLayout;
  /** The constant that holds the number of a step. */
  readonly numberNames: ReadonlyMap<Block, string>;
  readonly writer: SourceWriter;
}

/** Writes the steps of one function. */
export class StepPrinter {
  readonly #text: StepText;
  readonly #function: SuspendingFunction;
  readonly #localNames: ReadonlyMap<Variable, string>;
  /** Variables of the frame that a statement has a copy of, because it takes a pointer. */
  readonly #copies = new Map<Variable, string>();
  readonly #copyPrefix: string;
  #copyCount = 0;
  /** Local variables that the step has declared on the way to here. */
  #declared: ReadonlySet<Variable> = new Set();

  /** @param localNames of the function's variables and of the constants */
  constructor(
    text: StepText,
    one: SuspendingFunction,
    localNames: ReadonlyMap<Variable, string>,
  ) {
    this.#text = text;
    this.#function = one;
    this.#localNames = localNames;
    this.#copyPrefix = freePrefix(text.module.tokens, "copy_");
  }

  /** Writes the function of one step. */
  step(block: Block, name: string): void {
    this.#text.writer.write(`fn ${name}() {\n`, block.index);
    this.#declared = new Set();
    this.#copyCount = 0;
    this.#block(block, "  ");
    this.#text.writer.write("}\n");
  }

  #block(block: Block, indent: string): void {
    for (const operation of block.operations) this.#operation(operation, indent);
    const { terminator } = block;
    const { writer } = this.#text;
    switch (terminator.kind) {
      case "goto":
        return this.#goto(terminator.target, indent);
      case "return":
        writer.write(`${indent}${this.#backText()}\n`);
        return;
      case "request":
        writer.write(indent);
        this.pieces(terminator.pieces);
        writer.write("\n");
        return this.#goto(terminator.next, indent);
      case "call": {
        const { target, next } = terminator;
        const entry = this.#text.graph.entries.get(target)!;
        const back = this.#text.numberNames.get(next)!;
        writer.write(`${indent}${this.#frameName(target.back!)} = ${back};\n`);
        return this.#goto(entry, indent);
      }
      case "branch":
        writer.write(`${indent}if `);
        this.pieces([terminator.condition]);
        writer.write(" {\n");
        this.#arm(terminator.then, indent);
        writer.write(`${indent}} else {\n`);
        this.#arm(terminator.otherwise, indent);
        writer.write(`${indent}}\n`);
        return;
      case "switch":
        writer.write(`${indent}switch `);
        this.pieces([terminator.selector]);
        writer.write(" {\n");
        for (const { selectors, target } of terminator.clauses) {
          const isBare = this.#text.module.tokens[selectors.start]!.text === "default" &&
            selectors.end === selectors.start + 1;
          writer.write(`${indent}  ${isBare ? "" : "case "}`);
          this.pieces([{ kind: "tokens", ...selectors }, ": {\n"]);
          this.#arm(target, `${indent}  `);
          writer.write(`${indent}  }\n`);
        }
        writer.write(`${indent}}\n`);
    }
  }

  /** What a branch leads to: a step, or the block itself, to which nothing else leads. */
  #arm(target: Block, indent: string): void {
    const before = this.#declared;
    this.#goto(target, `${indent}  `);
    this.#declared = before;
  }

  #goto(target: Block, indent: string): void {
    const number = this.#text.numberNames.get(target);
    if (number === undefined) this.#block(target, indent);
    else this.#text.writer.write(`${indent}go(${number});\n`);
  }

  /** How the function ends. */
  #backText(): string {
    const { back } = this.#function;
    return back ? `go(${this.#frameName(back)});` : "finish();";
  }

  #frameName(variable: Variable): string {
    return `frame.${this.#text.layout.fieldOf.get(variable)!.name}`;
  }

  #operation(operation: Operation, indent: string): void {
    const { writer } = this.#text;
    this.#copyAddressed(operation, indent);
    const { pieces, sets, index } = operation;
    writer.write(indent);
    writer.write(sets ? this.#targetText(operation) : "", index);
    this.pieces(pieces);
    writer.write(sets || !this.#isClosed(pieces) ? ";\n" : "\n");
    for (const text of this.#storeTexts()) writer.write(`${indent}${text}\n`);
    this.#copies.clear();
  }

  /** The statements in the head of a `for` have no semicolon of their own. */
  #isClosed(pieces: readonly Piece[]): boolean {
    const last = pieces.at(-1)!;
    if (typeof last === "string") return true;
    return /^[;}]$/.test(this.#text.module.tokens[last.end - 1]!.text);
  }

  #targetText({ sets, declares }: Operation): string {
    const variable = sets!;
    const { layout, module } = this.#text;
    if (layout.fieldOf.has(variable)) return `${this.#frameName(variable)} = `;
    const name = this.#localNames.get(variable);
    // The parameter of another function, which does not use it.
    if (name === undefined) return "_ = ";
    if (this.#declared.has(variable)) return `${name} = `;
    this.#declared = new Set([...this.#declared, variable]);
    const { type, known, keyword } = variable;
    // It begins in another step, which does not hand it on as its value is not wanted here.
    const isTyped = known !== undefined || type.end > type.start || !declares;
    const shown = isTyped ? `: ${typeText(storableType(module, variable))}` : "";
    return `${keyword} ${name}${shown} = `;
  }

  /** A function may take a pointer to a local variable, and not to one in the frame. */
  #copyAddressed({ pieces, sets }: Operation, indent: string): void {
    const { module, layout, writer } = this.#text;
    if (sets && module.typeOf(sets)?.name === "ptr") return;
    for (const token of pieces.flatMap((piece) => [...tokensOfPiece(piece)])) {
      const variable = module.names.get(token);
      if (!variable || !module.addressed.has(token) || !layout.fieldOf.has(variable)) continue;
      if (this.#copies.has(variable)) continue;
      const name = `${this.#copyPrefix}${variable.name}_${++this.#copyCount}`;
      writer.write(`${indent}var ${name} = ${this.#frameName(variable)};\n`);
      this.#copies.set(variable, name);
    }
  }

  #storeTexts(): string[] {
    return [...this.#copies].map(([variable, name]) => `${this.#frameName(variable)} = ${name};`);
  }

  /** Writes the parts of a statement or of a value. */
  pieces(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (typeof piece === "string") this.#text.writer.write(piece);
      else if (piece.kind === "tokens") this.#tokens(piece);
      else this.#expression(piece);
    }
  }

  #expression(expression: Expression): void {
    const { module, graph, writer } = this.#text;
    const replaced = graph.replaced.get(expression);
    if (replaced) {
      writer.write(this.#nameOf(replaced), module.tokens[expression.start]!.index);
      return;
    }
    let at = expression.start;
    for (const operand of expression.operands) {
      this.#tokens({ start: at, end: operand.start }, operand.start);
      this.#expression(operand);
      at = operand.end;
      this.#gap(at, expression.end);
    }
    this.#tokens({ start: at, end: expression.end });
  }

  /** What stands between two tokens, comments included. */
  #gap(at: number, end: number): void {
    if (at < end) this.#text.writer.write(this.#gapText(at));
  }

  #gapText(at: number): string {
    const { tokens, source } = this.#text.module;
    const before = tokens[at - 1]!;
    return source.slice(before.index + before.text.length, tokens[at]!.index);
  }

  /** @param gapEnd the token up to which blanks are written, too */
  #tokens({ start, end }: TokenRange, gapEnd = 0): void {
    const { module: { tokens, names }, graph, writer } = this.#text;
    for (let at = start; at < end;) {
      const token = tokens[at]!;
      const jump = graph.jumps.get(at);
      if (jump) {
        this.#jump(at);
        at = jump.end;
      } else {
        const variable = names.get(at);
        writer.write(variable ? this.#nameOf(variable) : token.text, token.index);
        at++;
      }
      if (at < end || at === gapEnd) writer.write(this.#gapText(at));
    }
  }

  /** A way out of a statement that is kept as it is. */
  #jump(at: number): void {
    const { graph, writer, numberNames, module } = this.#text;
    const { target, value } = graph.jumps.get(at)!;
    const { result } = this.#function;
    const { index } = module.tokens[at]!;
    writer.write("{ ", index);
    if (value && !result) {
      module.refuse(index, "a value is given back by a function without a result");
    }
    if (value && result) {
      writer.write(`${this.#frameName(result)} = `);
      this.#expression(value);
      writer.write("; ");
    }
    for (const text of this.#storeTexts()) writer.write(`${text} `);
    writer.write(target ? `go(${numberNames.get(target)!});` : this.#backText());
    writer.write(" return; }");
  }

  #nameOf(variable: Variable): string {
    const copy = this.#copies.get(variable);
    if (copy !== undefined) return copy;
    if (this.#text.layout.fieldOf.has(variable)) return this.#frameName(variable);
    return this.#localNames.get(variable) ?? variable.name;
  }
}

function* tokensOfPiece(piece: Piece): Generator<number> {
  if (typeof piece === "string") return;
  if (piece.kind === "tokens") {
    for (let at = piece.start; at < piece.end; at++) yield at;
    return;
  }
  for (const { kind, start } of partsOf(piece)) if (kind === "name") yield start;
}
