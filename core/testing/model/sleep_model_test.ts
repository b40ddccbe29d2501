import { assert, assertEquals, assertMatch } from "@std/assert";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreAll, exploreRandom } from "../explorer/explorer.ts";
import { PLANTED_SLEEP_FAULTS, PLANTED_SLEEP_RACES, WATCH_ONCE } from "./planted_fault.ts";
import { sleepModel } from "./sleep_model.ts";

const core = await changedCore([WATCH_ONCE]);
const SMALL = { core, clientCount: 1, serverCount: 1, portCount: 1, callsPerClient: 1 };
const LARGE = { core, clientCount: 3, serverCount: 2, portCount: 2, callsPerClient: 3 };
const SEED_COUNT = 300;

Deno.test("sleep model: a client and a server that sleep whenever they can always end", () => {
  const { violation, stateCount } = exploreAll(sleepModel(SMALL), { stateCountMax: 200_000 });
  assertEquals(violation, undefined);
  assert(stateCount > 10_000, `only ${stateCount} states were visited`);
});

Deno.test("sleep model: 3 clients x 2 servers on 2 ports, in random schedules", () => {
  const seeds = Array.from({ length: SEED_COUNT }, (_, index) => index + 1);
  assertEquals(exploreRandom(sleepModel(LARGE), seeds), undefined);
});

for (const fault of PLANTED_SLEEP_FAULTS) {
  Deno.test(`sleep model: finds that ${fault.name}`, async () => {
    const faulty = await changedCore([WATCH_ONCE, fault]);
    const model = sleepModel({ ...SMALL, callsPerClient: 2, core: faulty });
    const { violation } = exploreAll(model, { stateCountMax: 2_000_000 });
    assert(violation, "the planted fault was not found");
  });
}

for (const fault of PLANTED_SLEEP_RACES) {
  Deno.test(`sleep model: finds that ${fault.name}`, async () => {
    const model = sleepModel({ ...SMALL, core: await changedCore([WATCH_ONCE, fault]) });
    const { violation } = exploreAll(model, { stateCountMax: 200_000 });
    assertMatch(violation ?? "", /^(Data race|Not ordered): /);
  });
}
