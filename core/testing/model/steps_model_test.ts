import { assert, assertEquals, assertMatch } from "@std/assert";
import { channelModel } from "./channel_model.ts";
import { SHORT_SETTINGS } from "./channel_settings.ts";
import { FOR_CHANNEL_MODEL } from "./core_changes.ts";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreAll } from "../explorer/explorer.ts";
import { PLANTED_STEP_FAULTS } from "./planted/step_faults.ts";
import { tracedSteps } from "./traced_steps.ts";

const LIMIT = { stateCountMax: 1_000_000, mustEnd: true };
const core = await changedCore(FOR_CHANNEL_MODEL);
const asyncCore = await changedCore({ ...FOR_CHANNEL_MODEL, isSynchronous: true });
const makeSteps = tracedSteps();

for (const { name, plan } of SHORT_SETTINGS.filter(({ plan }) => plan.design === undefined)) {
  Deno.test(`channel model with the steps: ${name}`, () => {
    const model = channelModel({ ...plan, core: plan.isAsync ? asyncCore : core, makeSteps });
    const { violation, stateCount } = exploreAll(model, LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 50, `only ${stateCount} states were visited`);
  });
}

for (const { from, to, ...fault } of PLANTED_STEP_FAULTS) {
  Deno.test(`channel model with the steps: finds that ${fault.name}`, () => {
    const makeFaulty = tracedSteps({ from, to });
    const plan = { serverCount: 1, portCount: 1, ...fault, core, makeSteps: makeFaulty };
    const { violation } = exploreAll(channelModel(plan), LIMIT);
    assertMatch(violation ?? "nothing was found", /^(?!nothing|TypeError|RangeError)/);
  });
}
