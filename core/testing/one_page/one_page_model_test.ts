/** Every interleaving of the one page with itself and with the library, and faults that are planted in it. */
import { assert, assertEquals } from "@std/assert";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreAll } from "../explorer/explorer.ts";
import { channelModel } from "../model/channel_model.ts";
import type { ChannelPlan } from "../model/channel_plan.ts";
import { FOR_CHANNEL_MODEL } from "../model/core_changes.ts";
import { PLANTED_PAGE_FAULTS } from "./planted_page_faults.ts";

const LIMIT = { stateCountMax: 1_000_000, mustEnd: true };
const core = await changedCore(FOR_CHANNEL_MODEL);
const BOTH = { pages: ["client", "server"], serverCount: 1, portCount: 1 } as const;
const CLIENTS = { ...BOTH, pages: ["client"] } as const;
const SERVERS = { ...BOTH, pages: ["server"] } as const;

const PLANS: readonly Omit<ChannelPlan, "core">[] = [
  { ...BOTH, clients: [["call", "call", "cast"]] },
  { ...BOTH, clients: [["srs"]] },
  { ...BOTH, clients: [["ssrr"]] },
  { ...BOTH, clients: [["call"], ["call"]] },
  { ...BOTH, clients: [["cast", "call"], ["call"]] },
  { ...BOTH, clients: [["call"], ["call"]], portCount: 2 },
  { ...BOTH, clients: [["call"]], serverCount: 2 },
  { ...CLIENTS, clients: [["call", "cast"]] },
  { ...CLIENTS, clients: [["ssrr"]] },
  { ...SERVERS, clients: [["call", "cast"]] },
  { ...SERVERS, clients: [["ssrr"]] },
  { ...SERVERS, clients: [["call"], ["cast"]] },
  { ...BOTH, pages: ["first client", "server"], clients: [["call"], ["call"]] },
];

for (const plan of PLANS) {
  const calls = plan.clients.map((shapes) => shapes.join(" then ")).join(" beside ");
  const who = plan.pages!.join(" and ");
  const name = `${calls}, ${plan.serverCount} servers, ${plan.portCount} ports`;
  Deno.test(`one page as ${who}: ${name}`, () => {
    const { violation, stateCount } = exploreAll(channelModel({ ...plan, core }), LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 50, `only ${stateCount} states were visited`);
  });
}

Deno.test("one page: boundaries leave nothing out", () => {
  for (const pages of [["client"], ["server"], ["client", "server"]] as const) {
    const model = channelModel({ ...BOTH, pages, clients: [["call"]], core });
    assertEquals(exploreAll(model, { ...LIMIT, checksBoundaries: true }).violation, undefined);
  }
});

for (const fault of PLANTED_PAGE_FAULTS) {
  Deno.test(`one page: the explorer finds that ${fault.name}`, async () => {
    const faulty = await changedCore({ ...FOR_CHANNEL_MODEL, faults: [fault] });
    const model = channelModel({ ...BOTH, clients: [["call"]], ...fault, core: faulty });
    const { violation } = exploreAll(model, LIMIT);
    assert(violation, "the planted fault was not found");
  });
}
