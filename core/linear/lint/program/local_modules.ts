import { createHash } from "node:crypto";
import { ts } from "./compiler.ts";
import type { Configuration } from "./configuration.ts";
import { denoFolder, namesIn, packageFolders } from "./deno_folder.ts";
import type { Modules } from "./project.ts";

/**
 * Modules on this machine: those with a path, those that an import map leads to, packages, and the
 * copies that Deno keeps of modules with a URL, which have the path `/https/host/path` here.
 */
export class LocalModules implements Modules {
  readonly #imports: readonly (readonly [name: string, target: string])[];
  readonly #versions: Readonly<Record<string, string>>;
  readonly #packages: ReadonlyMap<string, string>;
  readonly #texts = new Map<string, KnownText & { readonly lookedAt: number }>();
  readonly #found = new Map<string, string | undefined>();

  /**
   * @param config what an import map and a lock file say
   * @param packages the folders of packages that lie in no `node_modules`, by name
   */
  constructor(
    { imports = {}, versions = {} }: Partial<Configuration> = {},
    packages: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#imports = Object.entries(imports).sort(([left], [right]) => right.length - left.length);
    this.#versions = versions;
    this.#packages = packages;
  }

  read(name: string): string | undefined {
    const known = this.#texts.get(name);
    const now = performance.now();
    if (known && now - known.lookedAt < STALE_MILLISECONDS) return known.text;
    const read = freshText(copyOf(name) ?? name, known);
    this.#texts.set(name, { ...read, lookedAt: now });
    return read.text;
  }

  resolve(specifier: string, importer: string): string | undefined {
    if (/^\.{0,2}\//.test(specifier)) return this.#atPath(specifier, importer);
    const target = this.#mapped(specifier) ?? specifier;
    if (/^(?:file|https?):/.test(target)) return this.#existing(nameOf(target));
    if (target.startsWith("/")) return target;
    const [, scheme, name = "", range, part = ""] = REGISTERED.exec(target) ?? [];
    if (!scheme && /^\w+:/.test(target)) return undefined;
    const version = this.#versions[`${scheme}:${name}@${range ?? "*"}`] ?? range ?? "";
    if (scheme === "jsr") return this.#fromJsr(`${name}/${version}`, part);
    const inside = scheme ? name + part : target;
    const owner = packageIn(inside);
    const known = this.#packages.get(`${owner}@${version}`) ?? this.#packages.get(owner);
    const kept = `${name}/${version.replace(/_.*/, "")}`;
    for (const folder of [known, ...scheme ? packageFolders(kept) : []]) {
      const found = folder && this.#inPackage(folder, inside);
      if (found) return found;
    }
    return this.#search(inside, importer);
  }

  /** A list of a version's entries lies beside it, of which Deno keeps a copy with a note behind. */
  #fromJsr(version: string, part: string): string | undefined {
    for (const scheme of ["https", "http"]) {
      for (const host of namesIn(`${denoFolder()}/remote/${scheme}`)) {
        const base = `/${scheme}/${host.replace("_PORT", ":")}/${version}`;
        const text = this.read(`${base}_meta.json`);
        const entries = text && ts.parseConfigFileTextToJson("meta.json", text).config?.exports;
        const file: unknown = entries?.[`.${part}`];
        if (typeof file === "string") return base + file.replace(/^\./, "");
      }
    }
    return undefined;
  }

  #existing(name: string): string | undefined {
    return this.read(name) === undefined ? undefined : name;
  }

  /** What the import map makes of a specifier: a path, or another specifier. */
  #mapped(specifier: string): string | undefined {
    for (const [name, target] of this.#imports) {
      if (specifier === name) return target;
      // A package is mapped together with its parts.
      const folder = REGISTERED.test(target) ? `${name}/` : name;
      if (folder.endsWith("/") && specifier.startsWith(folder)) {
        return target + specifier.slice(name.length);
      }
    }
    return undefined;
  }

  /** Types may stand beside JavaScript, and packages leave endings out. */
  #atPath(specifier: string, importer: string): string | undefined {
    const path = decodeURIComponent(new URL(specifier, `file://${importer}`).pathname);
    return /\.(?:[cm]?tsx?|json)$/.test(path) ? path : this.#search(path, importer) ?? path;
  }

  /** A module of a package that lies in a folder of its own. */
  #inPackage(folder: string, specifier: string): string | undefined {
    const mount = `/package/node_modules/${packageIn(specifier)}`;
    const found = this.#search(specifier, "/package/entry.ts", (path) => {
      return path.startsWith(mount) ? folder + path.slice(mount.length) : path;
    });
    return found?.startsWith(mount) ? folder + found.slice(mount.length) : found;
  }

  /** As the compiler searches: `exports`, `types`, `index.d.ts`. */
  #search(
    specifier: string,
    importer: string,
    place = (path: string) => path,
  ): string | undefined {
    const key = `${importer.replace(/[^/]*$/, "")} ${specifier} ${place("/package/node_modules")}`;
    if (!this.#found.has(key)) {
      const host = {
        fileExists: (path: string) => this.read(place(path)) !== undefined,
        readFile: (path: string) => this.read(place(path)),
      };
      const { resolvedModule } = ts.resolveModuleName(specifier, importer, SEARCH, host);
      this.#found.set(key, resolvedModule?.resolvedFileName);
    }
    return this.#found.get(key);
  }
}

/** A specifier of a package in a registry: its name, its versions, and what is meant of it. */
const REGISTERED = /^(jsr|npm):\/?((?:@[^/]+\/)?[^@/]+)(?:@([^/]+))?(\/.*)?$/;

function packageIn(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";
}

/** A text, when it was written; `undefined` of what is not there. */
interface KnownText {
  readonly time: number | undefined;
  readonly text: string | undefined;
}

function freshText(path: string, known: KnownText | undefined): KnownText {
  try {
    const { mtime, isFile } = Deno.statSync(path);
    const time = mtime?.getTime();
    if (known && known.time === time) return { time, text: known.text };
    return { time, text: isFile ? Deno.readTextFileSync(path) : undefined };
  } catch {
    return { time: undefined, text: undefined }; // the compiler asks for many that are not there
  }
}

/** What a module is called here: a path. */
export function nameOf(specifier: string): string {
  const url = URL.parse(specifier);
  if (!url) return specifier;
  const path = decodeURIComponent(url.pathname);
  return url.protocol === "file:" ? path : `/${url.protocol.slice(0, -1)}/${url.host}${path}`;
}

/** Where Deno keeps its copy of a module with a URL; it need not be there. */
function copyOf(name: string): string | undefined {
  const [, scheme, host = "", path = ""] = /^\/(https?)\/([^/]+)(\/.*)$/.exec(name) ?? [];
  if (!scheme) return undefined;
  const hash = createHash("sha256").update(encodeURI(path)).digest("hex");
  return `${denoFolder()}/remote/${scheme}/${host.replace(":", "_PORT")}/${hash}`;
}

/** For so long a file is taken to be as it was: a run over many files asks for each again and again. */
const STALE_MILLISECONDS = 1000;

const SEARCH: ts.CompilerOptions = {
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};
