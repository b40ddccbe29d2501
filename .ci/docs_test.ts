/** What the pages name exists: files, and the symbols of the glossary. */
import { assert, assertEquals } from "@std/assert";
import { CORE_FOLDERS } from "./tidy/flow_rules.ts";
import { readSources, type Source } from "./tidy/source.ts";

const ROOT = new URL("../", import.meta.url);
const sources = readSources(ROOT);
const pages = sources.filter(({ path }) => path.endsWith(".md"));

/** Whether there is a file of this path, or a folder. */
function exists(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, ROOT)) !== undefined;
  } catch {
    return false;
  }
}

/** Relative links, and in code spans paths from the root and names of tests, that lead nowhere. */
function deadPaths({ path, text }: Source): string[] {
  const links = [...text.matchAll(/\]\((?!\w+:|#)([^)#]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => new URL(target!, `file:///${path}`).pathname.slice(1));
  const spans = [
    ...text.matchAll(/`((?:core|scenarios|bench|results|notebooks|docs|\.ci)\/[\w./]*)`/g),
  ]
    .map(([, span]) => span!);
  const tests = [...text.matchAll(/`(\w+_test\.ts)`/g)].map(([, name]) => name!);
  const dead = [
    ...[...links, ...spans].filter((target) => !exists(target)),
    ...tests.filter((name) => !sources.some(({ path }) => `/${path}`.endsWith(`/${name}`))),
  ];
  return dead.map((target) => `${path} names ${target}`);
}

Deno.test("each file that a page names exists", () => {
  assertEquals(pages.flatMap(deadPaths), []);
});

Deno.test("each file that a page names exists, or the check says so", () => {
  const text =
    "[a](map.md) [b](../core/none.md#x) `core/none.ts` `core/mod.ts` `docs/` `no_test.ts` `docs_test.ts`";
  assertEquals(deadPaths({ path: "docs/page.md", text }), [
    "docs/page.md names core/none.md",
    "docs/page.md names core/none.ts",
    "docs/page.md names no_test.ts",
  ]);
});

/** Every symbol that the tree declares, with the text of the files that declare it. */
const declarations = new Map<string, string>();
for (const { path, text } of sources) {
  if (!path.endsWith(".ts") || path.endsWith("_test.ts")) continue;
  const names = text.matchAll(
    /^export (?:abstract )?(?:async )?(?:class|interface|type|const|function\*?) (\w+)/gm,
  );
  for (const [, name] of names) {
    declarations.set(name!, `${declarations.get(name!) ?? ""}${text}`);
  }
}

/** Symbols in the last column of a glossary's tables that the tree does not declare. */
function unknownSymbols(glossary: string): string[] {
  const rows = glossary.split("\n").filter((line) => line.startsWith("| **"));
  return rows.flatMap((row) => {
    const spans = [...row.split("|").at(-2)!.matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
    return spans.length > 0 ? spans.filter((span) => !isDeclared(span)) : [`nothing in: ${row}`];
  });
}

/** `Type`, or `Thing.member`. */
function isDeclared(span: string): boolean {
  const [type, member] = span.split(".");
  const text = declarations.get(type!);
  if (text === undefined || member === undefined) return text !== undefined;
  return new RegExp(`^  (?:(?:static|readonly|get|async|override) )*${member}[?(:<;]`, "m").test(
    text,
  );
}

const glossary = pages.find(({ path }) => path === "docs/glossary.md")!.text;

Deno.test("each term of the glossary is implemented by what it names", () => {
  assertEquals(unknownSymbols(glossary), []);
});

Deno.test("each term of the glossary is implemented by what it names, or the check says so", () => {
  const rows =
    "| **a** | x | `Channel`, `Nowhere`, `Client.call`, `Client.nothing` |\n| **b** | x | |";
  assertEquals(unknownSymbols(rows), ["Nowhere", "Client.nothing", "nothing in: | **b** | x | |"]);
});

Deno.test("the glossary names each term once", () => {
  const terms = [...glossary.matchAll(/^\| \*\*([^*]+)\*\*/gm)].flatMap(([, term]) =>
    term!.split(", ")
  );
  assert(terms.length > 40);
  assertEquals(terms.filter((term, index) => terms.indexOf(term) !== index), []);
});

/** Folders of `core/` that stand above one that they import, in a list that says they never do. */
function wrongOrder(map: string): string[] {
  const listed = [...map.matchAll(/^\| `core\/(\w+)\/`/gm)].map(([, folder]) => folder!);
  return Object.entries(CORE_FOLDERS).flatMap(([folder, known]) =>
    [...known, folder]
      .filter((one) => !listed.includes(one) || listed.indexOf(one) > listed.indexOf(folder))
      .map((one) => `${folder} imports ${one}`)
  );
}

Deno.test("the map lists the folders of core in the order of their imports", () => {
  assertEquals(wrongOrder(pages.find(({ path }) => path === "docs/map.md")!.text), []);
});

Deno.test("the map lists the folders of core in the order of their imports, or the check says so", () => {
  const list = Object.keys(CORE_FOLDERS).filter((name) => name !== "gpu").toSorted();
  const wrong = wrongOrder(list.map((name) => `| \`core/${name}/\` | |`).join("\n"));
  assertEquals([wrong.includes("call imports wait"), wrong.includes("gpu imports gpu")], [
    true,
    true,
  ]);
});
