import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { pointId } from "./axis.ts";
import { isThorough } from "../core/testing/thorough.ts";
import { Partner } from "./partner/partner.ts";
import {
  findScenario,
  loadScenarios,
  moduleUrlOf,
  scenarios,
  scenariosIn,
  usualScenarios,
} from "./registry.ts";
import { smallestPoint } from "./scenario.ts";

/** Absent on a machine without a GPU where no software adapter was brought in either. */
const adapter = await navigator.gpu.requestAdapter();

for (const scenario of isThorough ? scenarios : usualScenarios) {
  const smallest = smallestPoint(scenario);
  const name = `${scenario.name} runs at its smallest point, ${
    pointId(scenario.axes, smallest) || "the only one"
  }`;
  Deno.test({
    name,
    ignore: scenario.needsAdapter === true && adapter === null ||
      scenario.skip?.(smallest) !== undefined,
    async fn() {
      await using partner = new Partner();
      const trial = await scenario.setup(smallest, partner).catch((error: Error) => {
        // Not every adapter of WebGPU runs kernels beside the host.
        if (error.name !== "NotSupportedError" || !scenario.needsAdapter) throw error;
        console.log(`skipped: ${error.message}`);
      });
      if (trial === undefined) return;
      await using _ended = trial;
      trial.wake?.();
      await trial.run(3);
      trial.rest?.();
    },
  });
}

Deno.test("scenarios have names of their own, and ask", () => {
  const names = scenarios.map(({ name }) => name);
  assertEquals(new Set(names).size, names.length);
  for (const { name, question } of scenarios) {
    assertMatch(name, /^[a-z][a-z0-9_]*$/);
    assertMatch(question, /\?$/);
  }
});

Deno.test("scenarios name points that their axes know", () => {
  for (const { axes, points } of scenarios) {
    for (const point of points?.() ?? []) pointId(axes, point);
  }
});

Deno.test("every scenario in the folders beside has its line in the registry", async () => {
  const folders = [...Deno.readDirSync(new URL(".", import.meta.url))]
    .filter(({ name, isDirectory }) => isDirectory && name !== "testdata").map(({ name }) => name);
  const missing: string[] = [];
  for (const folder of folders) {
    for (const { name } of Deno.readDirSync(new URL(`./${folder}/`, import.meta.url))) {
      if (!/\.ts$/.test(name) || /_(test|worker)\.ts$/.test(name)) continue;
      const found = scenariosIn(await import(`./${folder}/${name}`));
      if (!found.every((scenario) => scenarios.includes(scenario))) missing.push(name);
    }
  }
  assertEquals(missing, []);
});

Deno.test("usualScenarios are one call, what it is compared with, and several clients", () => {
  const names = usualScenarios.map(({ name }) => name);
  assertEquals(names, ["ping_pong", "post_message", "round_trip", "many_clients"]);
});

Deno.test("findScenario() names what there is when there is none of a name", () => {
  assertThrows(() => findScenario("round_tripp"), RangeError, "round_trip");
});

/** A module that nobody has seen, with a scenario of this name. */
function moduleOf(name: string): string {
  const source = `export const one = {
    name: "${name}", question: "Is it new?", axes: {}, setup() {} };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

Deno.test("loadScenarios() gives a module's scenarios, which this project does not know then", async () => {
  const url = moduleOf("never_seen");
  const [first] = await loadScenarios(url);
  assertEquals(await loadScenarios(url), [first!]);
  assertEquals(scenarios.includes(first!), false);
  assertThrows(() => findScenario("never_seen"), RangeError);
  assertEquals([moduleUrlOf(first!), moduleUrlOf(scenarios[0]!)], [url, undefined]);
  const own = new URL("./worker/ping_pong.ts", import.meta.url);
  assertEquals((await loadScenarios(own)).map(moduleUrlOf), [undefined]);
});

Deno.test("loadScenarios() says what is wrong with a module", async () => {
  const twice = (name: string) =>
    `export const ${name} = { name: "one", question: "?", axes: {}, setup() {} };`;
  const wrong: readonly (readonly [url: string, text: string])[] = [
    [moduleOf("ping_pong"), 'the scenario "ping_pong" of data:'],
    [moduleOf("No Name"), "its name must be small letters"],
    [`data:text/javascript,${twice("a")}${twice("b")}`, 'the scenario "one" of data:'],
    ["data:text/javascript,export const x = 1", "exports no scenario"],
    [
      'data:text/javascript,export const one = { question: "?", get name() { throw Error("no"); } };',
      "Cannot use a scenario of data:",
    ],
    ["file:///none/mine.ts", "Cannot load scenarios from file:///none/mine.ts: Module not found"],
  ];
  for (const [url, text] of wrong) {
    await assertRejects(() => loadScenarios(url), TypeError, text);
  }
});
