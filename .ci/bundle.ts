/**
 * Bundles the core for pages, which run no TypeScript: `deno task bundle` writes `dist/`. A page
 * imports `dist/mod.js`; the folder must stay whole, since servers in workers load from it too.
 *
 * @module
 */
import { basename, dirname, join, relative, resolve } from "@std/path";
import ts from "typescript";

const ROOT = new URL("..", import.meta.url);

/** What a page can import from the bundle, and the worker that it starts. */
const ENTRIES: readonly string[] = [
  "core/mod.ts",
  "core/gpu/mod.ts",
  "core/linear/mod.ts",
  "core/worker/server_worker.ts",
];

/**
 * Bundles the core, and other modules of it, into a folder. Modules that share code share a file, so
 * that a page, its workers and their services have one copy of each class between them.
 *
 * @param folder what to write, in place of what is there; it stays as it is when this fails
 * @throws {Error} when a module cannot be bundled, or starts a worker that is no entry
 */
export async function bundleCore(folder: string, others: readonly string[] = []): Promise<void> {
  const entries = [...ENTRIES, ...others];
  const parent = dirname(resolve(folder));
  await Deno.mkdir(parent, { recursive: true });
  const written = await Deno.makeTempDir({ dir: parent, prefix: "bundle-" });
  try {
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        ...["bundle", "--quiet", "--platform=browser", "--code-splitting", "--outdir", written],
        ...entries,
      ],
      cwd: ROOT,
    });
    const { success, stderr } = await command.output();
    if (!success) throw new Error(`Cannot bundle the core: ${new TextDecoder().decode(stderr)}`);
    for (const path of scriptsIn(written)) nameBundledWorkers(path, { folder: written, entries });
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    await Deno.rename(written, folder);
  } finally {
    await Deno.remove(written, { recursive: true }).catch(() => {});
  }
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
  let text = Deno.readTextFileSync(path);
  for (const { name, start, end } of moduleUrls(text).toReversed()) {
    const entry = entries.find((entry) => basename(entry) === name);
    if (!entry) throw new Error(`Cannot bundle ${path} as it starts ${name}, which is no entry`);
    const script = join(folder, relative("core", entry).replace(/\.ts$/, ".js"));
    text = `${text.slice(0, start)}"./${relative(dirname(path), script)}"${text.slice(end)}`;
  }
  Deno.writeTextFileSync(path, text);
}

/** A literal that a script gives to `new URL(..., import.meta.url)`, and the module that it names. */
interface ModuleUrl {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Where a script names modules of TypeScript by URL, in the order of its text. The bundler leaves
 * them as they are. Found by syntax: texts of errors and examples show such expressions, too.
 */
export function moduleUrls(text: string): readonly ModuleUrl[] {
  const script = ts.createSourceFile("a.js", text, ts.ScriptTarget.Latest);
  const found: ModuleUrl[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText(script) === "URL") {
      const [target, base] = node.arguments ?? [];
      const isOurs = target && ts.isStringLiteral(target) && /^\.\.?\/.*\.ts$/.test(target.text);
      if (isOurs && base?.getText(script) === "import.meta.url") {
        const { text, end } = target;
        found.push({ name: basename(text), start: target.getStart(script), end });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(script);
  return found;
}

if (import.meta.main) await bundleCore("dist");
