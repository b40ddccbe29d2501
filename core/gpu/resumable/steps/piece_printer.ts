import { type Expression, partsOf } from "../../syntax/expression.ts";
import type { TokenRange } from "../../syntax/tokens.ts";
import type { FrameLayout } from "../frame/frame_layout.ts";
import type { Block, Piece } from "../graph/basic_block.ts";
import type { KernelGraph } from "../graph/graph_builder.ts";
import type { KernelModule } from "../text/kernel_module.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import type { SourceWriter } from "./source_writer.ts";
import type { Variable } from "../text/variable.ts";

/** What the steps of a kernel are written by. */
export interface StepText {
  readonly module: KernelModule;
  readonly graph: KernelGraph;
  readonly layout: FrameLayout;
  /** The constant that holds the number of a step. */
  readonly numberNames: ReadonlyMap<Block, string>;
  readonly writer: SourceWriter;
}

/** Writes the author's expressions and statements, with their names as they are in steps. */
export class PiecePrinter {
  /** Variables of the frame that a statement has a copy of, because it takes a pointer. */
  readonly copies = new Map<Variable, string>();
  /** What stands for pointers to those variables. */
  readonly pointers = new Map<Variable, string>();
  readonly #text: StepText;
  readonly #function: SuspendingFunction;
  readonly #localNames: ReadonlyMap<Variable, string>;

  /** @param localNames of the function's variables and of the constants */
  constructor(
    text: StepText,
    one: SuspendingFunction,
    localNames: ReadonlyMap<Variable, string>,
  ) {
    this.#text = text;
    this.#function = one;
    this.#localNames = localNames;
  }

  /** Where the frame holds a variable. */
  frameName(variable: Variable): string {
    return `frame.${this.#text.layout.fieldOf.get(variable)!.name}`;
  }

  /** How the function ends. */
  get backText(): string {
    const { back } = this.#function;
    return back ? `go(${this.frameName(back)});` : "finish();";
  }

  /** What puts copies back into the frame. */
  get storeTexts(): string[] {
    return [...this.copies].map(([variable, name]) => `${this.frameName(variable)} = ${name};`);
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
    if (value && result) {
      writer.write(`${this.frameName(result)} = `);
      this.#expression(value);
      writer.write("; ");
    }
    for (const text of this.storeTexts) writer.write(`${text} `);
    writer.write(target ? `go(${numberNames.get(target)!});` : this.backText);
    writer.write(" return; }");
  }

  #nameOf(variable: Variable): string {
    const copy = this.copies.get(variable) ?? this.pointers.get(variable);
    if (copy !== undefined) return copy;
    if (this.#text.layout.fieldOf.has(variable)) return this.frameName(variable);
    return this.#localNames.get(variable) ?? variable.name;
  }
}

/** The tokens of a piece that may be names. */
export function* tokensOfPiece(piece: Piece): Generator<number> {
  if (typeof piece === "string") return;
  if (piece.kind === "tokens") {
    for (let at = piece.start; at < piece.end; at++) yield at;
    return;
  }
  for (const { kind, start } of partsOf(piece)) if (kind === "name") yield start;
}
