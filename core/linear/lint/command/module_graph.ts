import { LocalModules, nameOf } from "../program/local_modules.ts";
import type { Modules } from "../program/project.ts";

interface Target {
  readonly specifier?: string;
  readonly error?: string;
}

interface Dependency {
  readonly specifier: string;
  readonly code?: Target;
  readonly type?: Target;
}

/** What `deno info --json` says of a module. */
interface ModuleInfo {
  readonly specifier: string;
  readonly local?: string;
  /** Why it cannot be read: it is not there, or no program. */
  readonly error?: string;
  readonly dependencies?: readonly Dependency[];
  readonly typesDependency?: { readonly dependency: Dependency };
}

/** What stands in the way of following a program. */
export interface Obstacle {
  /** The path of the file that cannot be read, or that imports what cannot. */
  readonly file: string;
  /** What it imports; absent when it is the file itself. */
  readonly specifier?: string;
  /** Why. */
  readonly reason: string;
}

/** What `deno info --json` says, as far as it is needed. */
export interface GraphInfo {
  readonly modules: readonly ModuleInfo[];
  readonly redirects?: Readonly<Record<string, string>>;
  readonly npmPackages?: Readonly<
    Record<string, { readonly name: string; readonly version: string; readonly localPath?: string }>
  >;
}

/**
 * Asks Deno where the modules are that some files import: it knows import maps, `jsr:`, `npm:` and
 * URLs, and has fetched what is not here yet.
 *
 * @throws {Error} when Deno cannot tell
 */
export async function graphOf(
  paths: readonly string[],
  config: string | undefined,
): Promise<GraphInfo> {
  const made = await Deno.makeTempFile({ prefix: "linear_", suffix: ".ts" });
  const entry = await Deno.realPath(made);
  try {
    const imports = paths.map((one) => `import ${JSON.stringify(toUrl(one))};\n`);
    await Deno.writeTextFile(entry, imports.join(""));
    const settings = config ? ["--config", config] : ["--no-config"];
    const command = new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--no-lock", "--allow-import", ...settings, entry],
    });
    const { code, stdout, stderr } = await command.output();
    if (code === 0) {
      const info: GraphInfo = JSON.parse(new TextDecoder().decode(stdout));
      return { ...info, modules: info.modules.filter((one) => one.specifier !== toUrl(entry)) };
    }
    const reason = new TextDecoder().decode(stderr).trim();
    throw new Error(`Cannot find the modules as deno info ends with ${code}: ${reason}`);
  } finally {
    await Deno.remove(entry);
  }
}

/** The files of this machine that cannot be read, and those that import what cannot. */
export function obstaclesIn({ modules, redirects = {} }: GraphInfo): readonly Obstacle[] {
  const errors = new Map(modules.map(({ specifier, error }) => [specifier, error]));
  const reasonOf = ({ code, type }: Dependency): string | undefined => {
    const target = code?.specifier ?? type?.specifier ?? "";
    return code?.error ?? type?.error ?? errors.get(redirects[target] ?? target);
  };
  return modules.filter(({ specifier }) => specifier.startsWith("file:")).flatMap((one) => {
    const file = nameOf(one.specifier);
    if (one.error !== undefined) return [{ file, reason: briefly(one.error) }];
    return (one.dependencies ?? []).flatMap((dependency) => {
      const reason = reasonOf(dependency);
      const { specifier } = dependency;
      return reason === undefined ? [] : [{ file, specifier, reason: briefly(reason) }];
    });
  });
}

/**
 * The files that say what modules are and what they mean, whether they are there or not: a package is
 * what the lock file says. Nothing where an import map lies elsewhere.
 */
export function inputsOf(
  { modules }: GraphInfo,
  config: string | undefined,
): readonly string[] | undefined {
  if (config && /"importMap"/.test(Deno.readTextFileSync(config))) return undefined;
  const locals = modules.flatMap(({ local }) => local ?? []);
  const folders = new Set(locals.map((one) => one.replace(/\/[^/]*$/, "")));
  for (const one of folders) if (one !== "") folders.add(one.replace(/\/[^/]*$/, ""));
  const names = ["deno.json", "deno.jsonc", "deno.lock", "package.json"];
  return [...locals, ...[...folders].flatMap((one) => names.map((name) => `${one}/${name}`))];
}

/** Deno shows the line, too, which begins after the first. */
function briefly(reason: string): string {
  const [first = ""] = reason.split("\n");
  const [, place] = /:(\d+:\d+)$/.exec(reason) ?? [];
  return place && reason !== first ? `${first} (${place})` : first;
}

/** A path as the URL of a file; a URL as it is. */
export function toUrl(path: string): string {
  if (!path.startsWith("/")) return path;
  return `file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
}

/** Modules as Deno resolves them. A module from elsewhere has the path `/https/host/path` here. */
export class GraphModules implements Modules {
  readonly #local: LocalModules;
  /** Where the copy of a module from elsewhere lies. */
  readonly #copies = new Map<string, string>();
  /** What the specifiers of a module mean, by the module's name. */
  readonly #targets = new Map<string, ReadonlyMap<string, string>>();

  constructor({ modules, redirects = {}, npmPackages = {} }: GraphInfo) {
    const packages = new Map<string, string>();
    for (const { name, version, localPath } of Object.values(npmPackages)) {
      if (!localPath) continue;
      packages.set(`${name}@${version}`, localPath);
      packages.set(name, localPath);
    }
    this.#local = new LocalModules({}, packages);
    const types = new Map(modules.flatMap(({ specifier, typesDependency }) => {
      const { code, type } = typesDependency?.dependency ?? {};
      const target = type?.specifier ?? code?.specifier;
      return target ? [[specifier, target]] : [];
    }));
    const finalOf = (specifier: string): string => {
      const target = redirects[specifier] ?? types.get(specifier);
      return target && target !== specifier ? finalOf(target) : specifier;
    };
    for (const { specifier, local, dependencies = [] } of modules) {
      const name = nameOf(specifier);
      if (local && !specifier.startsWith("file:")) this.#copies.set(name, local);
      this.#targets.set(
        name,
        new Map(dependencies.flatMap(({ specifier, code, type }) => {
          const target = type?.specifier ?? code?.specifier;
          return target ? [[specifier, finalOf(target)]] : [];
        })),
      );
    }
  }

  read(name: string): string | undefined {
    return this.#local.read(this.#copies.get(name) ?? name);
  }

  specifiersIn(name: string): readonly string[] | undefined {
    const targets = this.#targets.get(name);
    return targets && [...targets.keys()];
  }

  resolve(specifier: string, importer: string): string | undefined {
    const target = this.#targets.get(importer)?.get(specifier);
    if (target === undefined) return this.#local.resolve(specifier, importer);
    if (target.startsWith("npm:")) return this.#local.resolve(target, importer);
    return target.startsWith("node:") ? undefined : nameOf(target);
  }
}
