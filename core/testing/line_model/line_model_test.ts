import { assert, assertEquals } from "@std/assert";
import { exploreAll, exploreRandom } from "../explorer/explorer.ts";
import { lineCore, lineModel, type LinePlan } from "./line_model.ts";
import { PLANTED_LINE_FAULTS } from "./planted_line_faults.ts";

const LIMIT = { stateCountMax: 200_000, mustEnd: true };
const SEED_COUNT = 100;

const LONG = { ringBytes: 32, chunkBytes: 32 } as const;
const SMALL = { ringBytes: 64, chunkBytes: 64 } as const;

const SETTINGS: readonly LinePlan[] = [
  { ...SMALL, client: [8, -1], server: [] },
  { ...LONG, client: [-1, -1], server: [] },
  { ...LONG, client: [-1], server: [8] },
  { ...LONG, client: [], server: [-1, -1], firstCount: 2 ** 31 - 16 },
  { ...LONG, client: [24], server: [], firstCount: -16 },
  { ...LONG, client: [40], server: [], naps: true },
  { ringBytes: 32, chunkBytes: 16, client: [8], server: [] },
  { ...SMALL, client: [-1, -1], server: [-1] },
  { ...SMALL, client: [-1, -1, -1], server: [] },
  { ...LONG, client: [], server: [], ender: "third" },
  { ...SMALL, client: [-1], server: [-1], ender: "third" },
  { ...LONG, client: [-1], server: [-1], ender: "client" },
  { ...LONG, client: [8], server: [], ender: "server" },
];

const RANDOM: readonly LinePlan[] = [
  { ...LONG, client: [30, 8, -1], server: [-1, 20] },
  { ...LONG, client: [30, -1], server: [8, 8], ender: "third" },
  { ...SMALL, client: [-1, 40, -1, -1], server: [-1, -1, -1] },
];

/** Small enough to go on from every boundary by every way that leads there. */
const SMALLEST: LinePlan = { ...LONG, client: [-1], server: [] };

for (const plan of SETTINGS) {
  Deno.test(`line model: ${JSON.stringify(plan)}`, async () => {
    const { violation, stateCount } = exploreAll(lineModel(await lineCore(plan), plan), LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 100, `only ${stateCount} states were visited`);
  });
}

for (const plan of RANDOM) {
  Deno.test(`line model: ${JSON.stringify(plan)}, random schedules`, async () => {
    const seeds = Array.from({ length: SEED_COUNT }, (_, seed) => seed + 1);
    assertEquals(exploreRandom(lineModel(await lineCore(plan), plan), seeds), undefined);
  });
}

Deno.test("line model: its boundaries leave nothing local out", async () => {
  const model = lineModel(await lineCore(SMALLEST), SMALLEST);
  assertEquals(exploreAll(model, { ...LIMIT, checksBoundaries: true }).violation, undefined);
});

for (const fault of PLANTED_LINE_FAULTS) {
  Deno.test(`line model: finds that ${fault.name}`, async () => {
    const { violation } = exploreAll(lineModel(await lineCore(fault, [fault]), fault), LIMIT);
    assert(violation, "the planted fault was not found");
  });
}
