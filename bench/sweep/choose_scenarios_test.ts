import { assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl, relative } from "@std/path";
import { chooseScenarios } from "./choose_scenarios.ts";

const url = new URL("./testdata/misbehaving.ts", import.meta.url);

async function namesOf(...texts: readonly string[]): Promise<string[]> {
  return (await chooseScenarios(texts)).map(({ name }) => name);
}

Deno.test("chooseScenarios() takes names, paths and URLs, each scenario once", async () => {
  const path = fromFileUrl(url);
  const near = `./${relative(Deno.cwd(), path)}`;
  assertEquals(await namesOf("ping_pong", path, near, url.href), ["ping_pong", "misbehaving"]);
});

Deno.test("chooseScenarios() knows a name from a module", async () => {
  await assertRejects(() => namesOf("misbehave"), RangeError, "there is none of that name");
  await assertRejects(() => namesOf("misbehave.ts"), TypeError, "Cannot load scenarios from file:");
});

/** A module as somebody might write it. */
function moduleOf(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

function scenarioOf(name: string): string {
  return `export const ${name} = { name: "${name}", question: "?", axes: {}, setup() {} };`;
}

Deno.test("chooseScenarios() takes one of a module by its name, in a path and in an address", async () => {
  const both = moduleOf(scenarioOf("one") + scenarioOf("other"));
  assertEquals(await namesOf(both), ["one", "other"]);
  assertEquals(await namesOf(`${both}#other`), ["other"]);
  assertEquals(await namesOf(`${fromFileUrl(url)}#misbehaving`), ["misbehaving"]);
  await assertRejects(() => namesOf(`${both}#third`), RangeError, 'the scenario "third"');
  const again = moduleOf(` ${scenarioOf("one")}`);
  await assertRejects(() => namesOf(both, again), TypeError, "as another one has its name");
});

Deno.test("chooseScenarios() outlives a module that waits, computes or ends its process", async () => {
  const scenario = scenarioOf("one");
  const wrong = {
    "await new Promise(() => setInterval(() => {}, 1e6));": "it did not end within 0.5 s",
    "while (true);": "it did not end within 0.5 s",
    "await new Promise(() => {});": "",
    "Deno.exit(0);": "it ends its process, with 0",
    "throw new Error('no luck');": "no luck",
    "throw undefined;": "",
    "const = 1;": "",
  };
  for (const [line, text] of Object.entries(wrong)) {
    const module = moduleOf(line + scenario);
    await assertRejects(
      () => chooseScenarios([module], { loadSecondsMax: 0.5 }),
      TypeError,
      `Cannot load scenarios from ${new URL(module).href}: ${text}`,
    );
  }
});
