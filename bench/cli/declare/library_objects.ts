import { elementOf, pointedVoid, resolved } from "./c_layout.ts";
import { isEnding, isFreeing, isPlainPointer } from "./names.ts";
import type { CHeader, CNamed, CTagged, CType } from "./read_header.ts";

/** A parameter that a function ends, and what it is a handle of. */
export interface FreedParameter {
  readonly parameter: CNamed;
  readonly handle: "LibraryMemory" | "Text";
}

/** What a header says of who makes the objects behind its pointers: the library, or its callers. */
export class LibraryObjects {
  readonly #header: CHeader;
  /** Tags of structs and unions, and names of types for `void *`, to which the library gives pointers. */
  readonly #made = new Set<string>();
  /** The functions that return a pointer to a struct or union, by its tag. */
  readonly #makers = new Map<string, string>();
  /** The functions that take away their only argument, by the tag of that. */
  readonly #enders = new Map<string, string>();
  readonly #makesMemory: boolean;
  readonly #freesMemory: boolean;

  constructor(header: CHeader) {
    this.#header = header;
    for (const { name, type: { parameters, result } } of header.functions) {
      this.#note(result, 1);
      const tag = this.#pointedTag(result);
      if (tag !== undefined && !this.#makers.has(tag)) this.#makers.set(tag, name);
      for (const { type } of parameters) this.#note(type, 2);
      const one = parameters.length === 1 ? this.#pointedTag(parameters[0]!.type) : undefined;
      if (one !== undefined && isEnding(name, 1)) this.#enders.set(one, name);
    }
    this.#makesMemory = header.functions.some(({ type }) => this.#isMemory(type.result));
    this.#freesMemory = header.functions.some((one) => this.freedMemory(one) !== undefined);
  }

  /** @param depth how many pointers may lie between */
  #note(type: CType, depth: number): void {
    const own = resolved(this.#header, type);
    const opaque = pointedVoid(this.#header, type);
    if (own.kind === "pointer" && depth > 0) {
      if (opaque !== undefined && depth === 1) this.#made.add(opaque);
      this.#note(own.to, depth - 1);
    } else if ((own.kind === "struct" || own.kind === "union") && depth === 0) {
      this.#made.add(own.tag);
    }
  }

  #pointedTag(type: CType): string | undefined {
    const own = resolved(this.#header, type);
    const to = own.kind === "pointer" ? resolved(this.#header, own.to) : own;
    return to !== own && (to.kind === "struct" || to.kind === "union") ? to.tag : undefined;
  }

  /**
   * The parameter at memory that a function takes away, which the library must have made: `sodium_free(pointer)`,
   * `XML_MemFree(parser, pointer)`, `sqlite3_realloc(pointer, size)`.
   */
  freedMemory({ name, type: { parameters } }: CHeader["functions"][number]): CNamed | undefined {
    const isFreed = isFreeing(name, true) ||
      this.#makesMemory && parameters.length === 1 && isEnding(name, 1);
    const memories = parameters.filter(({ type }) => this.#isMemory(type));
    return memories.length === 1 && isFreed && parameters.length <= 3 ? memories[0] : undefined;
  }

  /** What a function frees that the library has made, memory or a text of letters that are no constant. */
  freedBy(one: CHeader["functions"][number]): FreedParameter | undefined {
    const memory = this.freedMemory(one);
    if (memory) return { parameter: memory, handle: "LibraryMemory" };
    const { name, type: { parameters } } = one;
    const texts = parameters.filter(({ type }) => {
      const own = resolved(this.#header, type);
      const to = elementOf(this.#header, own);
      return own.kind === "pointer" && !own.isConst && to.kind === "base" && to.name === "char";
    });
    const isFreed = texts.length === 1 && isFreeing(name, false);
    return isFreed ? { parameter: texts[0]!, handle: "Text" } : undefined;
  }

  /** Whether callers could free it: what is `const` is the library's to keep, and a text has handles of its own. */
  #isMemory(type: CType): boolean {
    const own = resolved(this.#header, type);
    if (own.kind !== "pointer" || own.isConst || this.opaqueOf(type) !== undefined) return false;
    const to = resolved(this.#header, own.to);
    return to.kind === "base" && to.name !== "char";
  }

  /** Whether a `void *` stands beside a callback, as what it is called with. */
  isCallbackData(parameters: readonly CNamed[], index: number): boolean {
    const { type } = parameters[index]!;
    const own = resolved(this.#header, type);
    const isVoid = this.#isMemory(type) && own.kind === "pointer" &&
      (resolved(this.#header, own.to) as { readonly name?: string }).name === "void";
    return isVoid && [parameters[index - 1], parameters[index + 1]].some((beside) => {
      const made = beside && resolved(this.#header, beside.type);
      const to = made?.kind === "pointer" ? resolved(this.#header, made.to) : made;
      return to?.kind === "function";
    });
  }

  /** What handles of memory are called that a library returns, or writes: it may be freed by the library alone. */
  memoryName(type: CType): "Memory" | "LibraryMemory" {
    return this.#freesMemory && this.#isMemory(type) ? "LibraryMemory" : "Memory";
  }

  /** What handles of memory are called that a function takes: of callers, or of the library. */
  get memoryNames(): string {
    return this.#freesMemory ? "Memory|LibraryMemory" : "Memory";
  }

  /** Whether a function of the library gives a pointer to it. */
  isMade({ tag }: CTagged): boolean {
    return this.#made.has(tag);
  }

  /**
   * The function by which an object is the library's, whatever is in it: one that returns it, or one that takes away
   * what another writes. Whoever sends a copy of such an object sends another object.
   */
  makerOf({ tag }: CTagged): string | undefined {
    return this.#makers.get(tag) ?? (this.#made.has(tag) ? this.#enders.get(tag) : undefined);
  }

  /** The name of a type for `void *` of the library's own objects: `void *` and what only renames it are memory. */
  opaqueOf(type: CType): string | undefined {
    const name = pointedVoid(this.#header, type);
    return name !== undefined && !isPlainPointer(name) && this.#made.has(name) ? name : undefined;
  }
}
