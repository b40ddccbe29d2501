import { assert, assertEquals, assertMatch } from "@std/assert";
import { DESIGN_AXES } from "../../toggle/design/channel_design.ts";
import * as core from "../explorer/whole_core.ts";
import { isThorough } from "../thorough.ts";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreAll } from "../explorer/explorer.ts";
import { channelModel } from "./channel_model.ts";
import { FOR_CHANNEL_MODEL } from "./core_changes.ts";
import { designName, DESIGNS } from "./design_settings.ts";
import { PLANTED_BATCH_FAULTS } from "./planted/batch_faults.ts";
import { PLANTED_DESIGN_FAULTS } from "./planted/design_faults.ts";
import { sessionModel } from "./session_model.ts";

const STATE_COUNT_MAX = 1_000_000;
const SESSION = { clientCount: 2, serverCount: 1, portCount: 2, parity: 1 } as const;
const CHANNEL = { clients: [["call"]], serverCount: 1, portCount: 1, waiter: "park" } as const;

Deno.test("design model: each value of each axis is explored", () => {
  for (const [axis, values] of Object.entries(DESIGN_AXES)) {
    const explored = DESIGNS.map((design) => design[axis as keyof typeof DESIGN_AXES]);
    assertEquals(values.slice(1).filter((value) => !explored.includes(value)), []);
  }
});

// What is kept between calls is dropped when an event loop turns, which sessions have none of.
for (const design of DESIGNS.filter(({ portLock }) => portLock !== "held")) {
  Deno.test(`design model: ${designName(design)}, in sessions of two clients`, () => {
    const onTwoPorts = sessionModel({ ...SESSION, core, operations: "srs", design });
    assertEquals(exploreAll(onTwoPorts, { stateCountMax: STATE_COUNT_MAX }).violation, undefined);
    const onOne = { ...SESSION, core, operations: "sr", serverCount: 2, portCount: 1, design };
    const { violation, stateCount } = exploreAll(sessionModel(onOne), {
      stateCountMax: STATE_COUNT_MAX,
    });
    assertEquals(violation, undefined);
    assert(stateCount > 3000, `only ${stateCount} states were visited`);
  });
}

for (const fault of isThorough ? [...PLANTED_DESIGN_FAULTS, ...PLANTED_BATCH_FAULTS] : []) {
  Deno.test(`design model: finds that ${fault.name}`, async () => {
    const { operations, clients = [], ...plan } = fault;
    const model = operations === undefined
      ? channelModel({
        ...CHANNEL,
        ...plan,
        clients,
        core: await changedCore({ ...FOR_CHANNEL_MODEL, faults: [fault] }),
      })
      : sessionModel({
        ...SESSION,
        ...plan,
        operations,
        core: await changedCore({ faults: [fault] }),
      });
    const options = { stateCountMax: STATE_COUNT_MAX, mustEnd: operations === undefined };
    const { violation } = exploreAll(model, options);
    assertMatch(violation ?? "nothing was found", /^(?!nothing|TypeError|RangeError)/);
  });
}
