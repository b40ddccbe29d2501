import { ts } from "./compiler.ts";

/** What a `deno.json` and the lock file beside it say of modules. */
export interface Configuration {
  readonly path: string;
  /** The import map, longest name first, its relative targets as paths. */
  readonly imports: readonly (readonly [name: string, target: string])[];
  /** The versions of `jsr:` and `npm:` specifiers. */
  readonly versions: Readonly<Record<string, string>>;
  /** The folders of packages that are taken from this machine. */
  readonly linked: Readonly<Record<string, string>>;
  readonly excluded: readonly string[];
}

/** The parts of a package of a registry, in an import map: `npm:/kit@1.0.0/`. */
const FOLDER = /^(npm|jsr):\/(.*)\/$/;

/** The configuration that holds for a folder: its own or the next one above it. */
export function configurationFor(folder: string): Configuration | undefined {
  const path = ["deno.json", "deno.jsonc"].map((name) => `${folder}/${name}`).find(textOf);
  if (!path) return folder === "" ? undefined : configurationFor(folder.replace(/\/[^/]*$/, ""));
  const { importMap, exclude = [], lint = {}, links = [], ...own } = jsonIn(path);
  const toPath = (one: string, base = path) =>
    decodeURIComponent(new URL(one, `file://${base}`).pathname);
  const map = importMap === undefined ? path : toPath(importMap);
  const { imports = {} } = importMap === undefined ? own : jsonIn(map);
  const foldersAt = (one: string) =>
    one.endsWith("/*")
      ? [...Deno.readDirSync(one.slice(0, -2))].map(({ name }) => one.slice(0, -1) + name)
      : [one];
  const linked = links.map((one: string) => toPath(one)).flatMap(foldersAt)
    .map((one: string) => [jsonIn(`${one}/deno.json`).name, one]);
  return {
    path,
    linked: Object.fromEntries(linked),
    imports: Object.entries<string>(imports)
      .map(([name, target]) =>
        FOLDER.test(target)
          // An import map names a package with its parts by a folder, and deno.json's imports do it by the package.
          ? [name.slice(0, -1), target.replace(FOLDER, "$1:$2")] as const
          : [name, /^\.{0,2}\//.test(target) ? toPath(target, map) : target] as const
      )
      .toSorted(([left], [right]) => right.length - left.length),
    versions: jsonIn(`${folder}/deno.lock`).specifiers ?? {},
    excluded: [...exclude, ...lint.exclude ?? []].map((one) => toPath(one)),
  };
}

// deno-lint-ignore no-explicit-any -- what stands in a file of settings
export function jsonIn(path: string): any {
  return ts.parseConfigFileTextToJson(path, textOf(path) ?? "{}").config ?? {};
}

/** The text of a file; nothing where there is none, as the compiler asks for many. */
export function textOf(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
