import { analyse } from "./analysis.ts";
import { type Finding, unknownFinding } from "./finding.ts";
import { SyntaxNode } from "./syntax/syntax.ts";
import { configurationFor } from "./types/configuration.ts";
import { LocalModules } from "./types/local_modules.ts";
import { type Modules, Project } from "./types/project.ts";
import { Reach } from "./types/reach.ts";

/**
 * Follows the ports of files that come one by one, as `deno lint` and editors hand them over. What
 * they import is read from this machine; nothing is fetched.
 */
export class SingleFiles {
  readonly #projects = new Map<string, SingleProject>();

  /** @param text the file's text now, which need not be saved */
  findingsIn(path: string, text: string): readonly Finding[] {
    const config = configurationFor(path.replace(/\/[^/]*$/, ""));
    const key = config?.path ?? "";
    const project = this.#projects.get(key) ?? new SingleProject(config?.imports ?? {});
    this.#projects.set(key, project);
    return project.findingsIn(path, text);
  }
}

/** The files of one configuration. */
class SingleProject {
  readonly #modules: EditedModules;
  readonly #reach: Reach;
  readonly #project: Project;

  constructor(imports: Readonly<Record<string, string>>) {
    this.#modules = new EditedModules(new LocalModules(imports));
    this.#reach = new Reach(this.#modules);
    this.#project = new Project(this.#modules);
  }

  findingsIn(path: string, text: string): readonly Finding[] {
    this.#modules.edited = { path, text };
    const [unknown] = this.#reach.unknownFrom(path);
    const program = new SyntaxNode({ type: "Program", range: [0, 0] });
    const notes = unknown === undefined ? [] : [unknownFinding(program, unknown)];
    if (!this.#reach.hasPorts(path)) return notes;
    this.#project.load([path]);
    const file = this.#project.file(path);
    return file ? [...notes, ...analyse(file)] : notes;
  }
}

/** Modules of which one is open in an editor. */
class EditedModules implements Modules {
  edited: { readonly path: string; readonly text: string } | undefined;
  readonly #saved: Modules;

  constructor(saved: Modules) {
    this.#saved = saved;
  }

  read(name: string): string | undefined {
    return this.edited?.path === name ? this.edited.text : this.#saved.read(name);
  }

  resolve(specifier: string, importer: string): string | undefined {
    return this.#saved.resolve(specifier, importer);
  }
}
