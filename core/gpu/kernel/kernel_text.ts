import { nameHint } from "../../text/nearest.ts";
import { Types } from "../text/inference.ts";
import type { Position } from "../text/lines.ts";
import { Module } from "../text/module.ts";
import { type Piece, Printer, type Rewrite } from "../text/printer.ts";
import type { Func, Node } from "../text/syntax.ts";
import { concrete, typeText } from "../text/value_type.ts";

/**
 * A kernel's text, and what passes have found to replace in it and to insert, before it becomes steps. The
 * text itself is read once; what is printed in the end has all of it.
 */
export class KernelText {
  readonly module: Module;
  readonly types: Types;
  /** What nodes become, such as strings their addresses in the heap. */
  readonly replaced: Map<Node, readonly Piece[]> = new Map();
  /** What is inserted before characters, such as bindings of buffers. */
  readonly inserted: Map<number, string> = new Map();
  /** Opcodes of functions of the host that are declared without one. */
  readonly opcodes: Map<Func, number> = new Map();

  /** How much of the module is the author's: what was appended comes from nowhere. */
  readonly endOfAuthor: number;

  /** @param constants values of `override`s, and of constants that the text does not declare */
  constructor(
    module: Module,
    { constants = {}, endOfAuthor = module.source.length }: {
      readonly constants?: Readonly<Record<string, number>>;
      readonly endOfAuthor?: number;
    } = {},
  ) {
    const known = { ...constants };
    this.module = module;
    this.types = new Types(module, known);
    for (const { keyword, name, value } of module.variables) {
      if (keyword !== "override" || !value || name in known) continue;
      const own = this.types.value(value);
      if (!Number.isNaN(own)) known[name] = own;
    }
    this.endOfAuthor = endOfAuthor;
  }

  /**
   * This text and another behind it, which has what a library puts in place of functions of its own.
   *
   * @throws {TextFault} at what is no WGSL
   */
  followedBy(text: string): KernelText {
    const module = new Module(text, { before: this.module });
    const { endOfAuthor, types: { constants } } = this;
    const whole = new KernelText(module, { constants, endOfAuthor });
    this.replaced.forEach((pieces, node) => whole.replaced.set(node, pieces));
    this.inserted.forEach((text, start) => whole.inserted.set(start, text));
    this.opcodes.forEach((opcode, one) => whole.opcodes.set(one, opcode));
    return whole;
  }

  /** Where a character is in the author's text; `undefined` behind it. */
  positionAt(start: number): Position | undefined {
    return start < this.endOfAuthor ? this.module.positionAt(start) : undefined;
  }

  /** Prints the text with all that passes put into it. */
  printed(
    rewrite: Rewrite = this.rewrite,
    inserted: ReadonlyMap<number, string> = this.inserted,
  ): Printer {
    const { source, globals } = this.module;
    return new Printer(source, rewrite, inserted).module(globals);
  }

  /** What a node becomes, for a printer. */
  rewrite: Rewrite = (node) => this.replaced.get(node);
}

/** The text of a kernel, with what it is followed by. */
export function writtenIn(source: string | KernelText): string {
  return typeof source === "string" ? source : source.module.source;
}

/** Values of `override` constants, by name. */
export type OverrideValues = Readonly<Record<string, number | boolean>>;

/**
 * Makes constants of a kernel's `override`s, so that a frame may hold an array of their length, and that
 * compilers that know none take the text. Those without any value stay.
 *
 * @throws {TypeError} when a value is given that the text has not, or of another type
 */
export function fixOverrides(
  { module, types, replaced }: KernelText,
  values: OverrideValues,
): void {
  const overrides = module.variables.filter(({ keyword }) => keyword === "override");
  const names = overrides.map(({ name }) => name);
  for (const name of Object.keys(values)) {
    if (names.includes(name)) continue;
    const hint = nameHint(name, names);
    throw new TypeError(`Cannot run the kernel as its text has no override ${name}: ${hint}`);
  }
  for (const one of overrides) {
    const { name, value } = one;
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    if (given === undefined && !value) continue;
    const type = types.ofVariable(one);
    const scalar = type ? typeText(concrete(type)) : "";
    // On as many lines: the declaration's semicolon is within its node.
    const written = given === undefined
      ? module.textOf(value!)
      : valueText(name, scalar, given) + module.textOf(one).replaceAll(/[^\n]/g, "");
    replaced.set(one, [`const ${name}${scalar && `: ${scalar}`} = ${written};`]);
  }
}

function valueText(name: string, scalar: string, value: number | boolean): string {
  const refuse = (wanted: string): never => {
    throw new TypeError(
      `Cannot run the kernel as the constant ${name} must be ${wanted}: current value is ${value}`,
    );
  };
  const isInteger = Number.isInteger(value);
  switch (scalar) {
    case "bool":
      return typeof value === "boolean" ? String(value) : refuse("true or false");
    case "u32":
      return isInteger && Number(value) >= 0 && Number(value) < 2 ** 32
        ? `${value}u`
        : refuse("an integer from 0 to 4294967295, u32");
    case "i32":
      return isInteger && value === (Number(value) | 0)
        ? `i32(${value})`
        : refuse("an integer from -2147483648 to 2147483647, i32");
    case "f32":
    case "f16":
      return typeof value === "number" && Number.isFinite(value)
        ? `${scalar}(${value})`
        : refuse(`a finite number, ${scalar}`);
    default:
      return refuse("of a type that shows: write it, as in override n: u32");
  }
}
