import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { clockSeconds } from "../sample/take_samples.ts";
import {
  choosePlacement,
  clockStepSeconds,
  describeCommit,
  describeMachine,
  machineChanges,
  machineWarnings,
  parseCpuList,
  placeApart,
} from "./machine.ts";
import { allowedCpus, keepOnCpus } from "../../scenarios/partner/affinity.ts";
import { Partner } from "../../scenarios/partner/partner.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

Deno.test("describeMachine() says what figures depend on, and not whose machine it is", async () => {
  const machine = await describeMachine();
  assertMatch(machine.commit, /^[0-9a-f]{40}$|^unknown$/);
  assertEquals(machine.denoVersion, Deno.version.deno);
  assert(machine.coreCount >= 1 && machine.clockStepSeconds > 0);
  assert(!JSON.stringify(machine).includes(Deno.hostname()));
});

Deno.test("describeCommit() sees changes anywhere in the repository, but not in its records", async () => {
  using scratch = new ScratchFolder();
  const root = scratch.path;
  const folder = join(root, "bench", "machine");
  await Deno.mkdir(folder, { recursive: true });
  assertEquals(await describeCommit(folder), { commit: "unknown", hasLocalChanges: false });
  const { success } = await new Deno.Command("git", { args: ["init", "--quiet", root] }).output();
  assert(success);
  await Deno.mkdir(join(root, "results"));
  await Deno.writeTextFile(join(root, "results", "run.jsonl"), "");
  assertEquals((await describeCommit(folder)).hasLocalChanges, false);
  await Deno.writeTextFile(join(root, "mod.ts"), "");
  assertEquals((await describeCommit(folder)).hasLocalChanges, true);
});

Deno.test("clockStepSeconds() is the smallest step of the clock, whole or not", () => {
  let reads = 0;
  assertEquals(clockStepSeconds(() => Math.floor(reads++ / 5) * 0.25), 0.25);
  assertGreater(clockStepSeconds(clockSeconds), 0);
});

Deno.test("machineWarnings() speaks of other programs, of the frequency and of a single core", async () => {
  const calm = { loadAverage: [0.1, 0, 0], busyShare: 0.05, frequencyGovernor: "performance" };
  const machine = { ...await describeMachine(), ...calm, coreCount: 4 };
  assertEquals(machineWarnings(machine), []);
  assertMatch(machineWarnings({ ...machine, busyShare: 0.4 })[0]!, /busy .* programs used 40 %/);
  assertMatch(
    machineWarnings({ ...machine, frequencyGovernor: "powersave" })[0]!,
    /the governor "powersave": "performance" keeps it steady/,
  );
  assertMatch(
    machineWarnings({ ...machine, loadAverage: [1.5, 0, 0] })[0]!,
    /load 1.50 on 4 cores/,
  );
  assertMatch(machineWarnings({ ...machine, coreCount: 1 })[0]!, /one core/);
});

Deno.test("machineChanges() names what differs, except what changes all the time", async () => {
  const before = await describeMachine();
  const later = { ...before, loadAverage: [9, 9, 9], clockStepSeconds: 1 };
  assertEquals(machineChanges(before, later), []);
  assertEquals(machineChanges(before, { ...later, commit: "f", arch: "sparc" }), [
    `The run was begun with another arch: ${before.arch}, then sparc`,
    `The run was begun with another commit: ${before.commit}, then f`,
  ]);
});

Deno.test("choosePlacement() takes two cores where there are, siblings where not", () => {
  const pairs = (cpu: number) => [cpu & ~1, cpu | 1];
  assertEquals(choosePlacement([0, 1, 2, 3], pairs), {
    clientCpu: 1,
    partnerCpu: 3,
    areSiblings: false,
  });
  assertEquals(choosePlacement([2, 3], pairs), { clientCpu: 2, partnerCpu: 3, areSiblings: true });
  assertEquals(choosePlacement([5], pairs), undefined);
  assertEquals(choosePlacement([], pairs), undefined);
});

Deno.test("parseCpuList() reads single processors and ranges", () => {
  assertEquals(parseCpuList("0-2,8\n"), [0, 1, 2, 8]);
  assertEquals(parseCpuList("7"), [7]);
});

Deno.test("placeApart() keeps the two threads on two processors, where there are two", async () => {
  const before = allowedCpus();
  await using partner = new Partner();
  try {
    const placement = await placeApart(partner);
    assertEquals(placement === undefined, before.length < 2);
    if (placement) assertEquals(allowedCpus(), [placement.clientCpu]);
  } finally {
    keepOnCpus(before);
  }
});
