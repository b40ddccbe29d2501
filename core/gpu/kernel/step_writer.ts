import { RESULTS } from "../text/builtins.ts";
import { type Position, refuse } from "../text/lines.ts";
import { freeName } from "../text/link.ts";
import { type Piece, Printer } from "../text/printer.ts";
import { baseOf, type Func, localOf, type Node, nodesIn } from "../text/syntax.ts";
import { typeText } from "../text/value_type.ts";
import type { FrameLayout } from "./frame.ts";
import {
  type BasicBlock,
  type Graph,
  type Operation,
  pointeeOf,
  reachableFrom,
  shownType,
  type Slot,
  stepsOf,
  type SuspendingFunction,
  type Temp,
  typeOfSlot,
} from "./graph.ts";
import type { Kernel } from "./kernel.ts";
import { isResult, keptText } from "./saved.ts";

/** What generated steps and frames mention of the library, or it of them. */
export const LIBRARY_NAMES: readonly string[] =
  `call cast_call finish Frame frame frame_load frame_save go lane_fail
  lane_memory lane_states lanes_meet memory_base packet_set portlab_entry printf_before printf_ended printf_place
  printf_put printf_repeats put_word reply SavedFrame SavedShared shared_load shared_save wave_states
  ERROR_ASSERTION_FAILED`.split(/\s+/);
/** Names of WGSL that generated steps use, and that local variables must not hide. */
const GENERATED =
  `bitcast select u32 i32 f32 f16 bool array vec2 vec3 vec4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4
  mat4x2 mat4x3 mat4x4`.split(/\s+/);

/** A block that is a function of its own, and the author's function that it is of. */
export interface NamedStep {
  readonly block: BasicBlock;
  readonly name: string;
  readonly of: Func;
}

/** Writes the steps of a kernel. */
export class StepWriter {
  /** What the author calls what has another name in steps. */
  readonly authorNames = new Map<string, string>();
  readonly #kernel: Kernel;
  readonly #graph: Graph;
  readonly #layout: FrameLayout;
  readonly #numbers: ReadonlyMap<BasicBlock, string>;
  readonly #printer: Printer;
  readonly #copyPrefix: string;
  #function!: SuspendingFunction;
  #names: ReadonlyMap<Slot, string> = new Map();
  #copyCount = 0;
  /** Local variables that the step has declared so far. */
  #declared: ReadonlySet<Slot> = new Set();
  /** Copies of variables of the frame to which a statement takes pointers. */
  readonly #copies = new Map<Slot, string>();
  /** Replacements of pointers to these variables. */
  readonly #pointers = new Map<Slot, string>();

  constructor(
    kernel: Kernel,
    graph: Graph,
    { layout, steps }: { readonly layout: FrameLayout; readonly steps: readonly NamedStep[] },
  ) {
    const { module } = kernel;
    this.#kernel = kernel;
    this.#graph = graph;
    this.#layout = layout;
    this.#numbers = new Map(steps.map(({ block, name }) => [block, name.toUpperCase()]));
    this.#copyPrefix = module.freePrefix("copy_");
    this.#printer = new Printer(module.source, (node) => this.#rewritten(node));
    this.#printer.write(
      steps.map(({ name }, number) => `const ${name.toUpperCase()} = ${number}u;\n`).join(""),
    );
    const namesOf = this.#localNames();
    for (const [one, entry] of graph.entries) {
      this.#function = one;
      this.#names = namesOf(one, entry);
      this.#constants(one.of);
      const own = new Set(stepsOf(entry));
      for (const { block, name } of steps) if (own.has(block)) this.#step(block, name);
    }
  }

  /** Writes the constants of a function, for all of its steps. */
  #constants(of: Func): void {
    for (const constant of this.#graph.constants) {
      if (constant.start < of.start || constant.end > of.end) continue;
      this.#printer.write(`const ${this.#names.get(constant)!}`, constant.nameStart);
      if (constant.type) this.#printer.print(": ", constant.type);
      this.#printer.print(" = ", constant.value!, ";\n");
    }
  }

  /** The steps, and the constants of their numbers. */
  get text(): string {
    return this.#printer.text;
  }

  /** The author's character that a position of the steps comes from. */
  origin(position: Position): number | undefined {
    return this.#printer.origin(position);
  }

  /**
   * Chooses names for local variables and constants. Steps dissolve blocks, so the names of a function's variables
   * must differ from each other and from everything else in the text.
   */
  #localNames() {
    const { module } = this.#kernel;
    const mentioned = new Set([
      ...GENERATED,
      ...LIBRARY_NAMES.map(module.libraryName),
      ...module.byName.keys(),
    ]);
    for (const one of module.globals) {
      for (const node of nodesIn(one)) {
        if (node.kind === "name" && !localOf(node)) mentioned.add(node.text);
      }
    }
    const prefix = module.freePrefix("const_");
    const constants = this.#graph.constants.map((one) => {
      const { line, column } = module.positionAt(one.nameStart);
      return [one, `${prefix}${one.name}_${line}_${column}`] as const;
    });
    return ({ of, result }: SuspendingFunction, entry: BasicBlock): ReadonlyMap<Slot, string> => {
      const names = new Map<Slot, string>(constants);
      const taken = new Set(mentioned);
      const own = [...nodesIn(of)].filter((node) => node.kind === "variable");
      const set = reachableFrom(entry).flatMap(({ operations }) =>
        operations.map(({ sets }) => sets)
      )
        .filter((slot) =>
          slot && slot !== result && !(slot.kind === "variable" && slot.keyword === "parameter")
        );
      for (const slot of [...own, ...set]) {
        if (slot && !names.has(slot)) names.set(slot, freeName(slot.name, taken));
      }
      for (const [slot, name] of names) {
        if (name !== slot.name) this.authorNames.set(name, slot.name);
      }
      return names;
    };
  }

  /** What a node becomes in a step. */
  #rewritten(node: Node): readonly Piece[] | undefined {
    if (node.kind === "placeholder") return [this.#nameOf(node as Temp)];
    const kept = this.#graph.replaced.get(node);
    if (kept) return [this.#nameOf(kept)];
    const jump = this.#graph.jumps.get(node);
    if (jump) return this.#jump(jump);
    const local = localOf(node);
    if (local) return [this.#nameOf(local)];
    // A variable that a kept statement declares.
    if (node.kind === "variable" && this.#names.get(node) !== node.name) {
      const { keyword, type, value } = node;
      const space = keyword === "var" && node.space ? "<function>" : "";
      return [
        `${keyword}${space} ${this.#nameOf(node)}`,
        ...type ? [": ", type] : [],
        ...value ? [" = ", value] : [],
      ];
    }
    return this.#kernel.text.rewrite(node);
  }

  #nameOf(slot: Slot): string {
    const copy = this.#copies.get(slot) ?? this.#pointers.get(slot);
    if (copy !== undefined) return copy;
    if (this.#layout.fieldOf.has(slot)) return this.#frameName(slot);
    return this.#names.get(slot) ?? slot.name;
  }

  #frameName(slot: Slot): string {
    return `${this.#kernel.module.libraryName("frame")}.${this.#layout.fieldOf.get(slot)!.name}`;
  }

  #goText(step: string): string {
    return `${this.#kernel.module.libraryName("go")}(${step});`;
  }

  get #backText(): string {
    const { back } = this.#function;
    return back
      ? this.#goText(this.#frameName(back))
      : `${this.#kernel.module.libraryName("finish")}();`;
  }

  /** A jump out of a kept statement. */
  #jump(
    { target, value }: {
      readonly target?: BasicBlock | undefined;
      readonly value?: Node | undefined;
    },
  ): readonly Piece[] {
    const { result } = this.#function;
    return [
      "{ ",
      ...value && result ? [`${this.#frameName(result)} = `, value, "; "] : [],
      ...this.#storeTexts.map((text) => `${text} `),
      target ? this.#goText(this.#numbers.get(target)!) : this.#backText,
      " return; }",
    ];
  }

  #step(block: BasicBlock, name: string): void {
    this.#printer.write(`fn ${name}() {\n`, block.start);
    this.#declared = new Set();
    this.#copyCount = 0;
    this.#block(block, "  ");
    this.#printer.write("}\n");
  }

  #block({ operations, terminator }: BasicBlock, indent: string): void {
    const printer = this.#printer;
    for (const operation of operations) this.#operation(operation, indent);
    const { targets: [next, other], pieces } = terminator;
    switch (terminator.kind) {
      case "goto":
        return this.#goto(next!, indent);
      case "return":
        printer.write(`${indent}${this.#backText}\n`);
        return;
      case "request":
        this.#copyAddressed(pieces, indent);
        printer.write(indent, terminator.start).print(...pieces, "\n");
        this.#putBack(indent);
        return this.#goto(next!, indent);
      case "call": {
        const callee = terminator.callee!;
        printer.write(
          `${indent}${this.#frameName(callee.back!)} = ${this.#numbers.get(next!)!};\n`,
        );
        return this.#goto(this.#graph.entries.get(callee)!, indent);
      }
      case "branch":
        printer.print(`${indent}if `, ...pieces, " {\n");
        this.#arm(next!, indent);
        printer.write(`${indent}} else {\n`);
        this.#arm(other!, indent);
        printer.write(`${indent}}\n`);
        return;
      case "switch":
        printer.print(`${indent}switch `, ...pieces, " {\n");
        for (const [at, { selectors, isDefault }] of terminator.clauses!.entries()) {
          const cases = selectors.flatMap((one, at): Piece[] => [at === 0 ? "case " : ", ", one]);
          const rest = !isDefault ? "" : selectors.length > 0 ? ", default" : "default";
          printer.print(`${indent}  `, ...cases, `${rest}: {\n`);
          this.#arm(terminator.targets[at]!, `${indent}  `);
          printer.write(`${indent}  }\n`);
        }
        printer.write(`${indent}}\n`);
    }
  }

  /** Writes the target of a branch: a jump to a step, or the block itself if nothing else leads to it. */
  #arm(target: BasicBlock, indent: string): void {
    const before = this.#declared;
    this.#goto(target, `${indent}  `);
    this.#declared = before;
  }

  #goto(target: BasicBlock, indent: string): void {
    const number = this.#numbers.get(target);
    if (number === undefined) this.#block(target, indent);
    else this.#printer.write(`${indent}${this.#goText(number)}\n`);
  }

  #operation({ pieces, sets, start, declares = false }: Operation, indent: string): void {
    const printer = this.#printer;
    if (!sets || typeOfSlot(this.#kernel.types, sets)?.name !== "ptr") {
      this.#copyAddressed(pieces, indent);
    }
    printer.write(indent);
    const kept = sets && this.#layout.fieldOf.get(sets);
    if (kept && isResult(kept.type)) {
      const name = this.#kernel.module.freePrefix("result_");
      const members = RESULTS[kept.type.name]!.map((member) => `${name}.${member}`).join(", ");
      printer.write(`{ let ${name} = `, start).print(...pieces);
      printer.write(
        `; ${this.#frameName(sets)} = ${keptText(this.#kernel.module, kept.type)}(${members}); }\n`,
      );
      return this.#putBack(indent);
    }
    printer.write(sets ? this.#targetText(sets, declares) : "", start).print(...pieces);
    printer.write(sets || !/[;}]$/.test(printer.text) ? ";\n" : "\n");
    this.#putBack(indent);
  }

  #targetText(slot: Slot, declares: boolean): string {
    // The copy is stored back after the value has been evaluated.
    const copy = this.#copies.get(slot);
    if (copy !== undefined) return `${copy} = `;
    if (this.#layout.fieldOf.has(slot)) return `${this.#frameName(slot)} = `;
    const name = this.#names.get(slot);
    // The parameter of another function that does not use it.
    if (name === undefined) return "_ = ";
    if (this.#declared.has(slot)) return `${name} = `;
    this.#declared = new Set([...this.#declared, slot]);
    // It is declared in another step, which does not keep it as its value is not needed here.
    const isTyped = (slot.kind === "placeholder" ? slot.known : slot.type) !== undefined ||
      !declares;
    const keyword = slot.keyword === "parameter" ? "let" : slot.keyword;
    return `${keyword} ${name}${
      isTyped ? `: ${typeText(shownType(this.#kernel.types, slot))}` : ""
    } = `;
  }

  /** Copies variables whose address is passed, as functions cannot take pointers into the frame. */
  #copyAddressed(pieces: readonly Piece[], indent: string): void {
    const roots = pieces.flatMap((piece) =>
      typeof piece === "string" ? [] : ["as" in piece ? piece.as : piece]
    );
    const nodes = roots.flatMap((root) => [...nodesIn(root)]);
    const handed = nodes.flatMap((node): Slot[] => {
      if (node.kind === "unary" && node.text === "&") {
        const variable = localOf(baseOf(node.operands[0]!));
        return variable ? [variable] : [];
      }
      if (node.kind !== "call") return [];
      return node.operands.flatMap((argument) => {
        const pointer = localOf(argument);
        const pointee = pointer && pointeeOf(pointer);
        return pointee?.isWhole ? [pointee.variable] : [];
      });
    });
    for (const slot of handed) {
      if (!this.#layout.fieldOf.has(slot) || this.#copies.has(slot)) continue;
      const name = `${this.#copyPrefix}${slot.name}_${++this.#copyCount}`;
      this.#printer.write(`${indent}var ${name} = ${this.#frameName(slot)};\n`);
      this.#copies.set(slot, name);
    }
    if (this.#copies.size === 0) return;
    const declared = new Set<Node>(nodes.filter((node) => node.kind === "variable"));
    for (const node of nodes) {
      const pointer = localOf(node);
      const pointee = pointer && pointeeOf(pointer);
      const copy = pointee && this.#copies.get(pointee.variable);
      if (copy === undefined || declared.has(pointer!)) continue;
      if (!pointee!.isWhole) {
        const { name } = pointer!;
        const into = `${name} leads into ${
          pointee!.variable.name
        }, to which the same statement hands on a pointer`;
        refuse(node, `${into}: read or write ${name} in a statement of its own`);
      }
      this.#pointers.set(pointer!, `(&${copy})`);
    }
  }

  /** The statements that store copies back into the frame. */
  get #storeTexts(): string[] {
    return [...this.#copies].map(([slot, name]) => `${this.#frameName(slot)} = ${name};`);
  }

  #putBack(indent: string): void {
    for (const text of this.#storeTexts) this.#printer.write(`${indent}${text}\n`);
    this.#copies.clear();
    this.#pointers.clear();
  }
}
