/** What a field of a structure holds: a number, a nested structure by its name, or `u64` for a pointer. */
export interface Field {
  readonly name: string;
  readonly byte: number;
  readonly kind: string;
  /** More than 1 for an array. */
  readonly count: number;
}

/** How C lays out a structure on a machine of 64 bits. */
export interface Structure {
  readonly bytes: number;
  readonly alignment: number;
  /** The name of the constant that its first field holds, where it has such a field. */
  readonly typeName?: string;
  readonly fields: readonly Field[];
}

export interface Signature {
  readonly parameters: readonly string[];
  readonly result: string;
}

/** Sizes are alignments, too. */
const NUMBERS: Readonly<Record<string, readonly [bytes: number, kind: string]>> = {
  char: [1, "u8"],
  uint8_t: [1, "u8"],
  int: [4, "i32"],
  int32_t: [4, "i32"],
  uint32_t: [4, "u32"],
  float: [4, "f32"],
  uint64_t: [8, "u64"],
  size_t: [8, "u64"],
};
const POINTER = { bytes: 8, alignment: 8, kind: "u64" } as const;
const RESULTS: Readonly<Record<string, string>> = {
  void: "void",
  VkResult: "i32",
  PFN_vkVoidFunction: "pointer",
};

function attributesOf(tag: string): ReadonlyMap<string, string> {
  return new Map([...tag.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));
}

/**
 * Vulkan's registry, `vk.xml`: what the API consists of, as its authors publish it.
 *
 * @throws {Error} from each method, for a name that the registry does not have
 */
export class Registry {
  readonly #text: string;
  readonly #structures = new Map<string, Structure>();
  /** By its name each tag that gives a constant a value, with its place in the text. */
  readonly #constants = new Map<string, { tag: ReadonlyMap<string, string>; index: number }>();

  constructor(text: string) {
    // Remarks, which have fields and parameters in them.
    this.#text = text.replace(/<(comment|implicitexternsyncparams)>[^]*?<\/\1>/g, "");
    for (const { 0: text, index } of this.#text.matchAll(/<enum\s[^>]*>/g)) {
      const tag = attributesOf(text);
      const isOfOther = /vulkansc/.test(tag.get("api") ?? "");
      if (isOfOther || !["value", "bitpos", "offset"].some((name) => tag.has(name))) continue;
      this.#constants.set(tag.get("name")!, { tag, index });
    }
  }

  /** The version of the registry: 239 of Vulkan 1.3.239. */
  get headerVersion(): number {
    return Number(/VK_HEADER_VERSION<\/name> (\d+)/.exec(this.#text)?.[1]);
  }

  constant(name: string): number {
    const { tag, index } = this.#constants.get(name) ?? missing(name);
    const [value, bit] = [tag.get("value"), tag.get("bitpos")];
    if (value !== undefined) return Number(value.replace(/U?L*$/, ""));
    if (bit !== undefined) return 2 ** Number(bit);
    const before = this.#text.slice(0, index);
    const extension = tag.get("extnumber") ??
      attributesOf(before.slice(before.lastIndexOf("<extension "))).get("number");
    const number = 1_000_000_000 + (Number(extension) - 1) * 1000 + Number(tag.get("offset"));
    return tag.get("dir") === "-" ? -number : number;
  }

  /** The names of the values of `VkResult`. */
  resultNames(): string[] {
    const own = /<enums name="VkResult"[^]*?<\/enums>/.exec(this.#text)?.[0] ?? missing("VkResult");
    return [...this.#constants]
      .filter(([name, { tag }]) =>
        tag.get("extends") === "VkResult" || own.includes(`name="${name}"`)
      )
      .map(([name]) => name);
  }

  structure(name: string): Structure {
    const known = this.#structures.get(name);
    if (known) return known;
    const head = `<type\\b[^>]*category="struct"[^>]*name="${name}"[^>]*>`;
    const body = new RegExp(`${head}([^]*?)\\n\\s*</type>`).exec(this.#text)?.[1] ?? missing(name);
    const fields: Field[] = [];
    let [bytes, alignment, typeName] = [0, 1, ""];
    for (const [, attributes, member] of body.matchAll(/<member([^>]*)>(.*?)<\/member>/g)) {
      const tag = attributesOf(attributes!);
      if (tag.get("api") === "vulkansc") continue;
      const { kind, ...type } = this.#typeOf(member!);
      const byte = Math.ceil(bytes / type.alignment) * type.alignment;
      const count = this.#countOf(member!);
      fields.push({ name: nameOf(member!), byte, kind, count });
      typeName ||= tag.get("values") ?? "";
      bytes = byte + type.bytes * count;
      alignment = Math.max(alignment, type.alignment);
    }
    bytes = Math.ceil(bytes / alignment) * alignment;
    const made = { bytes, alignment, ...typeName && { typeName }, fields };
    this.#structures.set(name, made);
    return made;
  }

  signature(name: string): Signature {
    const head = `<proto><type>(\\w+)</type> <name>${name}</name></proto>`;
    const [, result, text] = new RegExp(`${head}([^]*?)</command>`).exec(this.#text) ??
      missing(name);
    const parameters = [...text!.matchAll(/<param([^>]*)>(.*?)<\/param>/g)]
      .filter(([, attributes]) => attributesOf(attributes!).get("api") !== "vulkansc")
      .map(([, , parameter]) => this.#typeOf(parameter!).kind);
    return { parameters, result: RESULTS[result!] ?? missing(result!) };
  }

  #countOf(member: string): number {
    const sizes = [...member.matchAll(/\[(?:<enum>)?(\w+)(?:<\/enum>)?\]/g)];
    return sizes.reduce(
      (count, [, size]) => count * (Number(size) || this.constant(size!)),
      1,
    );
  }

  #typeOf(declaration: string): Omit<typeof POINTER, "kind"> & { readonly kind: string } | {
    readonly bytes: number;
    readonly alignment: number;
    readonly kind: string;
  } {
    if (/<\/type>\s*(const\s*)?\*/.test(declaration)) return POINTER;
    return this.#namedType(/<type>(\w+)<\/type>/.exec(declaration)![1]!);
  }

  #namedType(name: string): { bytes: number; alignment: number; kind: string } {
    const number = NUMBERS[name];
    if (number) return { bytes: number[0], alignment: number[0], kind: number[1] };
    const named = `[^>]*name="${name}"[^>]*>|[^>]*>[^\\n]*<name>${name}</name>`;
    const [tag] = new RegExp(`<type\\b(?:${named})`).exec(this.#text) ?? missing(name);
    const category = attributesOf(tag).get("category");
    if (category === "struct") return { ...this.structure(name), kind: name };
    if (category === "enum") return this.#namedType("uint32_t");
    if (category === "handle") return POINTER;
    const aliased = /<type>(\w+)<\/type>/.exec(tag)?.[1];
    return this.#namedType(aliased ?? missing(`${name}, of category ${category},`));
  }
}

function nameOf(declaration: string): string {
  return /<name>(\w+)<\/name>/.exec(declaration)![1]!;
}

function missing(name: string): never {
  throw new Error(`Cannot read the registry as ${name} is not in it`);
}
