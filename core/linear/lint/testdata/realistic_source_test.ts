import { assert, assertEquals } from "@std/assert";
import { foundFindings } from "./marked_source.ts";
import { realisticSource } from "./realistic_source.ts";

const LINE_COUNT = 250;

/** The program once for each place that `pattern` matches, with `replacement` there. */
function* mutants(pattern: RegExp, replacement: string): Generator<string> {
  const text = realisticSource(LINE_COUNT);
  for (const { index, 0: matched } of text.matchAll(pattern)) {
    const changed = matched.replace(new RegExp(pattern.source), replacement);
    yield text.slice(0, index) + changed + text.slice(index + matched.length);
  }
}

/** Mutations that each break a rule, wherever they are made. */
const MUTATIONS: Readonly<Record<string, readonly [pattern: RegExp, replacement: string]>> = {
  "a close is missing": [/\.close\(\);/g, ";"],
  "a close stands twice": [/^( *)(\w+(?:\.value)?)\.close\(\);/gm, "$1$2.close(); $2.close();"],
  "a name is used after send": [
    /const (\w+) = (\w+)\.send\(/g,
    "$2.send().close(); const $1 = $2.send(",
  ],
  "a Maybe is not checked": [/if \(!maybe\.present\) return false;/g, ""],
  "a Maybe is checked the wrong way round": [/if \(!maybe\.present\)/g, "if (maybe.present)"],
  "a loop forgets the new port": [
    /^( *)(?:current|sent) = ((?:await )?\w+\.(?:recvAsync|value))/gm,
    "$1void $2",
  ],
};

Deno.test("lint: a realistic program is clean", () => {
  const text = realisticSource(1000);
  assert(text.split("\n").length >= 1000);
  assertEquals(foundFindings(text), []);
});

for (const [name, [pattern, replacement]] of Object.entries(MUTATIONS)) {
  Deno.test(`lint: in a realistic program it is seen when ${name}`, () => {
    const unseen: string[] = [];
    const texts = [...mutants(pattern, replacement)];
    for (const text of texts) {
      if (foundFindings(text).length === 0) unseen.push(text);
    }
    assertEquals(unseen, []);
    assert(texts.length >= 2, `only ${texts.length} places match`);
  });
}
