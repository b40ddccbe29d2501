import { assertEquals } from "@std/assert";
import { Partner, planSweep } from "../mod.ts";
import { copyBytes } from "./copy_bytes.ts";

Deno.test("copyBytes runs at each point that it does not skip", async () => {
  await using partner = new Partner();
  const plan = planSweep([copyBytes], { seed: 1, rounds: 1 });
  const skipped = plan.filter(({ skipReason }) => skipReason !== undefined);
  assertEquals(
    skipped.map(({ pointId, skipReason }) => [pointId, skipReason]),
    [["byteCount=63;way=words", "63 bytes are no whole words"]],
  );
  for (const { scenario, point } of plan.slice(1)) {
    await using trial = await scenario.setup(point, partner);
    trial.run(2);
  }
});
