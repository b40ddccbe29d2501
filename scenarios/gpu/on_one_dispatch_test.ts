import { assertEquals } from "@std/assert";
import { type Axes, type Point, pointId } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import type { Control, Scenario } from "../scenario.ts";
import { prepareOneDispatch } from "./gpu_live.ts";

/** Why no calls within a dispatch are made here; undefined where they are. */
const obstacle = await navigator.gpu.requestAdapter() === null
  ? "no adapter"
  : await prepareOneDispatch({ portCount: 1, laneCount: 1, lock: "fetch-or" })
    .then((trial) => trial[Symbol.asyncDispose](), (error: DOMException) => {
      if (error.name === "NotSupportedError") return error.message;
      throw error;
    });

/** Registers a test that makes calls at a point of a scenario, and turns of its controls. */
export function testOneDispatch<A extends Axes>(
  scenario: Scenario<A>,
  point: Point<A>,
  controls: readonly Control<A>[] = [],
): void {
  const name = `${scenario.name} makes calls in a dispatch, ${pointId(scenario.axes, point)}`;
  Deno.test({
    name: obstacle === undefined ? name : `${name} (${obstacle})`,
    ignore: obstacle !== undefined,
    async fn() {
      await using partner = new Partner();
      for (const one of [scenario, ...controls]) {
        await using trial = await one.setup(point, partner);
        for (const callCount of [1, 50]) await trial.run(callCount);
        assertEquals(typeof trial.adapter, "string", one.name);
      }
    },
  });
}
