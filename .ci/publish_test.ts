/** What is published: files, documentation, and which names the entries of `deno.json` export. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";

const ROOT = new URL("../", import.meta.url);
const CONFIG: { readonly exports: Readonly<Record<string, string>> } = JSON.parse(
  await Deno.readTextFile(new URL("deno.json", ROOT)),
);

interface Output {
  readonly success: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Deno in the root. */
async function deno(...args: string[]): Promise<Output> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, stdout: out!, stderr: err! };
}

Deno.test("deno publish takes the package: types, files and imports", async () => {
  // Needs no registry: @std comes from `links`, and one of its packages travels along for that.
  const { success, stderr: text } = await deno("publish", "--dry-run", "--allow-dirty");
  assert(success, text);
  assertStringIncludes(text, "core/toggle/PROTOCOL.md");
  const files = [...text.matchAll(/^\s*file:\/\/(\S+) \(/gm)].map(([, path]) => path!);
  const forTests = /_test\.ts$|\/testdata\/|\/testing\/|\/results\/(raw|pictures)\//;
  assertEquals(files.filter((path) => forTests.test(path)), []);
});

/** Where the lint of the documentation finds something, as `entry: what, file:line`. */
async function undocumented(name: string, path: string): Promise<string[]> {
  const { success, stderr: text } = await deno("doc", "--lint", path);
  const found = [
    ...text.matchAll(/^error\[[\w-]+\]: (.*)\n\s*--> .*?((?:core|scenarios|bench|results)\/.*)$/gm),
  ]
    .map(([, what, place]) => `${name}: ${what}, ${place}`);
  return success || found.length > 0 ? found : [`${name}: ${text}`];
}

Deno.test("each entry's public symbols are documented and name public types only", async () => {
  const wrong: string[] = [];
  for (const [name, path] of Object.entries(CONFIG.exports)) {
    wrong.push(...await undocumented(name, path));
  }
  assertEquals(wrong, []);
});

/** What `deno doc --json` says, as far as it is read here. */
type DocNode = Readonly<Record<string, unknown>>;

/** Names in signatures that the entry does not export, constructors and methods included. */
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

/** What an entry exports. */
async function symbolsOf(path: string): Promise<readonly DocSymbol[]> {
  const { stdout } = await deno("doc", "--json", path);
  const [entry] = Object.values<{ symbols: DocSymbol[] }>(JSON.parse(stdout).nodes);
  // Types that are not exported are listed, too, where a signature of the same file names them.
  return entry!.symbols.filter(({ declarations }) =>
    declarations.some(({ declarationKind }) => declarationKind !== "private")
  );
}

/** What is wrong with what an entry exports: a type too few, or one that is nobody's concern. */
async function surfaceProblems(path: string): Promise<string[]> {
  const symbols = await symbolsOf(path);
  const exported = new Set(symbols.map(({ name }) => name));
  return symbols.flatMap(({ name, declarations }) => {
    const isExposed = declarations.some((one) =>
      isInternal(one) || /\bInternal;/.test((one.jsDoc as { doc?: string } | undefined)?.doc ?? "")
    );
    const hidden = declarations.flatMap((one) => hiddenNames(one, exported));
    const { filename } = declarations[0]!.location as { readonly filename: string };
    const what = `${path} exports ${name} of ${filename.slice(ROOT.href.length)}`;
    return [
      ...isExposed ? [`${what}, which is internal`] : [],
      ...[...new Set(hidden)].map((type) => `${what}, which names ${type}`),
    ];
  });
}

Deno.test("each entry exports every type that it names, and nothing internal", async () => {
  const wrong: string[] = [];
  for (const path of Object.values(CONFIG.exports)) wrong.push(...await surfaceProblems(path));
  assertEquals(wrong, []);
});

Deno.test("each entry exports every type that it names, or the check says so", async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(
      file,
      `interface Hidden { readonly a: number }
      /** Internal; for nobody. */
      export class Inner {}
      export class Open { constructor(hidden: Hidden) {} private own(hidden: Hidden): void {} }
      /** @internal */
      export function odd(hidden: Hidden): void {}`,
    );
    assertEquals(
      (await surfaceProblems(file)).map((line) => line.replace(/^.* exports (\w+) .*, /, "$1 ")),
      ["Inner which is internal", "Open which names Hidden", "odd which is internal"],
    );
  } finally {
    await Deno.remove(file);
  }
});
