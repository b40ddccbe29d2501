import { assertEquals } from "@std/assert";
import type { BehaviourPeer } from "./behaviour_peers.ts";
import { type CaseName, CASES } from "./cases.ts";
import { outcomeOf } from "./main.ts";

for (const name of Object.keys(CASES) as CaseName[]) {
  for (const peer of ["portlab", "portlab_async"] as const) {
    Deno.test(`${name}: ${CASES[name].question} ${peer}`, async () => {
      const outcome = await outcomeOf(name, peer);
      assertEquals(outcome.slice(0, 3), "yes", outcome);
    });
  }
}

Deno.test("the cases see what is wrong", async () => {
  let count = 0;
  const wrong = (more: Partial<BehaviourPeer>) => () =>
    Promise.resolve<BehaviourPeer>({ call: () => count++ % 7, end: () => {}, ...more });
  const late = () => Promise.reject(new Error("late"));
  const outcomes = [
    await CASES.late_answer.run(wrong({ callLimited: late })),
    await CASES.late_answer.run(wrong({ callLimited: () => 1 })),
    await CASES.crash.run(wrong({})),
    await CASES.flood.run(wrong({})),
    await CASES.timers.run(wrong({ call: () => 0 })),
    await CASES.repeat.run(wrong({})),
  ];
  assertEquals(
    outcomes.map((outcome) => outcome.slice(0, 3)),
    new Array(6).fill("no:").with(4, "no;"),
  );
});
