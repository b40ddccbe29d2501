import { assert, assertEquals } from "@std/assert";
import * as core from "../../mod.ts";
import { loadChanged } from "./changed_core.ts";
import { exploreAll } from "./explorer.ts";
import { PLANTED_FAULTS, TIDY_ALWAYS } from "./planted_fault.ts";
import { sessionModel } from "./session_model.ts";
import type { SessionPlan } from "./session_scene.ts";

/** More than any setting below has, so that a model that never ends is an error. */
const STATE_COUNT_MAX = 2_000_000;

const TWO_BY_TWO = { core, clientCount: 2, serverCount: 2, portCount: 1, parity: 0 } as const;

/** Every string of sends and receives that starts with a send. */
function* strings(lengthMax: number): Generator<string> {
  for (let length = 1; length <= lengthMax; length++) {
    for (let bits = 0; bits < 1 << (length - 1); bits++) {
      yield "s" + bits.toString(2).padStart(length - 1, "0").replaceAll("0", "s")
        .replaceAll("1", "r").slice(0, length - 1);
    }
  }
}

function explore(plan: SessionPlan) {
  return exploreAll(sessionModel(plan), { stateCountMax: STATE_COUNT_MAX });
}

Deno.test("session model: there are 31 strings of up to 5 operations", () => {
  assertEquals(new Set(strings(5)).size, 31);
});

for (const parity of [0, 1] as const) {
  Deno.test(`session model: 1 client x 1 server, up to 5 operations, from parity ${parity}`, () => {
    for (const operations of strings(5)) {
      const plan = { ...TWO_BY_TWO, operations, clientCount: 1, serverCount: 1, parity };
      assertEquals(explore(plan).violation, undefined, operations);
    }
  });

  for (const operations of strings(5)) {
    Deno.test(`session model: 2 clients x 2 servers, ${operations}, from parity ${parity}`, () => {
      const { violation, stateCount } = explore({ ...TWO_BY_TWO, operations, parity });
      assertEquals(violation, undefined);
      assert(stateCount > 10_000, `only ${stateCount} states were visited`);
    });
  }
}

Deno.test("session model: 2 clients x 1 server on 2 ports", () => {
  for (const operations of strings(3)) {
    const plan = { ...TWO_BY_TWO, operations, serverCount: 1, portCount: 2 };
    assertEquals(explore(plan).violation, undefined, operations);
  }
});

Deno.test("session model: an unhandled opcode is refused in every interleaving", () => {
  for (const operations of ["sr", "ssr", "sssr"]) {
    const plan = { ...TWO_BY_TWO, operations, serverCount: 1, isHandled: false };
    assertEquals(explore(plan).violation, undefined, operations);
  }
});

Deno.test("session model: hints tidied at every search lose no call", async () => {
  const tidied = await loadChanged([TIDY_ALWAYS]);
  for (const operations of ["s", "sr", "ss", "srs"]) {
    const plan = { ...TWO_BY_TWO, core: tidied, operations, serverCount: 1 };
    assertEquals(explore(plan).violation, undefined, operations);
  }
  const violation = explore({ ...TWO_BY_TWO, core: tidied, operations: "sr" }).violation;
  assertEquals(violation, undefined);
});

for (const fault of PLANTED_FAULTS) {
  Deno.test(`session model: finds that ${fault.name}`, async () => {
    const { isTidied = false, isHandled = true, operations, clientCount, serverCount } = fault;
    const faulty = await loadChanged(isTidied ? [TIDY_ALWAYS, fault] : [fault]);
    const plan = { ...TWO_BY_TWO, core: faulty, operations, clientCount, serverCount, isHandled };
    const { violation } = explore(plan);
    assert(violation, "the planted fault was not found");
  });
}
