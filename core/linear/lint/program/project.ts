import { Analysis } from "../analyse.ts";
import type { Finding } from "../finding.ts";
import { ts } from "./compiler.ts";
import { type ModuleSource, packageFolder } from "./modules.ts";

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
/** `export * as name from`, which the compiler's quick look at imports passes over. */
const NAMED_EXPORT = /\bexport\s*\*\s*as\s+\S+\s+from\s*["']([^"'\n]+)["']/g;

/** The ending of a module's name; a module from elsewhere may have none. */
function endingOf(name: string): string {
  return /(?:\.d)?\.(?:[cm]?[tj]s|[tj]sx|json)$/.exec(name)?.[0] ?? ".ts";
}

interface Imports {
  readonly text: string;
  readonly targets: readonly string[];
}

/** The files of a program, and what the compiler knows of them. */
export class Project {
  readonly #modules: ModuleSource;
  readonly #imports = new Map<string, Imports>();
  readonly #sources = new Map<string, ts.SourceFile>();
  #program: ts.Program | undefined;
  #analysis: Analysis | undefined;

  constructor(modules: ModuleSource) {
    this.#modules = modules;
  }

  /** Whether a module declares ports, or imports a module that does, at any distance. */
  hasPorts(name: string): boolean {
    const found = new Set([name]);
    for (const one of found) for (const target of this.#importsOf(one).targets) found.add(target);
    return [...found].some((one) => SOURCE.test(this.#importsOf(one).text));
  }

  /** What a file that works on ports imports, and that is not on this machine. */
  unknownIn(name: string): readonly string[] {
    if (!WORK.test(this.#modules.read(name) ?? "")) return [];
    return this.#sourceOf(name)!.statements.flatMap((one) => {
      if (!ts.isImportDeclaration(one) && !ts.isExportDeclaration(one)) return [];
      const specifier = one.moduleSpecifier?.getText().slice(1, -1) ?? "node:";
      const isKnown = specifier.startsWith("node:") || this.#modules.resolve(specifier, name);
      return isKnown ? [] : [specifier];
    });
  }

  /** Reads some modules and all that they import. What did not change is kept. */
  load(rootNames: readonly string[]): void {
    const oldProgram = this.#program;
    const reuse = oldProgram ? { oldProgram } : {};
    this.#program = ts.createProgram({ rootNames, options: OPTIONS, host: this.#host(), ...reuse });
    if (this.#program !== oldProgram) this.#analysis = new Analysis(this.#program);
  }

  /** @throws {SyntaxError} when a file that was loaded is no program */
  assertReadable(name: string): void {
    const source = this.#program?.getSourceFile(name);
    const [error] = this.#program?.getSyntacticDiagnostics(source) ?? [];
    if (!error || !source) return;
    const { line } = source.getLineAndCharacterOfPosition(error.start ?? 0);
    const text = ts.flattenDiagnosticMessageText(error.messageText, " ");
    throw new SyntaxError(`Cannot read ${name}:${line + 1}: ${text}`);
  }

  /** What is wrong in a file that was loaded. */
  findingsIn(name: string): readonly Finding[] {
    const source = this.#program?.getSourceFile(name);
    return source && this.#analysis ? this.#analysis.findingsIn(source) : [];
  }

  #importsOf(name: string): Imports {
    const text = this.#modules.read(name) ?? "";
    const known = this.#imports.get(name);
    if (known?.text === text) return known;
    const { importedFiles } = ts.preProcessFile(name.endsWith(".json") ? "" : text, true, true);
    const specifiers = importedFiles.map(({ fileName }) => fileName);
    for (const [, specifier] of text.matchAll(NAMED_EXPORT)) specifiers.push(specifier!);
    const targets = specifiers.map((one) => this.#modules.resolve(one, name));
    const imports = { text, targets: targets.filter((one) => one !== undefined) };
    this.#imports.set(name, imports);
    return imports;
  }

  #host(): ts.CompilerHost {
    const modules = this.#modules;
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
    const text = this.#modules.read(name);
    const known = this.#sources.get(name);
    if (text === undefined || known?.text === text) return known;
    const kind = endingOf(name).replace(/.*\.[cm]?/, "").toUpperCase() as "TS";
    const source = ts.createSourceFile(
      name,
      text,
      ts.ScriptTarget.ESNext,
      true,
      ts.ScriptKind[kind],
    );
    this.#sources.set(name, source);
    return source;
  }
}
