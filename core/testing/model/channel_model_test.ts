import { assert, assertEquals, assertMatch } from "@std/assert";
import { isThorough } from "../thorough.ts";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreAll, exploreRandom } from "../explorer/explorer.ts";
import { channelModel } from "./channel_model.ts";
import { RANDOM_SETTINGS, SHORT_SETTINGS } from "./channel_settings.ts";
import { FOR_CHANNEL_MODEL } from "./core_changes.ts";
import { PLANTED_DISTURBED_FAULTS } from "./planted/disturbed_faults.ts";
import { PLANTED_STEP_FAULTS } from "./planted/step_faults.ts";
import { PLANTED_SLEEP_FAULTS, PLANTED_SLEEP_RACES } from "./planted/sleep_faults.ts";
import { tracedSteps } from "../explorer/traced_steps.ts";

const LIMIT = { stateCountMax: 1_000_000, mustEnd: true };
const core = await changedCore(FOR_CHANNEL_MODEL);
const asyncCore = await changedCore({ ...FOR_CHANNEL_MODEL, isSynchronous: true });
const makeSteps = tracedSteps();
const SEEDS = Array.from({ length: 15 }, (_, index) => index + 1);

/** Steps are taken in script and in WebAssembly. Of a release all are in both ways, else each is in one. */
const IN_SCRIPT = SHORT_SETTINGS.filter(({ plan: { design, disturbance } }) =>
  isThorough || design !== undefined || disturbance !== undefined
);
const IN_STEPS = SHORT_SETTINGS.filter(({ plan: { design, disturbance } }) =>
  design === undefined && (isThorough || disturbance === undefined)
);

for (const { name, plan } of IN_SCRIPT) {
  Deno.test(`channel model: ${name}`, () => {
    const model = channelModel({ ...plan, core: plan.isAsync ? asyncCore : core });
    const { violation, stateCount } = exploreAll(model, LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 50, `only ${stateCount} states were visited`);
  });
}

for (const { name, plan } of RANDOM_SETTINGS) {
  Deno.test(`channel model, in random schedules: ${name}`, () => {
    const model = channelModel({ ...plan, core: plan.isAsync ? asyncCore : core });
    assertEquals(exploreRandom(model, SEEDS), undefined);
  });
}

/** Whether faults are found is the model's matter: those of steps suffice where nobody has changed it. */
const FAULTS = isThorough ? [...PLANTED_SLEEP_FAULTS, ...PLANTED_DISTURBED_FAULTS] : [];

for (const fault of FAULTS) {
  Deno.test(`channel model: finds that ${fault.name}`, async () => {
    const faulty = await changedCore({ ...FOR_CHANNEL_MODEL, faults: [fault] });
    const model = channelModel({ serverCount: 1, portCount: 1, ...fault, core: faulty });
    assert(exploreAll(model, LIMIT).violation, "the planted fault was not found");
  });
}

for (const fault of PLANTED_SLEEP_RACES) {
  Deno.test(`channel model: finds that ${fault.name}`, async () => {
    const faulty = await changedCore({ ...FOR_CHANNEL_MODEL, faults: [fault] });
    const model = channelModel({ serverCount: 1, portCount: 1, ...fault, core: faulty });
    assertMatch(exploreAll(model, LIMIT).violation ?? "", /^(Data race|Not ordered): /);
  });
}

/** Plans in which a boundary has much to leave out; of a release only, as this is about the explorer. */
const REMEMBERING = SHORT_SETTINGS.filter(({ plan: { clients, disturbance, design } }) =>
  isThorough && clients.flat().length === 1 && design === undefined &&
  (disturbance === undefined || /slow|stopped|dies/.test(disturbance))
);

for (const { name, plan } of REMEMBERING) {
  Deno.test(`channel model: boundaries leave nothing out: ${name}`, () => {
    const model = channelModel({ ...plan, core: plan.isAsync ? asyncCore : core });
    assertEquals(exploreAll(model, { ...LIMIT, checksBoundaries: true }).violation, undefined);
  });
}

for (const { name, plan } of IN_STEPS) {
  Deno.test(`channel model, in steps: ${name}`, () => {
    const model = channelModel({ ...plan, core: plan.isAsync ? asyncCore : core, makeSteps });
    const { violation, stateCount } = exploreAll(model, LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 50, `only ${stateCount} states were visited`);
  });
}

Deno.test("channel model, in steps: a scan that looks at four mailboxes at once", () => {
  const plan = { clients: [["call"]], serverCount: 2, portCount: 5, core, makeSteps } as const;
  const model = channelModel({ ...plan, design: { discovery: "scan" } });
  assertEquals(exploreRandom(model, SEEDS), undefined);
});

for (const { from, to, ...fault } of PLANTED_STEP_FAULTS) {
  Deno.test(`channel model, in steps: finds that ${fault.name}`, () => {
    const makeFaulty = tracedSteps({ from, to });
    const plan = { serverCount: 1, portCount: 1, ...fault, core, makeSteps: makeFaulty };
    const { violation } = exploreAll(channelModel(plan), LIMIT);
    assertMatch(violation ?? "nothing was found", /^(?!nothing|TypeError|RangeError)/);
  });
}
