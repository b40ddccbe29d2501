import { assertThrows } from "@std/assert";
import { checkPoint, checkScenario, checkTrial } from "./check_scenario.ts";
import type { Scenario, Trial } from "./scenario.ts";
import { scenarios } from "./registry.ts";

Deno.test("checkScenario() takes the scenarios of this project", () => {
  for (const scenario of scenarios) checkScenario(scenario, "here");
});

const target = {
  text: "one call",
  where: {},
  figure: { kind: "timesFloor" },
  bound: "at most",
  limit: 2,
};

Deno.test("checkScenario() names the module and what is missing", () => {
  const right = scenarios[0]!;
  const wrong: readonly (readonly [change: Readonly<Record<string, unknown>>, text: string])[] = [
    [{ name: "My own" }, 'its name must be small letters, digits and "_"'],
    [{ name: undefined }, "its name must be"],
    [{ question: "It is fast" }, "its question must end with a question mark"],
    [{ axes: undefined }, "its axes must be lists"],
    [{ axes: { laneCount: [] } }, "each with a value"],
    [{ axes: { laneCount: [NaN] } }, "lists of numbers, or of texts without blanks"],
    [{ axes: { waiting: ["spin;park"] } }, "lists of numbers, or of texts without blanks"],
    [{ axes: { "lane.count": [1] } }, "the names of its axes must be letters"],
    [{ axes: { constructor: [1] } }, "no name that every object has"],
    [{ axes: { "": [1] } }, "the names of its axes must be"],
    [{ setup: undefined }, "its setup must be a function"],
    [{ floor: { name: "floor" } }, "its floor and references must each have a setup"],
    [{ references: [{ ...right, name: "A b" }] }, "and a name of small letters"],
    [{ references: [right, right] }, "its references must have different names"],
    [{ references: "plain" }, "its references must be a list"],
    [{ mainReference: "plain" }, "its mainReference must be the name of one of its references"],
    [{ axes: { way: ["a", "b"], one: [1] }, compares: "wy" }, 'are way; the nearest is "way"'],
    [
      { axes: { way: ["a", "b"], one: [1] }, compares: "one" },
      "one of its axes with several values",
    ],
    [{ compares: "toString" }, 'which are none: current value is "toString"'],
    [
      { skip: true },
      "its points, usualPoints, skip, callsPerTurn and bytesPerCall must be functions",
    ],
    [
      { callsPerTurn: 10 },
      "its points, usualPoints, skip, callsPerTurn and bytesPerCall must be functions",
    ],
    ...[
      null,
      {},
      { ...target, text: 1 },
      { ...target, where: { lanes: [1] } },
      { ...target, figure: { kind: "speed" } },
      { ...target, figure: { kind: "toString" } },
      { ...target, figure: { kind: "timesFasterThan" } },
      { ...target, figure: { kind: "timesPoint", point: 1 } },
      { ...target, bound: "below" },
      { ...target, limit: 10n },
    ].map((one) => [{ targets: [one] }, "its targets must be a list"] as const),
  ];
  for (const [change, text] of wrong) {
    const scenario = { ...right, ...change } as Scenario;
    assertThrows(() => checkScenario(scenario, "file:///mine.ts"), TypeError, text);
    assertThrows(() => checkScenario(scenario, "file:///mine.ts"), TypeError, "file:///mine.ts");
  }
});

Deno.test("checkTrial() says whose setup resolved to something else", () => {
  for (const wrong of [undefined, null, 1, {}, { run() {} }] as unknown[]) {
    assertThrows(() => checkTrial(wrong as Trial, "mine"), TypeError, "Cannot measure mine as its");
  }
});

Deno.test("checkTrial() takes a text for an adapter, and nothing else", () => {
  const trial = { run() {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  checkTrial({ ...trial, adapter: "SwiftShader" }, "mine");
  const wrong = { ...trial, adapter: { name: "SwiftShader" } } as unknown as Trial;
  assertThrows(
    () => checkTrial(wrong, "mine"),
    TypeError,
    "the adapter of its trial must be a text",
  );
});

Deno.test("checkPoint() refuses counts that figures cannot be divided by", () => {
  const right = scenarios[0]!;
  const wrong = { bytesPerCall: [-1, NaN, Infinity], callsPerTurn: [0, -1, NaN, Infinity] };
  for (const [name, counts] of Object.entries(wrong)) {
    for (const count of counts) {
      const scenario = { ...right, [name]: () => count } as Scenario;
      const text = `Cannot measure ${right.name} as its ${name} must be`;
      assertThrows(() => checkPoint(scenario, {}), RangeError, text);
    }
  }
  checkPoint({ ...right, bytesPerCall: () => 0, callsPerTurn: () => 0.5 }, {});
});
