/**
 * Bundles the core for pages, which run no TypeScript: `deno task bundle` writes `dist/`. A page
 * imports `dist/mod.js`; the folder must stay whole, since servers in workers load from it too.
 *
 * @module
 */
import { basename, dirname, join, relative } from "@std/path";

const ROOT = new URL("..", import.meta.url);

/** What a page can import from the bundle, and the worker that it starts. */
const ENTRIES: readonly string[] = [
  "core/mod.ts",
  "core/gpu/mod.ts",
  "core/linear/mod.ts",
  "core/worker/server_worker.ts",
];

/** How workers are found: esbuild leaves these URLs as they are, with the names of the sources. */
const MODULE_URL = /new URL\("\.\/(\w+)\.ts", import\.meta\.url\)/g;

/**
 * Bundles the core, and other modules of it, into a folder. Modules that share code share a file, so
 * that a page, its workers and their services have one copy of each class between them.
 *
 * @param folder where to write; what is there already stays
 * @throws {Error} when a module cannot be bundled, or names a worker that is no entry
 */
export async function bundleCore(folder: string, others: readonly string[] = []): Promise<void> {
  const entries = [...ENTRIES, ...others];
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      ...["bundle", "--quiet", "--platform=browser", "--code-splitting", "--outdir", folder],
      ...entries,
    ],
    cwd: ROOT,
  });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(`Cannot bundle the core: ${new TextDecoder().decode(stderr)}`);
  for (const path of scriptsIn(folder)) nameBundledWorkers(path, { folder, entries });
}

function* scriptsIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* scriptsIn(join(folder, name));
    else if (name.endsWith(".js")) yield join(folder, name);
  }
}

function nameBundledWorkers(
  path: string,
  { folder, entries }: { readonly folder: string; readonly entries: readonly string[] },
): void {
  const text = Deno.readTextFileSync(path);
  const named = text.replace(MODULE_URL, (_, name: string) => {
    const entry = entries.find((entry) => basename(entry) === `${name}.ts`);
    if (!entry) throw new Error(`Cannot bundle ${path} as it names ${name}.ts, which is no entry`);
    const script = join(folder, relative("core", entry).replace(/\.ts$/, ".js"));
    return `new URL("./${relative(dirname(path), script)}", import.meta.url)`;
  });
  if (named !== text) Deno.writeTextFileSync(path, named);
}

if (import.meta.main) await bundleCore("dist");
