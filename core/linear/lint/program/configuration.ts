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

/** The configuration that holds for a folder: its own or the next one above it. */
export function configurationFor(folder: string): Configuration | undefined {
  const path = ["deno.json", "deno.jsonc"].map((name) => `${folder}/${name}`).find(textOf);
  if (!path) return folder === "" ? undefined : configurationFor(folder.replace(/\/[^/]*$/, ""));
  const { importMap, exclude = [], lint = {}, links = [], ...own } = jsonIn(path);
  const toPath = (one: string) => decodeURIComponent(new URL(one, `file://${path}`).pathname);
  const { imports = {} } = importMap ? jsonIn(toPath(importMap)) : own;
  const foldersAt = (one: string) =>
    one.endsWith("/*")
      ? [...Deno.readDirSync(one.slice(0, -2))].map(({ name }) => one.slice(0, -1) + name)
      : [one];
  const linked = links.map(toPath).flatMap(foldersAt)
    .map((one: string) => [jsonIn(`${one}/deno.json`).name, one]);
  return {
    path,
    linked: Object.fromEntries(linked),
    imports: Object.entries<string>(imports)
      .map(([name, target]) => [name, /^\.{0,2}\//.test(target) ? toPath(target) : target] as const)
      .toSorted(([left], [right]) => right.length - left.length),
    versions: jsonIn(`${folder}/deno.lock`).specifiers ?? {},
    excluded: [...exclude, ...lint.exclude ?? []].map(toPath),
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
