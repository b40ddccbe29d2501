import { analyse } from "./explore/explore.ts";
import { filesAt } from "./command/source_files.ts";
import { type Finding, unknownFinding } from "./finding.ts";
import { type Edit, fixOf } from "./fix.ts";
import { type Configuration, configurationFor } from "./program/configuration.ts";
import { LocalModules } from "./program/local_modules.ts";
import { type Modules, Project } from "./program/project.ts";
import { Reach } from "./program/reach.ts";

/** A finding with its place and what mends it. */
export interface FixableFinding extends Omit<Finding, "node"> {
  readonly range: [number, number];
  readonly edits: readonly Edit[];
}

/**
 * Follows the ports of files that come one by one, as `deno lint` and editors hand them over. What
 * they import is read from this machine; nothing is fetched.
 */
export class SingleFiles {
  readonly #projects = new Map<string, OpenProject>();

  /** @param text the file's text now, which need not be saved */
  findingsIn(path: string, text: string): readonly FixableFinding[] {
    const config = configurationFor(path.replace(/\/[^/]*$/, ""));
    const key = config?.path ?? "";
    const project = this.#projects.get(key) ?? new OpenProject(config);
    this.#projects.set(key, project);
    return project.findingsIn(path, text);
  }
}

/** The files of one configuration. */
class OpenProject {
  readonly #config: Configuration | undefined;
  readonly #modules: EditedModules;
  readonly #reach: Reach;
  readonly #project: Project;
  readonly #paths = new Set<string>();

  constructor(config: Configuration | undefined) {
    this.#config = config;
    this.#modules = new EditedModules(new LocalModules(config));
    this.#reach = new Reach(this.#modules);
    this.#project = new Project(this.#modules);
  }

  findingsIn(path: string, text: string): readonly FixableFinding[] {
    this.#modules.edited = { path, text };
    const [unknown] = this.#reach.unknownFrom(path);
    const notes: readonly FixableFinding[] = unknown === undefined
      ? []
      : [{ ...unknownFinding(unknown), range: [0, 0], edits: [] }];
    if (!this.#reach.hasPorts(path)) return notes;
    this.#load(path);
    const file = this.#project.file(path);
    const findings = file ? analyse(file) : [];
    return [
      ...notes,
      ...findings.map((one): FixableFinding => {
        const { node } = one;
        return { ...one, range: [node.getStart(), node.end], edits: fixOf(file!, one) };
      }),
    ];
  }

  /** Whoever asks for a second file asks for all of them: one program serves them. */
  #load(path: string): void {
    if (this.#paths.size === 1 && !this.#paths.has(path) && this.#config) {
      const all = filesAt([this.#config.path.replace(/[^/]*$/, "")], this.#config.excluded);
      for (const one of all) if (this.#reach.hasPorts(one)) this.#paths.add(one);
    }
    const isThere = (one: string) => this.#modules.read(one) !== undefined;
    this.#project.load([...this.#paths.add(path)].filter(isThere));
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
