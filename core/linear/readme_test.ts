import { assert, assertEquals } from "@std/assert";
import plugin from "./lint.ts";
import { foundFindings, markedFindings } from "./lint/testdata/marked_source.ts";

const readme = Deno.readTextFileSync(new URL("./README.md", import.meta.url));
const misuseTests = ["./misuse_test.ts", "./misuse_unseen_test.ts"]
  .map((path) => Deno.readTextFileSync(new URL(path, import.meta.url))).join("\n");

/** The cells of the rows of the table under a heading. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|")).slice(2);
  return rows.map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

const rows = rowsUnder("Which net catches what");

Deno.test("each misuse in the README has its test, for the checks that it speaks of", () => {
  const wrong: string[] = [];
  for (const [misuse = "", , , , off = ""] of rows) {
    const isForBoth = misuseTests.includes(`title("${misuse}")`);
    const isForOn = misuseTests.includes(`"misuse: ${misuse}, checks on"`);
    if (!isForBoth && !isForOn) wrong.push(`${misuse} has no test`);
    if (off.startsWith("refused") && !isForBoth) {
      wrong.push(`${misuse} is not tested with checks off`);
    }
  }
  assertEquals(wrong, []);
  assert(rows.length > 15);
});

/** The text of the tests of a misuse. */
function testsOf(misuse: string): string {
  const starts = [`title("${misuse}")`, `"misuse: ${misuse}, `];
  const tests = misuseTests.split("Deno.test(");
  return tests.filter((test) => starts.some((start) => test.startsWith(start))).join("\n");
}

Deno.test("each test of a misuse looks at what the README says of it", () => {
  const wrong: string[] = [];
  for (const [misuse = "", compiler, rule = "", on = ""] of rows) {
    const text = testsOf(misuse);
    const expected = [
      ...(compiler ? ["@ts-expect-error"] : []),
      ...[...rule.matchAll(/`([^`]+)`/g)].map(([, name]) => `"${name}"`),
      ...(on.startsWith("refused") ? ["assertThrows"] : []),
      ...["assertNoneOpen()", "misuses[0]"].filter((net) =>
        on.includes(net === "misuses[0]" ? "onMisuse" : net)
      ),
    ];
    const missing = expected.filter((part) => !text.includes(part));
    if (missing.length > 0) wrong.push(`${misuse}: ${missing.join(", ")}`);
  }
  assertEquals(wrong, []);
});

Deno.test("each test of a misuse is in the README", () => {
  const named = misuseTests.matchAll(/(?:title\("|"misuse: )([^"$]+?)(?:, checks on)?"/g);
  const known = new Set(rows.map(([misuse]) => misuse));
  const missing = [...named].map(([, misuse]) => misuse!)
    .filter((misuse) => !known.has(misuse));
  assertEquals(missing, []);
});

Deno.test("the README names the rules that there are", () => {
  const names = Object.keys(plugin.rules);
  const inTable = rows.flatMap(([, , rule = ""]) =>
    [...rule.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  );
  assertEquals([...new Set(inTable)].toSorted(), names.toSorted());
  for (const name of names) assert(readme.includes(`\`linear/${name}\``), name);
});

const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)]
  .map(([, block]) => block!.replaceAll('"./mod.ts"', '"./linear/mod.ts"'));

for (const [index, text] of blocks.entries()) {
  const first = text.split("\n").find((line) =>
    !/^(?:import|const \w+ = new|const channel|$)/.test(line)
  );
  Deno.test(`the rules tell of block ${index + 1} what the README says: ${first}`, () => {
    assertEquals(foundFindings(text).toSorted(), markedFindings(text).toSorted());
  });
}

Deno.test("each rule has a line in the README that breaks it", () => {
  const broken = blocks.flatMap(markedFindings).map((line) => line.split(" ")[1]);
  assertEquals([...new Set(broken)].toSorted(), Object.keys(plugin.rules).toSorted());
});

/** Changes that each break a rule, wherever they are made in a program that breaks none. */
const MUTATIONS: Readonly<Record<string, readonly [pattern: RegExp, replacement: string]>> = {
  "a close is missing": [/\.close\(\);/g, ";"],
  "a close stands twice": [/^( *)(\w+(?:\.value)?)\.close\(\);/gm, "$1$2.close(); $2.close();"],
  "a name is used after send": [/const (\w+) = (\w+)\.send\(/g, "$2.send(); const $1 = $2.send("],
  "a Maybe is not looked at": [/if \(maybe\.present\) /g, ""],
  "a loop forgets its port": [/^( *)(?:waiting|sent) = /gm, "$1void "],
};

for (const [what, [pattern, replacement]] of Object.entries(MUTATIONS)) {
  Deno.test(`the rules see in the programs of the README when ${what}`, () => {
    const clean = blocks.filter((text) => markedFindings(text).length === 0);
    const mutants = clean.flatMap((text) =>
      [...text.matchAll(pattern)].map(({ index, 0: matched }) =>
        text.slice(0, index) + matched.replace(new RegExp(pattern.source), replacement) +
        text.slice(index + matched.length)
      )
    );
    assert(mutants.length > 0);
    assertEquals(mutants.filter((text) => foundFindings(text).length === 0), []);
  });
}
