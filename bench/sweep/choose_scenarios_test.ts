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
