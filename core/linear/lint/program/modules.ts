import { createHash } from "node:crypto";
import { ts } from "./compiler.ts";
import { type Configuration, jsonIn, textOf } from "./configuration.ts";

/** Gives the texts of modules. Every module has an absolute path here, by which it is known. */
export interface ModuleSource {
  /** The text of a module; nothing where there is none. */
  read(name: string): string | undefined;
  /** The path of what an import means; nothing where it leads nowhere. */
  resolve(specifier: string, importer: string): string | undefined;
}

/** A specifier of a package in a registry: its name, its versions, and what is meant of it. */
const REGISTERED = /^(jsr|npm):\/?((?:@[^/]+\/)?[^@/]+)(?:@([^/]+))?(\/.*)?$/;
const SEARCH = {
  allowImportingTsExtensions: true,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/**
 * Modules on this machine: those with a path, what an import map and a lock file say, packages, and
 * the copies that Deno keeps of modules with a URL, which have the path `/https/host/path` here.
 */
export class Modules implements ModuleSource {
  /** A file that is open in an editor. */
  edited: { readonly path: string; readonly text: string } | undefined;
  readonly #config: Configuration | undefined;
  readonly #texts = new Map<string, string | undefined>();

  constructor(config: Configuration | undefined) {
    this.#config = config;
  }

  read(name: string): string | undefined {
    if (this.edited?.path === name) return this.edited.text;
    if (!this.#texts.has(name)) this.#texts.set(name, textOf(copyOf(name)));
    return this.#texts.get(name);
  }

  resolve(specifier: string, importer: string): string | undefined {
    const found = this.#find(this.#mapped(specifier), importer);
    return found !== undefined && this.read(found) !== undefined ? found : undefined;
  }

  #find(specifier: string, importer: string): string | undefined {
    const from = importer.replace(/^\/(https?)\//, "$1://").replace(/^\//, "file:///");
    const url = /^\.{0,2}\//.test(specifier) ? new URL(specifier, from) : URL.parse(specifier);
    if (url && /^(file|https?):$/.test(url.protocol)) {
      const path = decodeURIComponent(url.pathname);
      const name = url.host ? `/${url.protocol.slice(0, -1)}/${url.host}${path}` : path;
      return /\.(?:[cm]?tsx?|json)$/.test(name) ? name : this.#search(name, importer) ?? name;
    }
    const [, scheme, name = "", range = "*", part = ""] = REGISTERED.exec(specifier) ?? [];
    if (!scheme) return url ? undefined : this.#search(specifier, importer);
    const locked = this.#config?.versions[`${scheme}:${name}@${range}`] ?? range;
    const version = `${name}/${locked.replace(/_.*/, "")}`;
    if (scheme === "npm") return this.#search(name + part, `${packageFolder(version)}/entry.ts`);
    const linked = this.#config?.linked[name];
    const base = linked ?? this.#registered(version);
    const { exports } = jsonIn(linked ? `${linked}/deno.json` : copyOf(`${base}_meta.json`));
    const file = typeof exports === "string" ? exports : exports?.[`.${part}`];
    return typeof file === "string" ? base + file.replace(/^\./, "") : undefined;
  }

  /** The folder of a package in whichever registry Deno has it from. */
  #registered(version: string): string {
    const bases = hostsIn(`${denoFolder()}/remote/https`).map((host) =>
      `/https/${host}/${version}`
    );
    return bases.find((base) => this.read(`${base}_meta.json`) !== undefined) ?? "";
  }

  /** What the import map makes of a specifier: a path, or another specifier. */
  #mapped(specifier: string): string {
    for (const [name, target] of this.#config?.imports ?? []) {
      const folder = REGISTERED.test(target) ? `${name}/` : name; // a package with its parts
      const isPart = folder.endsWith("/") && specifier.startsWith(folder);
      if (specifier === name || isPart) return target + specifier.slice(name.length);
    }
    return specifier;
  }

  /** As the compiler searches, and in the folder of a package itself: `exports`, `types`, `index.d.ts`. */
  #search(specifier: string, importer: string): string | undefined {
    const [, own] = /\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/[^/]+\/entry\.ts$/.exec(importer) ?? [];
    const mount = `${importer.replace(/[^/]*$/, "")}node_modules/${own}`;
    const place = (path: string) =>
      own && path.startsWith(mount)
        ? importer.replace(/\/[^/]*$/, "") + path.slice(mount.length)
        : path;
    const host = {
      fileExists: (path: string) => this.read(place(path)) !== undefined,
      readFile: (path: string) => this.read(place(path)),
    };
    const { resolvedModule } = ts.resolveModuleName(specifier, importer, SEARCH, host);
    return resolvedModule && place(resolvedModule.resolvedFileName);
  }
}

/** The folder of what Deno keeps. */
function denoFolder(): string {
  const home = Deno.env.get("HOME") ?? "";
  const caches = Deno.env.get("XDG_CACHE_HOME") ?? Deno.env.get("LOCALAPPDATA") ??
    (Deno.build.os === "darwin" ? `${home}/Library/Caches` : `${home}/.cache`);
  return Deno.env.get("DENO_DIR") ?? `${caches}/deno`;
}

/** The hosts of which Deno keeps something in a folder. */
function hostsIn(folder: string): readonly string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
  } catch {
    return []; // nothing was fetched yet
  }
}

/** The folder in which Deno keeps a version of a package: `name/1.0.0`. */
export function packageFolder(version: string): string {
  const folders = hostsIn(`${denoFolder()}/npm`).map((host) =>
    `${denoFolder()}/npm/${host}/${version}`
  );
  return folders.find((one) => textOf(`${one}/package.json`) !== undefined) ?? `/${version}`;
}

/** Where the text of a module lies: Deno keeps a copy of one with a URL. */
function copyOf(name: string): string {
  const [, scheme, host = "", path = ""] = /^\/(https?)\/([^/]+)(\/.*)$/.exec(name) ?? [];
  if (!scheme) return name;
  const hash = createHash("sha256").update(encodeURI(path)).digest("hex");
  return `${denoFolder()}/remote/${scheme}/${host.replace(":", "_PORT")}/${hash}`;
}
