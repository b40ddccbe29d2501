import { Analysis } from "../analyse.ts";
import type { Finding } from "../finding.ts";
import { ts } from "./compiler.ts";
import { type Configuration, Modules, packageFolder } from "./modules.ts";

const OPTIONS: ts.CompilerOptions = {
  allowImportingTsExtensions: true,
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"].map((one) => `lib.${one}.d.ts`),
  maxNodeModuleJsDepth: 0,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
};

/** What declares the library's ports, in source or in a file of types. */
const SOURCE = /\binterface\s+(?:OwnedPort|SentPort)\b/;
/** Words of a program that works on ports; where they come from may not be known. */
const WORK = /\b(?:Typed(?:Client|Server)|(?:Owned|Sent|Partial|Typed)Port|tryOpen|operatePort)\b/;
const ENDINGS = [
  ".d.ts",
  ".d.mts",
  ".d.cts",
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".json",
];

/** A module from elsewhere may have a name without an ending. */
const endingOf = (name: string) => ENDINGS.find((one) => name.endsWith(one)) ?? ".ts";

interface Imports {
  readonly text: string;
  readonly targets: readonly string[];
}

/** The files of one configuration, and what the compiler knows of them. */
export class Project {
  readonly modules: Modules;
  readonly #imports = new Map<string, Imports>();
  readonly #sources = new Map<string, ts.SourceFile>();
  #program: ts.Program | undefined;
  #analysis: Analysis | undefined;

  constructor(config: Configuration | undefined) {
    this.modules = new Modules(config);
  }

  /** Whether a module declares ports, or imports a module that does, at any distance. */
  hasPorts(name: string): boolean {
    const found = new Set([name]);
    for (const one of found) for (const target of this.#importsOf(one).targets) found.add(target);
    return [...found].some((one) => SOURCE.test(this.#importsOf(one).text));
  }

  /** What a file that works on ports imports, and that is not on this machine. */
  unknownIn(name: string): readonly string[] {
    if (!WORK.test(this.modules.read(name) ?? "")) return [];
    return this.#sourceOf(name)!.statements.flatMap((one) => {
      if (!ts.isImportDeclaration(one) && !ts.isExportDeclaration(one)) return [];
      const specifier = one.moduleSpecifier?.getText().slice(1, -1) ?? "node:";
      return /^node:/.test(specifier) || this.modules.resolve(specifier, name) ? [] : [specifier];
    });
  }

  /** Reads some modules and all that they import. What did not change is kept. */
  load(rootNames: readonly string[]): void {
    const oldProgram = this.#program;
    const reuse = oldProgram ? { oldProgram } : {};
    this.#program = ts.createProgram({ rootNames, options: OPTIONS, host: this.#host(), ...reuse });
    if (this.#program !== oldProgram) this.#analysis = new Analysis(this.#program);
  }

  findingsIn(name: string): readonly Finding[] {
    const source = this.#program?.getSourceFile(name);
    return source && this.#analysis ? this.#analysis.findingsIn(source) : [];
  }

  #importsOf(name: string): Imports {
    const text = this.modules.read(name) ?? "";
    const known = this.#imports.get(name);
    if (known?.text === text) return known;
    const { importedFiles } = ts.preProcessFile(/\.json$/.test(name) ? "" : text, true, true);
    const named = text.matchAll(/\bexport\s*\*\s*as\s+\S+\s+from\s*["']([^"'\n]+)["']/g); // it passes over
    const specifiers = [
      ...importedFiles.map((one) => one.fileName),
      ...[...named].map(([, one]) => one!),
    ];
    const targets = specifiers.map((one) => this.modules.resolve(one, name)).filter((one) =>
      one !== undefined
    );
    this.#imports.set(name, { text, targets });
    return { text, targets };
  }

  #host(): ts.CompilerHost {
    const { modules } = this;
    const beside = ts.getDefaultLibFilePath(OPTIONS).replace(/\/[^/]*$/, ""); // not of a bundled one
    const isHere = modules.read(`${beside}/lib.esnext.d.ts`) !== undefined;
    const libraries = isHere ? beside : `${packageFolder(`typescript/${ts.version}`)}/lib`;
    const resolved = (specifier: string, importer: string) => {
      const resolvedFileName = modules.resolve(specifier, importer);
      return resolvedFileName && { resolvedFileName, extension: endingOf(resolvedFileName) };
    };
    return {
      fileExists: (name) => modules.read(name) !== undefined,
      readFile: (name) => modules.read(name),
      getSourceFile: (name) => this.#sourceOf(name),
      getDefaultLibFileName: () => `${libraries}/lib.esnext.d.ts`,
      getDefaultLibLocation: () => libraries,
      getCurrentDirectory: () => "/",
      getCanonicalFileName: (name) => name,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
      writeFile: () => {},
      resolveModuleNameLiterals: (literals, importer) =>
        literals.map(({ text }) => ({ resolvedModule: resolved(text, importer) || undefined })),
    };
  }

  #sourceOf(name: string): ts.SourceFile | undefined {
    const text = this.modules.read(name);
    const known = this.#sources.get(name);
    if (text === undefined || known?.text === text) return known;
    const kind =
      ts.ScriptKind[/(?:tsx?|jsx?|json)$/.exec(endingOf(name))![0].toUpperCase() as "TS"];
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true, kind);
    this.#sources.set(name, source);
    return source;
  }
}
