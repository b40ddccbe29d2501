import { ts } from "./compiler.ts";
import type { Modules } from "./project.ts";

/** What declares the library's ports, in source or in a file of types. */
const SOURCE = /\binterface\s+(?:OwnedPort|SentPort)\b/;

/** Modules whose names say that ports may come from them. */
const LINEAR = /linear|portlab/i;

/** Tells which modules can have to do with ports: those that import what declares them. */
export class Reach {
  readonly #modules: Modules;
  readonly #imports = new Map<string, { readonly text: string; readonly found: Imports }>();

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  /** Whether a module declares ports, or imports a module that does, at any distance. */
  hasPorts(name: string): boolean {
    for (const { isSource } of this.#from(name)) if (isSource) return true;
    return false;
  }

  /** Linear modules that a module imports, at any distance, and that are not here. */
  unknownFrom(name: string): readonly string[] {
    return [...this.#from(name)].flatMap(({ unknown }) =>
      unknown.filter((one) => LINEAR.test(one))
    );
  }

  *#from(name: string): Generator<Imports> {
    const found = new Set([name]);
    for (const one of found) {
      const imports = this.importsOf(one);
      yield imports;
      for (const target of imports.targets) found.add(target);
    }
  }

  /** What a module imports. */
  importsOf(name: string): Imports {
    const text = this.#modules.read(name) ?? "";
    const known = this.#imports.get(name);
    if (known?.text === text) return known.found;
    const specifiers = ts.preProcessFile(text, true, true).importedFiles.map((one) => one.fileName);
    const resolved = specifiers.map((one) => this.#modules.resolve(one, name));
    const found = {
      isSource: SOURCE.test(text),
      targets: resolved.flatMap((one) => one ?? []),
      unknown: specifiers.filter((_, index) => resolved[index] === undefined),
    };
    this.#imports.set(name, { text, found });
    return found;
  }
}

/** What a module imports. */
export interface Imports {
  readonly isSource: boolean;
  readonly targets: readonly string[];
  /** Specifiers of modules that are not here. */
  readonly unknown: readonly string[];
}
