import { typeText } from "../../syntax/value_type.ts";
import { freePrefix } from "../../syntax/tokens.ts";
import { shownType } from "../frame/storable_type.ts";
import type { Block, Operation, Piece } from "../graph/basic_block.ts";
import { PiecePrinter, type StepText, tokensOfPiece } from "./piece_printer.ts";
import { pointeeOf } from "../text/pointee.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import type { Variable } from "../text/variable.ts";

/** Writes the steps of one function. */
export class StepPrinter {
  readonly #text: StepText;
  readonly #pieces: PiecePrinter;
  readonly #localNames: ReadonlyMap<Variable, string>;
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
    this.#pieces = new PiecePrinter(text, one, localNames);
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
        writer.write(`${indent}${this.#pieces.backText}\n`);
        return;
      case "request":
        this.#copyAddressed(terminator, indent);
        writer.write(indent).write("", terminator.index);
        this.#pieces.pieces(terminator.pieces);
        writer.write("\n");
        this.#putBack(indent);
        return this.#goto(terminator.next, indent);
      case "call": {
        const { target, next } = terminator;
        const entry = this.#text.graph.entries.get(target)!;
        const back = this.#text.numberNames.get(next)!;
        writer.write(`${indent}${this.#pieces.frameName(target.back!)} = ${back};\n`);
        return this.#goto(entry, indent);
      }
      case "branch":
        writer.write(`${indent}if `);
        this.#pieces.pieces([terminator.condition]);
        writer.write(" {\n");
        this.#arm(terminator.then, indent);
        writer.write(`${indent}} else {\n`);
        this.#arm(terminator.otherwise, indent);
        writer.write(`${indent}}\n`);
        return;
      case "switch":
        writer.write(`${indent}switch `);
        this.#pieces.pieces([terminator.selector]);
        writer.write(" {\n");
        for (const { selectors, target } of terminator.clauses) {
          const isBare = this.#text.module.tokens[selectors.start]!.text === "default" &&
            selectors.end === selectors.start + 1;
          writer.write(`${indent}  ${isBare ? "" : "case "}`);
          this.#pieces.pieces([{ kind: "tokens", ...selectors }, ": {\n"]);
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

  #operation(operation: Operation, indent: string): void {
    const { writer } = this.#text;
    this.#copyAddressed(operation, indent);
    const { pieces, sets, index } = operation;
    writer.write(indent);
    writer.write(sets ? this.#targetText(operation) : "", index);
    this.#pieces.pieces(pieces);
    writer.write(sets || !this.#isClosed(pieces) ? ";\n" : "\n");
    this.#putBack(indent);
  }

  #putBack(indent: string): void {
    for (const text of this.#pieces.storeTexts) this.#text.writer.write(`${indent}${text}\n`);
    this.#pieces.copies.clear();
    this.#pieces.pointers.clear();
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
    // What it gets is put back with the copy, behind all that the value does to the variable.
    const copy = this.#pieces.copies.get(variable);
    if (copy !== undefined) return `${copy} = `;
    if (layout.fieldOf.has(variable)) return `${this.#pieces.frameName(variable)} = `;
    const name = this.#localNames.get(variable);
    // The parameter of another function, which does not use it.
    if (name === undefined) return "_ = ";
    if (this.#declared.has(variable)) return `${name} = `;
    this.#declared = new Set([...this.#declared, variable]);
    const { type, known, keyword } = variable;
    // It begins in another step, which does not hand it on as its value is not wanted here.
    const isTyped = known !== undefined || type.end > type.start || !declares;
    const shown = isTyped ? `: ${typeText(shownType(module, variable))}` : "";
    return `${keyword} ${name}${shown} = `;
  }

  /** A function may take a pointer to a local variable, and not to one in the frame. */
  #copyAddressed({ pieces, sets }: Pick<Operation, "pieces" | "sets">, indent: string): void {
    const { module, layout, writer } = this.#text;
    if (sets && module.typeOf(sets)?.name === "ptr") return;
    const { copies, pointers } = this.#pieces;
    const tokens = pieces.flatMap((piece) => [...tokensOfPiece(piece)]);
    for (const token of tokens) {
      const variable = this.#handedOn(token);
      if (!variable || !layout.fieldOf.has(variable) || copies.has(variable)) continue;
      const name = `${this.#copyPrefix}${variable.name}_${++this.#copyCount}`;
      writer.write(`${indent}var ${name} = ${this.#pieces.frameName(variable)};\n`);
      copies.set(variable, name);
    }
    const declared = new Set(tokens.map((token) => module.tokens[token]!.index));
    for (const token of tokens) {
      const pointer = module.names.get(token);
      const pointee = pointer && pointeeOf(module, pointer);
      const copy = pointee && copies.get(pointee.variable);
      if (copy === undefined || declared.has(pointer!.index)) continue;
      if (!pointee!.isWhole) refusePart(module, token, pointee!.variable);
      pointers.set(pointer!, `(&${copy})`);
    }
  }

  /** The variable to which a function may be handed a pointer at a token. */
  #handedOn(token: number): Variable | undefined {
    const { module } = this.#text;
    const { tokens } = module;
    const variable = module.names.get(token);
    if (!variable || module.addressed.has(token)) return variable;
    const isArgument = /^[(,]$/.test(tokens[token - 1]!.text) &&
      /^[),]$/.test(tokens[token + 1]!.text);
    const pointee = isArgument ? pointeeOf(module, variable) : undefined;
    return pointee?.isWhole ? pointee.variable : undefined;
  }
}

function refusePart(module: StepText["module"], token: number, whole: Variable): never {
  const { text } = module.tokens[token]!;
  return module.refuseAt(
    token,
    `${text} leads into ${whole.name}, to which the same statement hands on a pointer: read or write ${text} in a statement of its own`,
  );
}
