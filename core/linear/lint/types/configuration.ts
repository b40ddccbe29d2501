import { ts } from "./compiler.ts";

/** What the rules want to know of a `deno.json`. */
export interface Configuration {
  readonly path: string;
  /** The import map, its relative targets as paths. */
  readonly imports: Readonly<Record<string, string>>;
  /** Paths that are left out. */
  readonly excluded: readonly string[];
}

/** The `deno.json` or `deno.jsonc` that holds for a folder: its own or the next one above it. */
export function configurationFor(folder: string): Configuration | undefined {
  for (const name of ["deno.json", "deno.jsonc"]) {
    const path = `${folder}/${name}`;
    try {
      return configurationIn(path, Deno.readTextFileSync(path));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  const above = folder.replace(/\/[^/]*$/, "");
  return above === folder ? undefined : configurationFor(above);
}

function configurationIn(path: string, text: string): Configuration {
  const { config = {} } = ts.parseConfigFileTextToJson(path, text);
  const toPath = (target: string) => decodeURIComponent(new URL(target, `file://${path}`).pathname);
  const imports = Object.entries<string>({ ...config.imports }).map(([name, target]) => {
    return [name, /^\.{0,2}\//.test(target) ? toPath(target) : target] as const;
  });
  const excluded: readonly string[] = [...config.exclude ?? [], ...config.lint?.exclude ?? []];
  return { path, imports: Object.fromEntries(imports), excluded: excluded.map(toPath) };
}
