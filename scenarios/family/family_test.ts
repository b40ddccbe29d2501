import { assertEquals } from "@std/assert";
import { allPoints, pointId } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { family } from "./family.ts";

Deno.test("family makes checked calls through every protocol, and again after each rest", async () => {
  await using partner = new Partner();
  for (const point of allPoints(family.axes)) {
    if (family.skip!(point)) continue;
    await using trial = await family.setup(point, partner);
    for (const callCount of [1, 20, 0, 7]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
    }
  }
});

Deno.test("family skips the lanes that a command of the ring does not have", () => {
  const skipped = [...allPoints(family.axes)].filter((point) => family.skip!(point));
  assertEquals(skipped.map((point) => pointId(family.axes, point)), [
    "protocol=command_ring;portCount=1;laneCount=32",
    "protocol=command_ring;portCount=64;laneCount=32",
  ]);
});
