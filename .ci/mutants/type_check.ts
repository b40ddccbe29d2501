import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowUnreachableCode: true,
};

/**
 * Checks changed modules one at a time, each in the tree as it is, in a fraction of the time that a
 * process would take. Callers of a module are not checked: its signatures do not change.
 */
export class TypeCheck {
  readonly #service: ts.LanguageService;
  readonly #changed = new Map<string, string>();
  readonly #known = new Map<string, ReadonlySet<string>>();
  #version = 0;

  /** @param files the modules that may change, from the root */
  constructor(root: string, files: readonly string[]) {
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => OPTIONS,
      getScriptFileNames: () => files.map((file) => root + file),
      getScriptVersion: (name) => this.#changed.has(name) ? `changed ${this.#version}` : "0",
      getScriptSnapshot: (name) => {
        const text = this.#changed.get(name) ?? ts.sys.readFile(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
    });
  }

  /** What is wrong with the module since it has this text; empty when nothing is. */
  problems(name: string, text: string): string[] {
    const known = this.#known.get(name) ?? new Set(this.#messages(name));
    this.#known.set(name, known);
    this.#version++;
    this.#changed.set(name, text);
    try {
      return this.#messages(name).filter((message) => !known.has(message));
    } finally {
      this.#changed.delete(name);
    }
  }

  #messages(name: string): string[] {
    const found = [
      ...this.#service.getSyntacticDiagnostics(name),
      ...this.#service.getSemanticDiagnostics(name),
    ];
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  }
}
