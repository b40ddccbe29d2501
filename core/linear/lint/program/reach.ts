import { createHash } from "node:crypto";
import { ts } from "./compiler.ts";
import type { Modules } from "./project.ts";

/** What declares the library's ports, in source or in a file of types. */
const SOURCE = /\binterface\s+(?:OwnedPort|SentPort)\b/;

/** Words of a program that works on ports; where they come from may not be known. */
const WORK =
  /\b(?:Typed(?:Client|Server)|(?:Owned|Sent|Partial|Typed)Port|tryOpen|openAsync|operatePort)\b|(?<!\bDeno)\.(?:open|send|recv|recvAsync)\(/;

/** Tells which modules can have to do with ports: those that import what declares them. */
export class Reach {
  readonly #modules: Modules;
  readonly #imports = new Map<string, { readonly text: string; readonly found: Imports }>();

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  /** Whether a module declares ports, or imports a module that does, at any distance. */
  hasPorts(name: string): boolean {
    for (const one of this.from(name)) if (this.importsOf(one).isSource) return true;
    return false;
  }

  /** What a module imports, at any distance, and what is not here, if it does what ports are for. */
  unknownFrom(name: string): readonly string[] {
    if (!WORK.test(this.#modules.read(name) ?? "")) return [];
    return [...this.from(name)].flatMap((one) => this.importsOf(one).unknown);
  }

  /** A module and all that it imports, at any distance. */
  *from(name: string): Generator<string> {
    const found = new Set([name]);
    for (const one of found) {
      yield one;
      for (const target of this.importsOf(one).targets) found.add(target);
    }
  }

  /** A digest of a module and of all that it imports, at any distance. */
  digestOf(name: string): string {
    const parts = [...this.from(name)].map((one) => `${one} ${this.importsOf(one).digest}\n`);
    return createHash("sha256").update(parts.join("")).digest("hex");
  }

  /** What a module imports. */
  importsOf(name: string): Imports {
    const text = this.#modules.read(name) ?? "";
    const known = this.#imports.get(name);
    if (known?.text === text) return known.found;
    const specifiers = this.#modules.specifiersIn?.(name) ?? specifiersIn(text);
    const resolved = specifiers.map((one) => this.#modules.resolve(one, name));
    const isHere = (target: string | undefined) =>
      target !== undefined && this.#modules.read(target) !== undefined;
    const found = {
      isSource: SOURCE.test(text),
      digest: createHash("sha256").update(text).digest("hex"),
      targets: resolved.filter(isHere) as readonly string[],
      unknown: specifiers.filter((one, index) => !/^node:/.test(one) && !isHere(resolved[index])),
    };
    this.#imports.set(name, { text, found });
    return found;
  }
}

/** The compiler's quick look passes over `export * as name from`. */
function specifiersIn(text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const named = text.matchAll(/\bexport\s*\*\s*as\s+\S+\s+from\s*["']([^"'\n]+)["']/g);
  return [...importedFiles.map(({ fileName }) => fileName), ...[...named].map(([, one]) => one!)];
}

/** What a module imports. */
export interface Imports {
  readonly isSource: boolean;
  readonly digest: string;
  readonly targets: readonly string[];
  /** Specifiers of modules that are not here. */
  readonly unknown: readonly string[];
}
