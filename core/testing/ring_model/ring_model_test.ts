import { assert, assertEquals, assertThrows } from "@std/assert";
import type * as Ring from "../../command_ring/mod.ts";
import { changedModule, type SourceFault } from "../explorer/changed_core.ts";
import { exploreAll, exploreRandom } from "../explorer/explorer.ts";
import { packetLooks } from "../packet_model/packet_model.ts";
import { RING_LOOKS, ringModel } from "./ring_model.ts";
import type { RingPlan } from "./ring_plan.ts";
import { PLANTED_RING_FAULTS } from "./planted_ring_faults.ts";

const LIMIT = { stateCountMax: 2_000_000, mustEnd: true };
/** More than each of the plans below has without its fault, but for one whose fault is found early. */
const FAULT_LIMIT = { stateCountMax: 120_000, mustEnd: true };
const SEED_COUNT = 300;

/** What a plan says beside, or in place of, what the smallest says. */
type PlanPart = Partial<RingPlan>;
const SMALLEST: RingPlan = { slotCount: 1, cellCount: 1, clients: [["call"]] };

const SETTINGS: readonly PlanPart[] = [
  { clients: [["call", "call"]], sleeps: true },
  { clients: [["cast", "call"]], sleeps: true },
  { cellCount: 2, clients: [["cast"], ["wide"]], sleeps: true },
  { clients: [["call"], ["call"]] },
  { cellCount: 2, clients: [["call"], ["wide"]] },
  { slotCount: 2, clients: [["call"], ["cast"]] },
  { slotCount: 2, cellCount: 2, clients: [["call"], ["call"]] },
  { cellCount: 2, clients: [["call", "cast"], ["cast"]] },
  { slotCount: 2, cellCount: 2, clients: [["call", "cast"], ["call"]] },
  { clients: [["call"]], tears: true },
  { slotCount: 2, cellCount: 2, clients: [["call"], ["cast"]], tears: true },
];

const RANDOM: readonly PlanPart[] = [
  { clients: [["call"], ["call", "call"]], sleeps: true },
  { slotCount: 2, cellCount: 2, clients: [["call", "cast"], ["cast", "call"], ["call"]] },
  { slotCount: 2, cellCount: 2, clients: [["call", "cast"], ["wide", "call"]], tears: true },
];

async function modelOf(part: PlanPart, faults: readonly SourceFault[] = []) {
  const plan = { ...SMALLEST, ...part };
  const looks = [...packetLooks(plan), ...RING_LOOKS];
  const core = await changedModule<typeof Ring>("command_ring/mod.ts", { faults, looks });
  return ringModel(core, plan);
}

for (const plan of SETTINGS) {
  Deno.test(`command ring model: ${JSON.stringify(plan)}`, async () => {
    const { violation, stateCount } = exploreAll(await modelOf(plan), LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 100, `only ${stateCount} states were visited`);
  });
}

for (const plan of RANDOM) {
  Deno.test(`command ring model: ${JSON.stringify(plan)}, random schedules`, async () => {
    const seeds = Array.from({ length: SEED_COUNT }, (_, seed) => seed + 1);
    assertEquals(exploreRandom(await modelOf(plan), seeds), undefined);
  });
}

for (const fault of PLANTED_RING_FAULTS) {
  Deno.test(`command ring model: finds that ${fault.name}`, async () => {
    const model = await modelOf(fault, fault.also ? [fault, fault.also] : [fault]);
    const find = () => exploreAll(model, FAULT_LIMIT).violation;
    if (fault.isEndless) assertThrows(find, RangeError, "more than");
    else assert(find(), "the planted fault was not found");
  });
}
