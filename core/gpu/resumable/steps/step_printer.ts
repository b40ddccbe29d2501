import { freeName, freePrefix, type TokenRange } from "../../syntax/tokens.ts";
import {
  type Block,
  type KernelGraph,
  type Operation,
  type Piece,
  reachableFrom,
} from "../graph/kernel_graph.ts";
import { LIBRARY_NAMES, pointeeOf, type Variable } from "../text/kernel_module.ts";
import type { KernelModule } from "../text/kernel_module.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import type { TextEdit, TextPosition } from "../../syntax/wgsl_text.ts";
import { type Expression, partsOf } from "../../syntax/expression.ts";
import { type FrameLayout, shownType } from "./frame_layout.ts";
import { isResult, keepResult } from "./saved_types.ts";
import { typeText } from "../../syntax/value_type.ts";

/** Names that generated steps use, and that local variables must not hide. */
const GENERATED = [
  ..."bitcast select u32 i32 f32 f16 bool array vec2 vec3 vec4".split(" "),
  ...[2, 3, 4].flatMap((columns) => [2, 3, 4].map((rows) => `mat${columns}x${rows}`)),
];

/** Chooses the names in one function, which begins in a block. */
export type LocalNames = (
  one: SuspendingFunction,
  entry: Block,
) => ReadonlyMap<Variable, string>;

/**
 * Chooses names for the local variables and constants of a kernel. Steps dissolve the blocks of a
 * function, so the names of its variables must differ from each other and from everything else in the
 * text.
 */
export function localNames(module: KernelModule, graph: KernelGraph): LocalNames {
  const { tokens } = module;
  const others = tokens.filter(({ kind }, at) =>
    kind === "name" && !module.names.has(at) && tokens[at - 1]?.text !== "."
  );
  const used = [...GENERATED, ...LIBRARY_NAMES.map(module.libraryName)];
  const mentioned = new Set([...used, ...others.map(({ text }) => text)]);
  const constants = graph.constants.map(({ variable }) =>
    [variable, module.constantName(variable)] as const
  );
  const parameters = new Set([...graph.entries.keys()].flatMap((one) => one.parameters));
  return (one, entry) => {
    const names = new Map(constants);
    const taken = new Set(mentioned);
    const { start, end } = one.declaration.whole;
    const own = Array.from({ length: end - start }, (_, at) => module.names.get(start + at));
    const set = reachableFrom(entry).flatMap(({ operations }) => operations.map(({ sets }) => sets))
      .filter((variable) => variable && !parameters.has(variable) && variable !== one.result);
    for (const variable of [...one.parameters, ...own, ...set]) {
      if (!variable || names.has(variable)) continue;
      names.set(variable, freeName(variable.name, taken));
    }
    return names;
  };
}

/** Writes generated text, and records where each part comes from in the author's text. */
export class SourceWriter {
  text = "";
  readonly #segments: { readonly start: number; readonly index: number }[] = [];

  /** @param index its origin in the author's text, if it has one */
  write(text: string, index?: number): this {
    if (index !== undefined) this.#segments.push({ start: this.text.length, index });
    this.text += text;
    return this;
  }

  /** Maps a position in the written text to its origin in the author's text, if it has one. */
  authorIndex({ line, column }: TextPosition): number | undefined {
    let lineStart = 0;
    for (let before = line; before > 1; before--) {
      lineStart = this.text.indexOf("\n", lineStart) + 1;
      if (lineStart === 0) return undefined;
    }
    const lineEnd = this.text.indexOf("\n", lineStart);
    if (lineEnd < 0) return undefined;
    const at = Math.min(lineStart + column - 1, lineEnd);
    return this.#segments.findLast(({ start }) => start <= at)?.index;
  }
}

/** What is needed to write the steps of a kernel. */
export interface StepText {
  readonly module: KernelModule;
  readonly graph: KernelGraph;
  readonly layout: FrameLayout;
  readonly numberNames: ReadonlyMap<Block, string>;
  /** Replacements of strings, by their first character. */
  readonly edits: ReadonlyMap<number, TextEdit>;
  readonly writer: SourceWriter;
}

/** Writes the steps of one function, with names changed as steps require. */
export class StepPrinter {
  readonly #text: StepText;
  readonly #function: SuspendingFunction;
  readonly #localNames: ReadonlyMap<Variable, string>;
  readonly #copyPrefix: string;
  #copyCount = 0;
  /** Local variables that the step has declared so far. */
  #declared: ReadonlySet<Variable> = new Set();
  /** Copies of variables of the frame to which a statement takes pointers. */
  readonly #copies = new Map<Variable, string>();
  /** Replacements of pointers to these variables. */
  readonly #pointers = new Map<Variable, string>();

  /** @param localNames the names of the function's variables and of the constants */
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
    const { targets: [next, other], pieces } = terminator;
    const { writer } = this.#text;
    switch (terminator.kind) {
      case "goto":
        return this.#goto(next!, indent);
      case "return":
        writer.write(`${indent}${this.#backText}\n`);
        return;
      case "request":
        this.#copyAddressed(terminator, indent);
        writer.write(indent).write("", terminator.index);
        this.pieces(pieces);
        writer.write("\n");
        this.#putBack(indent);
        return this.#goto(next!, indent);
      case "call": {
        const { callee } = terminator;
        const entry = this.#text.graph.entries.get(callee)!;
        const back = this.#text.numberNames.get(next!)!;
        writer.write(`${indent}${this.#frameName(callee.back!)} = ${back};\n`);
        return this.#goto(entry, indent);
      }
      case "branch":
        writer.write(`${indent}if `);
        this.pieces(pieces);
        writer.write(" {\n");
        this.#arm(next!, indent);
        writer.write(`${indent}} else {\n`);
        this.#arm(other!, indent);
        writer.write(`${indent}}\n`);
        return;
      case "switch":
        writer.write(`${indent}switch `);
        this.pieces(pieces);
        writer.write(" {\n");
        for (const [at, selectors] of terminator.selectors.entries()) {
          const isBare = this.#text.module.tokens[selectors.start]!.text === "default" &&
            selectors.end === selectors.start + 1;
          writer.write(`${indent}  ${isBare ? "" : "case "}`);
          this.pieces([{ kind: "tokens", ...selectors }, ": {\n"]);
          this.#arm(terminator.targets[at]!, `${indent}  `);
          writer.write(`${indent}  }\n`);
        }
        writer.write(`${indent}}\n`);
    }
  }

  /** Writes the target of a branch: a jump to a step, or the block itself if nothing else leads to it. */
  #arm(target: Block, indent: string): void {
    const before = this.#declared;
    this.#goto(target, `${indent}  `);
    this.#declared = before;
  }

  #goto(target: Block, indent: string): void {
    const number = this.#text.numberNames.get(target);
    if (number === undefined) this.#block(target, indent);
    else this.#text.writer.write(`${indent}${this.#goText(number)}\n`);
  }

  #operation(operation: Operation, indent: string): void {
    const { writer, layout, module } = this.#text;
    this.#copyAddressed(operation, indent);
    const { pieces, sets, index } = operation;
    writer.write(indent);
    const kept = sets && layout.fieldOf.get(sets);
    if (kept && isResult(kept.type)) {
      const [before, behind] = keepResult(module, {
        target: this.#frameName(sets),
        type: kept.type,
      });
      writer.write(before, index);
      this.pieces(pieces);
      writer.write(`${behind}\n`);
      return this.#putBack(indent);
    }
    writer.write(sets ? this.#targetText(operation) : "", index);
    this.pieces(pieces);
    writer.write(sets || !this.#isClosed(pieces) ? ";\n" : "\n");
    this.#putBack(indent);
  }

  #putBack(indent: string): void {
    for (const text of this.#storeTexts) this.#text.writer.write(`${indent}${text}\n`);
    this.#copies.clear();
    this.#pointers.clear();
  }

  /** Whether a statement has its own semicolon, unlike those in the head of a `for`. */
  #isClosed(pieces: readonly Piece[]): boolean {
    const last = pieces.at(-1)!;
    if (typeof last === "string") return true;
    return /^[;}]$/.test(this.#text.module.tokens[last.end - 1]!.text);
  }

  #targetText({ sets, declares }: Operation): string {
    const variable = sets!;
    const { layout, module } = this.#text;
    // The copy is stored back after the value has been evaluated.
    const copy = this.#copies.get(variable);
    if (copy !== undefined) return `${copy} = `;
    if (layout.fieldOf.has(variable)) return `${this.#frameName(variable)} = `;
    const name = this.#localNames.get(variable);
    // The parameter of another function that does not use it.
    if (name === undefined) return "_ = ";
    if (this.#declared.has(variable)) return `${name} = `;
    this.#declared = new Set([...this.#declared, variable]);
    const { type, known, keyword } = variable;
    // It is declared in another step, which does not keep it as its value is not needed here.
    const isTyped = known !== undefined || type.end > type.start || !declares;
    const shown = isTyped ? `: ${typeText(shownType(module, variable))}` : "";
    return `${keyword} ${name}${shown} = `;
  }

  /** Copies variables whose address is passed, as functions cannot take pointers into the frame. */
  #copyAddressed({ pieces, sets }: Pick<Operation, "pieces" | "sets">, indent: string): void {
    const { module, layout, writer } = this.#text;
    if (sets && module.typeOf(sets)?.name === "ptr") return;
    const [copies, pointers] = [this.#copies, this.#pointers];
    const tokens = pieces.flatMap(tokensOfPiece);
    for (const token of tokens) {
      const variable = this.#handedOn(token);
      if (!variable || !layout.fieldOf.has(variable) || copies.has(variable)) continue;
      const name = `${this.#copyPrefix}${variable.name}_${++this.#copyCount}`;
      writer.write(`${indent}var ${name} = ${this.#frameName(variable)};\n`);
      copies.set(variable, name);
    }
    const declared = new Set(tokens.map((token) => module.tokens[token]!.index));
    for (const token of tokens) {
      const pointer = module.names.get(token);
      const pointee = pointer && pointeeOf(module, pointer);
      const copy = pointee && copies.get(pointee.variable);
      if (copy === undefined || declared.has(pointer!.index)) continue;
      if (!pointee!.isWhole) {
        const { name } = pointer!;
        module.refuseAt(
          token,
          `${name} leads into ${
            pointee!.variable.name
          }, to which the same statement hands on a pointer: read or write ${name} in a statement of its own`,
        );
      }
      pointers.set(pointer!, `(&${copy})`);
    }
  }

  /** The variable to which a function may be passed a pointer at a token. */
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

  /** The frame's field of a variable. */
  #frameName(variable: Variable): string {
    const { module, layout } = this.#text;
    return `${module.libraryName("frame")}.${layout.fieldOf.get(variable)!.name}`;
  }

  get #backText(): string {
    const { back } = this.#function;
    if (back) return this.#goText(this.#frameName(back));
    return `${this.#text.module.libraryName("finish")}();`;
  }

  #goText(step: string): string {
    return `${this.#text.module.libraryName("go")}(${step});`;
  }

  /** Writes the statements that store copies back into the frame. */
  get #storeTexts(): string[] {
    return [...this.#copies].map(([variable, name]) => `${this.#frameName(variable)} = ${name};`);
  }

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
      if (at < expression.end) writer.write(this.#gapText(at));
    }
    this.#tokens({ start: at, end: expression.end });
  }

  /** The text between the previous token and this one, including comments. */
  #gapText(at: number): string {
    const { tokens, text: { source } } = this.#text.module;
    const before = tokens[at - 1]!;
    return source.slice(before.index + before.text.length, tokens[at]!.index);
  }

  /** @param gapEnd the token up to which blanks are written as well */
  #tokens({ start, end }: TokenRange, gapEnd = 0): void {
    const { module: { tokens, names }, graph, writer, edits } = this.#text;
    for (let at = start; at < end;) {
      const token = tokens[at]!;
      const jump = graph.jumps.get(at);
      const edit = edits.get(token.index);
      if (jump) {
        this.#jump(at);
        at = jump.end;
      } else if (edit) {
        writer.write(edit.text, token.index);
        while (at < end && tokens[at]!.index < edit.end) at++;
      } else {
        const variable = names.get(at);
        writer.write(variable ? this.#nameOf(variable) : token.text, token.index);
        at++;
      }
      if (at < end || at === gapEnd) writer.write(this.#gapText(at));
    }
  }

  /** Writes a jump out of a kept statement. */
  #jump(at: number): void {
    const { graph, writer, numberNames, module } = this.#text;
    const { target, value } = graph.jumps.get(at)!;
    const { result } = this.#function;
    const { index } = module.tokens[at]!;
    writer.write("{ ", index);
    if (value && result) {
      writer.write(`${this.#frameName(result)} = `);
      this.#expression(value);
      writer.write("; ");
    }
    for (const text of this.#storeTexts) writer.write(`${text} `);
    writer.write(target ? this.#goText(numberNames.get(target)!) : this.#backText);
    writer.write(" return; }");
  }

  #nameOf(variable: Variable): string {
    const copy = this.#copies.get(variable) ?? this.#pointers.get(variable);
    if (copy !== undefined) return copy;
    if (this.#text.layout.fieldOf.has(variable)) return this.#frameName(variable);
    return this.#localNames.get(variable) ?? variable.name;
  }
}

/** The tokens of a piece that may be names. */
function tokensOfPiece(piece: Piece): readonly number[] {
  if (typeof piece === "string") return [];
  if (piece.kind !== "tokens") {
    return [...partsOf(piece)].filter(({ kind }) => kind === "name").map(({ start }) => start);
  }
  return Array.from({ length: piece.end - piece.start }, (_, at) => piece.start + at);
}
