import { assert, assertEquals, assertMatch } from "@std/assert";
import { describeMachine, machineDoubts } from "./machine.ts";

Deno.test("describeMachine() says what figures depend on, and not whose machine it is", async () => {
  const machine = await describeMachine();
  assertMatch(machine.commit, /^[0-9a-f]{40}$|^unknown$/);
  assertEquals(machine.denoVersion, Deno.version.deno);
  assert(machine.coreCount >= 1 && machine.clockStepSeconds > 0);
  assert(!JSON.stringify(machine).includes(Deno.hostname()));
});

Deno.test("machineDoubts() speaks of other programs and of a single core", async () => {
  const machine = { ...await describeMachine(), loadAverage: [0.1, 0, 0], coreCount: 4 };
  assertEquals(machineDoubts(machine), []);
  assertMatch(machineDoubts({ ...machine, loadAverage: [1.5, 0, 0] })[0]!, /load 1.50 on 4 cores/);
  assertMatch(machineDoubts({ ...machine, coreCount: 1 })[0]!, /one core/);
});
