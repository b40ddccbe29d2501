import { freePrefix } from "../../syntax/tokens.ts";
import { structLayout, type TypeLayout, typeLayout } from "../../syntax/type_layout.ts";
import {
  memberType,
  namedType,
  type Scope,
  typeText,
  type ValueType,
} from "../../syntax/value_type.ts";
import type { ModuleText } from "../text/kernel_module.ts";

/** A member of a struct. */
interface Member {
  readonly name: string;
  readonly type: ValueType;
}

/** The members of the results of functions of WGSL, whose types have no names. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  modf: ["fract", "whole"],
  frexp: ["fract", "exp"],
  atomicCompareExchangeWeak: ["old_value", "exchanged"],
};

/** Whether a type is the result of a function of WGSL, which has no name. */
export function isResult({ name }: ValueType): boolean {
  return Object.hasOwn(RESULTS, name);
}

function membersOf(module: ModuleText, type: ValueType): readonly Member[] | undefined {
  const result = RESULTS[type.name];
  if (result) return result.map((name) => ({ name, type: memberType(module, type, name)! }));
  return module.declarations.structs.get(type.name)?.map((member) => ({
    name: member.name.text,
    type: namedType(module, member.type),
  }));
}

/** Whether a value is of a type without arguments of its own, such as `bool`, or has parts that are. */
export function holds(module: ModuleText, { name, args }: ValueType, wanted: string): boolean {
  if (name === wanted) return true;
  if (/^(?:vec|array)/.test(name)) return holds(module, args[0]!, wanted);
  const members = membersOf(module, { name, args });
  return members?.some(({ type }) => holds(module, type, wanted)) ?? false;
}

/** The text of a type in a frame: a result of WGSL gets a struct with a name. */
export function keptText(module: ModuleText, type: ValueType): string {
  if (!isResult(type)) return typeText(type);
  const key = typeText(type).replaceAll(/\W+/g, "_").replace(/_$/, "");
  return `${freePrefix(module.tokens, "Kept_")}${key}`;
}

/** The statement that keeps a result of WGSL; `value` is the expression of it. */
export function keepResult(
  module: ModuleText,
  { target, type }: { readonly target: string; readonly type: ValueType },
): readonly [before: string, behind: string] {
  const name = freePrefix(module.tokens, "result_");
  const members = RESULTS[type.name]!.map((member) => `${name}.${member}`).join(", ");
  return [`{ let ${name} = `, `; ${target} = ${keptText(module, type)}(${members}); }`];
}

/**
 * The layout of a saved value, whose bools are words.
 *
 * @throws {TypeError} when a type has no size
 */
export function savedLayout(module: ModuleText, scope: Scope, type: ValueType): TypeLayout {
  const inWords = { ...scope, countsBools: true };
  if (!isResult(type)) return typeLayout(inWords, type);
  return structLayout(membersOf(module, type)!.map((member) => typeLayout(inWords, member.type)));
}

/**
 * How values with bools are saved, as memory that is shared with the host cannot hold any: as words, by
 * generated functions for structs and arrays.
 */
export class SavedTypes {
  readonly #module: ModuleText;
  readonly #prefix: string;
  /** The generated names, by type. */
  readonly #names = new Map<string, string>();
  readonly #texts: string[] = [];

  /** Begins without functions. */
  constructor(module: ModuleText) {
    this.#module = module;
    this.#prefix = freePrefix(module.tokens, "saved_");
  }

  /** The generated structs and functions. */
  get text(): string {
    return this.#texts.join("");
  }

  /** Declares the struct of a result of WGSL. */
  declareResult(type: ValueType): void {
    const name = keptText(this.#module, type);
    if (this.#names.has(name)) return;
    this.#names.set(name, name);
    const members = membersOf(this.#module, type)!;
    this.#texts.push(structOf(name, members.map((one) => ({ ...one, text: typeText(one.type) }))));
  }

  /** Whether a value holds bools. */
  hasBool(type: ValueType): boolean {
    return holds(this.#module, type, "bool");
  }

  /** The type in memory. */
  savedText(type: ValueType): string {
    if (!this.hasBool(type)) return keptText(this.#module, type);
    const { name, args: [element, length] } = type;
    if (name === "bool") return "u32";
    if (name.startsWith("vec")) return `${name}<u32>`;
    if (name === "array") return `array<${this.savedText(element!)}, ${length!.name}>`;
    return this.#nameOf(type);
  }

  /** An expression of the saved value. */
  save(type: ValueType, value: string): string {
    if (!this.hasBool(type)) return value;
    return /^(?:bool|vec)/.test(type.name)
      ? `${this.savedText(type)}(${value})`
      : `${this.#nameOf(type)}_of(${value})`;
  }

  /** An expression of the value that was saved. */
  load(type: ValueType, saved: string): string {
    if (!this.hasBool(type)) return saved;
    return /^(?:bool|vec)/.test(type.name)
      ? `${typeText(type)}(${saved})`
      : `${this.#nameOf(type)}_back(${saved})`;
  }

  #nameOf(type: ValueType): string {
    const key = typeText({ name: type.name, args: type.args });
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `${this.#prefix}${this.#names.size}`;
    this.#names.set(key, name);
    const own = keptText(this.#module, type);
    const text = type.name === "array"
      ? this.#arrayText(name, type, own)
      : this.#structText(name, type, own);
    this.#texts.push(text);
    return name;
  }

  #structText(name: string, type: ValueType, own: string): string {
    const members = membersOf(this.#module, type)!;
    const saved = members.map((one) => ({ ...one, text: this.savedText(one.type) }));
    const of = members.map((one) => this.save(one.type, `value.${one.name}`)).join(", ");
    const back = members.map((one) => this.load(one.type, `value.${one.name}`)).join(", ");
    return `${
      structOf(name, saved)
    }fn ${name}_of(value: ${own}) -> ${name} { return ${name}(${of}); }
fn ${name}_back(value: ${name}) -> ${own} { return ${own}(${back}); }
`;
  }

  #arrayText(name: string, type: ValueType, own: string): string {
    const [element, length] = type.args;
    const saved = this.savedText(type);
    const copy = (value: string) =>
      `for (var at = 0u; at < u32(${length!.name}); at++) { copy[at] = ${value}; } return copy;`;
    return `fn ${name}_of(value: ${own}) -> ${saved} {
  var whole = value; var copy: ${saved}; ${copy(this.save(element!, "whole[at]"))}
}
fn ${name}_back(value: ${saved}) -> ${own} {
  var whole = value; var copy: ${own}; ${copy(this.load(element!, "whole[at]"))}
}
`;
  }
}

function structOf(
  name: string,
  members: readonly { readonly name: string; readonly text: string }[],
): string {
  return `struct ${name} { ${members.map((one) => `${one.name}: ${one.text}`).join(", ")} }\n`;
}
