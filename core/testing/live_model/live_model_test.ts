/** Every interleaving of a wave's WGSL with the library and the ringer, and faults planted in each. */
import { assert, assertEquals } from "@std/assert";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreAll, exploreRandom } from "../explorer/explorer.ts";
import { FOR_CHANNEL_MODEL } from "../model/core_changes.ts";
import { liveModel } from "./live_model.ts";
import { RANDOM_LIVE_SETTINGS, SHORT_LIVE_SETTINGS } from "./live_settings.ts";
import { PLANTED_LIVE_FAULTS } from "./planted_live_faults.ts";

const LIMIT = { stateCountMax: 1_000_000, mustEnd: true };
const core = await changedCore(FOR_CHANNEL_MODEL);
const ONE = { serverCount: 1, portCount: 1 } as const;

for (const { name, plan } of SHORT_LIVE_SETTINGS) {
  Deno.test(`live model: ${name}`, () => {
    const { violation, stateCount } = exploreAll(liveModel({ ...plan, core }), LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 50, `only ${stateCount} states were visited`);
  });
}

const SEEDS = Array.from({ length: 300 }, (_, index) => index + 1);

for (const fault of PLANTED_LIVE_FAULTS) {
  Deno.test(`live model: finds that ${fault.name}`, async () => {
    const faults = "source" in fault ? [fault.source] : [];
    const faulty = await changedCore({ ...FOR_CHANNEL_MODEL, faults });
    const model = liveModel({ ...ONE, ...fault, fault, core: faulty });
    // Beside others there are too many states for a test.
    const violation = fault.others
      ? exploreRandom(model, SEEDS)
      : exploreAll(model, LIMIT).violation;
    assert(violation, "the planted fault was not found");
  });
}

for (const { name, plan } of RANDOM_LIVE_SETTINGS) {
  Deno.test(`live model, in random schedules: ${name}`, () => {
    assertEquals(exploreRandom(liveModel({ ...plan, core }), SEEDS.slice(0, 15)), undefined);
  });
}

Deno.test("live model: boundaries leave nothing out", () => {
  const model = liveModel({ ...ONE, waveCalls: ["cast"], core });
  assertEquals(exploreAll(model, { ...LIMIT, checksBoundaries: true }).violation, undefined);
});
