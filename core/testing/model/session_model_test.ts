import { assert, assertEquals, assertMatch } from "@std/assert";
import * as core from "../explorer/whole_core.ts";
import { isThorough } from "../thorough.ts";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreAll } from "../explorer/explorer.ts";
import { TIDY_ALWAYS } from "./core_changes.ts";
import { PLANTED_FAULTS } from "./planted/session_faults.ts";
import { PLANTED_RACES } from "./planted/session_races.ts";
import { sessionModel } from "./session_model.ts";
import { operationStrings, type SessionPlan } from "./session_setting.ts";

/** More than any setting below has, so that a model that never ends is an error. */
const STATE_COUNT_MAX = 2_000_000;

const TWO_BY_TWO = { core, clientCount: 2, serverCount: 2, portCount: 1, parity: 0 } as const;

function explore(plan: SessionPlan) {
  return exploreAll(sessionModel(plan), { stateCountMax: STATE_COUNT_MAX });
}

Deno.test("session model: there are 31 strings of up to 5 operations", () => {
  assertEquals(new Set(operationStrings(5)).size, 31);
});

for (const parity of [0, 1] as const) {
  Deno.test(`session model: 1 client x 1 server, up to 5 operations, from parity ${parity}`, () => {
    for (const operations of operationStrings(5)) {
      const plan = { ...TWO_BY_TWO, operations, clientCount: 1, serverCount: 1, parity };
      assertEquals(explore(plan).violation, undefined, operations);
    }
  });

  // The longest, which take half of the time, from one parity: half of them from each.
  const strings = operationStrings(isThorough ? 5 : 3).filter((operations, place) =>
    operations.length < 5 || place % 2 === parity
  );
  for (const operations of strings) {
    Deno.test(`session model: 2 clients x 2 servers, ${operations}, from parity ${parity}`, () => {
      const { violation, stateCount } = explore({ ...TWO_BY_TWO, operations, parity });
      assertEquals(violation, undefined);
      assert(stateCount > 3000, `only ${stateCount} states were visited`);
    });
  }
}

Deno.test("session model: 2 clients x 1 server on 2 ports", () => {
  for (const operations of operationStrings(3)) {
    const plan = { ...TWO_BY_TWO, operations, serverCount: 1, portCount: 2 };
    assertEquals(explore(plan).violation, undefined, operations);
  }
});

Deno.test("session model: 3 clients x 1 server on 1 port", () => {
  for (const operations of ["s", "sr"]) {
    const plan = { ...TWO_BY_TWO, operations, clientCount: 3, serverCount: 1 };
    assertEquals(explore(plan).violation, undefined, operations);
  }
});

Deno.test("session model: every call ends under every fair schedule", () => {
  for (const operations of operationStrings(3)) {
    const plan = { ...TWO_BY_TWO, operations, serverCount: 1 };
    for (
      const counts of [{ clientCount: 3 }, { portCount: 2 }, { clientCount: 1, serverCount: 2 }]
    ) {
      if (counts.clientCount === 3 && operations !== "s") continue;
      const options = { stateCountMax: STATE_COUNT_MAX, mustEnd: true };
      const { violation } = exploreAll(sessionModel({ ...plan, ...counts }), options);
      assertEquals(violation, undefined, `${operations} ${JSON.stringify(counts)}`);
    }
  }
});

Deno.test("session model: an unhandled opcode is refused in every interleaving", () => {
  for (const operations of ["sr", "ssr", "sssr"]) {
    const plan = { ...TWO_BY_TWO, operations, serverCount: 1, isHandled: false };
    assertEquals(explore(plan).violation, undefined, operations);
  }
});

Deno.test("session model: hints tidied at every search lose no call", async () => {
  const tidied = { ...TWO_BY_TWO, core: await changedCore(TIDY_ALWAYS), isTidied: true };
  for (const operations of ["s", "sr", "ss", "srs"]) {
    assertEquals(explore({ ...tidied, operations, serverCount: 1 }).violation, undefined);
  }
  assertEquals(explore({ ...tidied, operations: "sr" }).violation, undefined);
});

for (const fault of PLANTED_FAULTS) {
  Deno.test(`session model: finds that ${fault.name}`, async () => {
    const faulty = await changedCore({ ...fault.isTidied ? TIDY_ALWAYS : {}, faults: [fault] });
    const { violation } = explore({ ...TWO_BY_TWO, ...fault, core: faulty });
    assert(violation, "the planted fault was not found");
  });
}

for (const fault of PLANTED_RACES) {
  Deno.test(`session model: finds that ${fault.name}`, async () => {
    const { violation } = explore({
      ...TWO_BY_TWO,
      ...fault,
      core: await changedCore({ faults: [fault] }),
    });
    assertMatch(violation ?? "", /^(Data race|Not atomic|Not ordered): /);
  });
}

Deno.test("session model: finds what a look without order, which may be stale, must not allow", async () => {
  const [name, clientCount, serverCount] = [
    "a server does not look again after it took the lock",
    1,
    1,
  ];
  const faults = PLANTED_FAULTS.filter((fault) => fault.name === name);
  const faulty = await changedCore({ faults });
  const plan = { ...TWO_BY_TWO, core: faulty, operations: "s", clientCount, serverCount };
  assertMatch(explore(plan).violation ?? "", /^Data race: read/);
});
