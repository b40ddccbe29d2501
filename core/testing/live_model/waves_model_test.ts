/** Lanes that run on early, and waves that outnumber what is resident: both were real faults of others. */
import { assert, assertEquals } from "@std/assert";
import { isThorough } from "../thorough.ts";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreAll, exploreRandom } from "../explorer/explorer.ts";
import { FOR_CHANNEL_MODEL } from "../model/core_changes.ts";
import { type WaveFault, wavesModel, type WavesPlan } from "./waves_model.ts";

const LIMIT = { stateCountMax: 1_000_000, mustEnd: true };
const SEEDS = Array.from({ length: 3000 }, (_, index) => index + 1);
const core = await changedCore(FOR_CHANNEL_MODEL);

const LANES = { waveCount: 1, laneCount: 2, portCount: 1, residentCount: 1, callCount: 1 } as const;
/** More waves than ports, and than run at a time. */
const WAVES = { waveCount: 2, laneCount: 1, portCount: 1, residentCount: 1, callCount: 1 } as const;
const RESIDENT = { ...WAVES, residentCount: 2 } as const;

const PLANS: readonly Omit<WavesPlan, "core">[] = [LANES, WAVES, RESIDENT];

for (const plan of PLANS) {
  const { waveCount, laneCount, residentCount } = plan;
  Deno.test(`waves model: ${waveCount} waves of ${laneCount} lanes, ${residentCount} resident`, () => {
    const { violation, stateCount } = exploreAll(wavesModel({ ...plan, core }), LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 50, `only ${stateCount} states were visited`);
  });
}

const FAULTS: readonly (readonly [fault: WaveFault, plan: Omit<WavesPlan, "core">])[] = [
  ["lanes do not meet before the flip", LANES],
  ["lanes run on when the first has seen the reply", LANES],
  ["lanes do not meet before the port is dropped", { ...LANES, waveCount: 2, residentCount: 2 }],
  ["a wave waits for all others with its port", RESIDENT],
  ["a wave waits for all others", WAVES],
];

for (const [fault, plan] of FAULTS) {
  Deno.test(`waves model: finds that ${fault}`, () => {
    const model = wavesModel({ ...plan, core, fault });
    // Two waves of two lanes have too many states for a test.
    const isWide = plan.waveCount * plan.laneCount > 2;
    const violation = isWide ? exploreRandom(model, SEEDS) : exploreAll(model, LIMIT).violation;
    assert(violation, "the planted fault was not found");
  });
}

Deno.test("waves model: waves that are all resident may wait for each other", {
  ignore: !isThorough,
}, () => {
  const plan = { ...RESIDENT, core, fault: "a wave waits for all others" } as const;
  assertEquals(exploreAll(wavesModel(plan), LIMIT).violation, undefined);
});
