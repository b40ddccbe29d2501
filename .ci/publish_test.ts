import { ScratchFolder } from "../core/testing/fixtures/scratch_folder.ts";
/** What is published: files, documentation, and which names the entries of `deno.json` export. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { packForJsr } from "./pack.ts";
import { type Ended, ended } from "../bench/machine/ended.ts";

const ROOT = new URL("../", import.meta.url);
const CONFIG: { readonly exports: Readonly<Record<string, string>> } = JSON.parse(
  await Deno.readTextFile(new URL("deno.json", ROOT)),
);

/** Runs Deno in the root. */
function deno(...args: string[]): Promise<Ended> {
  return denoIn(ROOT, args);
}

function denoIn(cwd: URL | string, args: string[]): Promise<Ended> {
  return ended(Deno.execPath(), args, { cwd, env: { NO_COLOR: "1" } });
}

Deno.test("deno publish takes what is packed for JSR: types, files and imports", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  packForJsr(folder);
  // Needs no registry: @std comes from `links`, and one of its packages travels along for that.
  const { code, error: text } = await denoIn(folder, ["publish", "--dry-run"]);
  assert(code === 0, text);
  assertStringIncludes(text, "core/toggle/PROTOCOL.md");
  const files = [...text.matchAll(/^\s*file:\/\/(\S+) \(/gm)].map(([, path]) => path!);
  const forTests = /_test\.ts$|\/testdata\/|\/testing\/|\/results\/(raw|pictures)\//;
  assertEquals(files.filter((path) => forTests.test(path)), []);
  // The dry run takes imports of texts, and JSR does not.
  const scripts = files.filter((path) => path.endsWith(".ts"));
  assert(scripts.length > 0);
  const refused = scripts.filter((path) =>
    /with \{ type: "text"/.test(Deno.readTextFileSync(path))
  );
  assertEquals(refused, []);
});

/** The entries, the one of the whole last: what it has in namespaces is told of by its own entry. */
const ENTRIES = Object.values(CONFIG.exports).toSorted((a, b) => a.length - b.length)
  .toSorted((a, b) => Number(a === CONFIG.exports["."]) - Number(b === CONFIG.exports["."]));

/** How many names an entry may have: more than one page of them is no table of contents. */
const NAMES_MAX = 50;

/** Where the lint of the documentation finds something, as `what, file:line`. */
async function undocumented(paths: readonly string[]): Promise<string[]> {
  const { code, error: text } = await deno("doc", "--lint", ...paths);
  const found = [...text.matchAll(/^error\[[\w-]+\]: (.*)\n\s*--> .*?([^/\n]+\/[^/\n]+)$/gm)]
    .map(([, what, place]) => `${what}, ${place}`);
  return code === 0 || found.length > 0 ? found : [text];
}

Deno.test("public symbols are documented, and name types that some entry exports", async () => {
  assertEquals(await undocumented(ENTRIES), []);
});

/** What `deno doc --json` says, as far as it is read here. */
type DocNode = Readonly<Record<string, unknown>>;

/** Names in signatures that no entry exports, constructors and methods included. */
function hiddenNames(doc: DocNode, exported: ReadonlySet<string>): string[] {
  if (isInternal(doc)) return [];
  const own = doc.kind === "typeRef" ? projectNames(doc.value as DocNode) : [];
  const below = Object.values(doc)
    .filter((part): part is DocNode => typeof part === "object" && part !== null)
    .flatMap((part) => hiddenNames(part, exported));
  return [...own.filter((name) => !exported.has(name)), ...below];
}

function isInternal({ jsDoc, accessibility }: DocNode): boolean {
  const { tags = [] } = (jsDoc ?? {}) as { readonly tags?: readonly { readonly kind: string }[] };
  return tags.some(({ kind }) => kind === "internal") || accessibility === "private" ||
    accessibility === "protected";
}

/** The name of a type of this project; types of the language and of packages are no concern. */
function projectNames({ typeName, resolution }: DocNode): string[] {
  const { kind, specifier = "./" } = (resolution ?? {}) as Readonly<Record<string, string>>;
  const isOurs = kind === "local" || (kind === "import" && specifier.startsWith("."));
  return isOurs ? [String(typeName).split(".")[0]!] : [];
}

interface DocSymbol {
  readonly name: string;
  readonly declarations: readonly DocNode[];
}

/** What each entry exports; its namespaces, which are entries of their own, apart. */
async function symbolsOf(paths: readonly string[]): Promise<Map<string, readonly DocSymbol[]>> {
  const { out } = await deno("doc", "--json", ...paths);
  const entries = Object.values<{ symbols: DocSymbol[] }>(JSON.parse(out).nodes);
  // Types that are not exported are listed, too, where a signature of the same file names them.
  const isOwn = ({ declarations: [first, ...more] }: DocSymbol) =>
    first!.kind !== "namespace" &&
    [first!, ...more].some(({ declarationKind }) => declarationKind !== "private");
  return new Map(entries.map(({ symbols }, place) => [paths[place]!, symbols.filter(isOwn)]));
}

/** The file that a symbol is declared in, also behind an export of another entry. */
function fileOf({ declarations: [first] }: DocSymbol): string {
  const { kind, location, def } = first as { kind: string; location: unknown; def: DocNode };
  const { filename } = (kind === "reference" ? def.target : location) as { filename: string };
  return filename.slice(ROOT.href.length);
}

/** What is wrong with what entries export: too much, twice, internal, or a type that nobody exports. */
async function surfaceProblems(paths: readonly string[]): Promise<string[]> {
  const symbols = await symbolsOf(paths);
  const all = [...symbols].flatMap(([path, own]) => own.map((symbol) => ({ path, symbol })));
  const exported = new Set(all.map(({ symbol }) => symbol.name));
  const homes = new Map<string, string>();
  const ofSymbols = all.flatMap(({ path, symbol }) => {
    const { name, declarations } = symbol;
    const what = `${path} exports ${name} of ${fileOf(symbol)}`;
    const key = `${name} of ${fileOf(symbol)}`;
    const isTwice = homes.has(key);
    const isExposed = declarations.some((one) =>
      isInternal(one) || /\bInternal;/.test((one.jsDoc as { doc?: string } | undefined)?.doc ?? "")
    );
    const hidden = declarations.flatMap((one) => hiddenNames(one, exported));
    const problems = [
      ...isTwice ? [`${what}, and so does ${homes.get(key)}`] : [],
      ...isExposed ? [`${what}, which is internal`] : [],
      ...[...new Set(hidden)].map((type) => `${what}, which names ${type}`),
    ];
    homes.set(key, path);
    return problems;
  });
  const wide = [...symbols].filter(([, own]) => own.length > NAMES_MAX)
    .map(([path, own]) => `${path} exports ${own.length} names, which is more than ${NAMES_MAX}`);
  return [...wide, ...ofSymbols];
}

Deno.test("each name has one entry, which is short, and each type that is named has one", async () => {
  assertEquals(await surfaceProblems(ENTRIES), []);
});

Deno.test("a name too many, twice, or hidden is told of", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  const files = ["first", "second"].map((name) => `${folder}/${name}.ts`);
  const many = Array.from({ length: NAMES_MAX - 2 }, (_, index) => `export const c${index} = 1;`);
  await Deno.writeTextFile(
    files[0]!,
    `interface Hidden { readonly a: number }
    /** Internal; for nobody. */
    export class Inner {}
    export class Open { constructor(hidden: Hidden) {} private own(hidden: Hidden): void {} }
    /** @internal */
    export function odd(hidden: Hidden): void {}
    ${many.join("\n")}`,
  );
  await Deno.writeTextFile(
    files[1]!,
    `import type { Open } from "./first.ts";
    export { Inner } from "./first.ts";
    export function take(open: Open): void {}`,
  );
  const found = await surfaceProblems(files);
  assertEquals(
    found.map((line) => line.replace(/^\S+ exports (\w+)( of \S*?,)?/, "$1").replace(/\/.*\//, "")),
    [
      "51 names, which is more than 50",
      "Inner which is internal",
      "Open which names Hidden",
      "odd which is internal",
      "Inner and so does first.ts",
    ],
  );
  const lint = (await undocumented(files)).at(-1)!;
  assertStringIncludes(lint, "missing JSDoc documentation");
  assertStringIncludes(lint, "second.ts:3");
});
