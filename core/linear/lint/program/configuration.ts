/** What the rules want to know of a `deno.json`. */
export interface Configuration {
  readonly path: string;
  /** The import map, its relative targets as paths. */
  readonly imports: Readonly<Record<string, string>>;
  /** The versions of `jsr:` and `npm:` specifiers, from the nearest lock file. */
  readonly versions: Readonly<Record<string, string>>;
  /** Paths that are left out. */
  readonly excluded: readonly string[];
}

/** The `deno.json` or `deno.jsonc` that holds for a folder: its own or the next one above it. */
export function configurationFor(folder: string): Configuration | undefined {
  const found = nearest(folder, ["deno.json", "deno.jsonc"]);
  return found && configurationIn(found);
}

interface FoundFile {
  readonly path: string;
  readonly text: string;
}

/** The first of some files in a folder, or in the next one above it that has one. */
function nearest(folder: string, names: readonly string[]): FoundFile | undefined {
  for (const name of names) {
    const path = `${folder}/${name}`;
    try {
      return { path, text: Deno.readTextFileSync(path) };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  const above = folder.replace(/\/[^/]*$/, "");
  return above === folder ? undefined : nearest(above, names);
}

function configurationIn({ path, text }: FoundFile): Configuration {
  const config = parseJsonc(text);
  const lock = nearest(path.replace(/\/[^/]*$/, ""), ["deno.lock"]);
  const locked = lock && parseJsonc(lock.text);
  const toPath = (target: string) => decodeURIComponent(new URL(target, `file://${path}`).pathname);
  const imports = Object.entries({ ...config.imports }).map(([name, target]) => {
    return [name, /^\.{0,2}\//.test(target) ? toPath(target) : target] as const;
  });
  const excluded: readonly string[] = [...config.exclude ?? [], ...config.lint?.exclude ?? []];
  return {
    path,
    imports: Object.fromEntries(imports),
    versions: locked?.specifiers ?? {},
    excluded: excluded.map(toPath),
  };
}

/** What is read of a configuration and of a lock file. */
interface Written {
  readonly imports?: Readonly<Record<string, string>>;
  readonly exclude?: readonly string[];
  readonly lint?: { readonly exclude?: readonly string[] };
  readonly specifiers?: Readonly<Record<string, string>>;
}

function parseJsonc(text: string): Written {
  try {
    return JSON.parse(plain(plain(text))) ?? {};
  } catch {
    return {}; // the program that has it cannot run
  }
}

/** Without comments and commas at the end of a list; those before a comment go the next time. */
function plain(text: string): string {
  const extras = /("(?:\\.|[^"\\])*")|\/\/.*|\/\*[\s\S]*?\*\/|,(?=\s*[}\]])/g;
  return text.replace(extras, "$1");
}
