import { ValueReader } from "./value_reader.ts";
import { type Checked, CheckedFile } from "./checked_file.ts";
import { ts } from "./compiler.ts";
import { namesIn, packageFolders } from "./deno_folder.ts";

/** Where modules are, and what is in them. Names are paths, also those of modules from elsewhere. */
export interface Modules {
  /** The text of a module; `undefined` when there is none. */
  read(name: string): string | undefined;
  /** The module that a specifier in another one means. */
  resolve(specifier: string, importer: string): string | undefined;
  /** What a module imports, where that is known without reading it. */
  specifiersIn?(name: string): readonly string[] | undefined;
}

const OPTIONS: ts.CompilerOptions = {
  allowImportingTsExtensions: true,
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  lib: ["lib.esnext.d.ts"],
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

/** Modules that are looked at together, with what the compiler knows of them. */
export class Project {
  readonly #modules: Modules;
  readonly #sources = new Map<string, ts.SourceFile>();
  #checked: Checked | undefined;

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  /** Reads some modules and all that they import. What did not change is kept. */
  load(names: readonly string[]): void {
    if (this.#isCurrent(names)) return;
    const program = ts.createProgram({
      rootNames: [...names],
      options: OPTIONS,
      host: this.#host(),
      ...this.#checked && { oldProgram: this.#checked.program },
    });
    const checker = program.getTypeChecker();
    this.#checked = { program, checker, reader: new ValueReader(checker) };
  }

  #isCurrent(names: readonly string[]): boolean {
    const program = this.#checked?.program;
    return program !== undefined &&
      names.every((one) => program.getSourceFile(one)) &&
      program.getSourceFiles().every(({ fileName, text }) => text === this.#modules.read(fileName));
  }

  /** One of the modules; `undefined` when it is none that was read. */
  file(name: string): CheckedFile | undefined {
    const source = this.#checked?.program.getSourceFile(name);
    return source && new CheckedFile(this.#checked!, source);
  }

  /** The folder of the compiler's own types: beside it, or, of a bundled one, where Deno keeps it. */
  #libraries(): string {
    const beside = ts.getDefaultLibFilePath(OPTIONS).replace(/\/[^/]*$/, "");
    const kept = packageFolders(`typescript/${ts.version}`).map((one) => `${one}/lib`);
    const found = [beside, ...kept].find((one) => namesIn(one).includes("lib.esnext.d.ts"));
    if (found !== undefined) return found;
    throw new Error(
      "Cannot follow ports as the types of the language are not here: `deno cache` fetches them " +
        `with the package typescript@${ts.version}`,
    );
  }

  #host(): ts.CompilerHost {
    const libraries = this.#libraries();
    return {
      fileExists: (name) => this.#modules.read(name) !== undefined,
      readFile: (name) => this.#modules.read(name),
      getSourceFile: (name) => this.#sourceOf(name),
      getDefaultLibFileName: () => `${libraries}/lib.esnext.d.ts`,
      getDefaultLibLocation: () => libraries,
      getCurrentDirectory: () => "/",
      getCanonicalFileName: (name) => name,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
      writeFile: () => {},
      resolveModuleNameLiterals: (literals, importer) =>
        literals.map(({ text }) => ({ resolvedModule: this.#resolved(text, importer) })),
    };
  }

  #resolved(specifier: string, importer: string): ts.ResolvedModuleFull | undefined {
    const resolvedFileName = this.#modules.resolve(specifier, importer);
    if (resolvedFileName === undefined) return undefined;
    const extension = EXTENSIONS.find((one) => resolvedFileName.endsWith(one)) ?? ts.Extension.Ts;
    return { resolvedFileName, extension, isExternalLibraryImport: false };
  }

  #sourceOf(name: string): ts.SourceFile | undefined {
    const text = this.#modules.read(name);
    if (text === undefined) return undefined;
    const known = this.#sources.get(name);
    if (known?.text === text) return known;
    const source = ts.createSourceFile(
      name,
      text,
      {
        languageVersion: ts.ScriptTarget.ESNext,
        impliedNodeFormat: ts.ModuleKind.ESNext,
      },
      false, // the binder sets the parents
      kindOf(name),
    );
    this.#sources.set(name, source);
    return source;
  }
}

const EXTENSIONS = [
  ts.Extension.Dts,
  ts.Extension.Dmts,
  ts.Extension.Dcts,
  ts.Extension.Ts,
  ts.Extension.Tsx,
  ts.Extension.Mts,
  ts.Extension.Cts,
  ts.Extension.Js,
  ts.Extension.Jsx,
  ts.Extension.Mjs,
  ts.Extension.Cjs,
  ts.Extension.Json,
];

/** A module from elsewhere may have a name without an ending. */
function kindOf(name: string): ts.ScriptKind {
  const known = EXTENSIONS.find((one) => name.endsWith(one));
  if (known === ts.Extension.Tsx) return ts.ScriptKind.TSX;
  if (known === ts.Extension.Jsx) return ts.ScriptKind.JSX;
  if (known === ts.Extension.Json) return ts.ScriptKind.JSON;
  return known && /js$/.test(known) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}
