/** What tests of live scenarios share; they are skipped where there is no device for them. */
import { assertEquals } from "@std/assert";
import type { Axes, Point } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { type Control, controlsOf, type Scenario } from "../scenario.ts";
import { leavesLoops } from "../../core/gpu/live/rounds/round_limit.ts";
import { LiveLab } from "./live_lab.ts";

/** Why no test here can have a device; undefined where one can. */
const liveObstacle = await navigator.gpu.requestAdapter() === null
  ? "no adapter"
  : await LiveLab.open().then((lab) => lab[Symbol.dispose](), (error: Error) => error.message);

/** Registers a test with a lab of its own; ignored where there is no device. */
export function onLiveLab(name: string, run: (lab: LiveLab) => void | Promise<void>): void {
  Deno.test({
    name: liveObstacle === undefined ? name : `${name} (${liveObstacle})`,
    ignore: liveObstacle !== undefined,
    async fn() {
      using lab = await LiveLab.open();
      await run(lab);
    },
  });
}

/** Registers a test that runs a scenario at points, with what it is compared with where `controls` says so. */
export function testLive<A extends Axes>(
  scenario: Scenario<A>,
  points: readonly Point<A>[],
  { controls = true, callCount = 3 }: {
    readonly controls?: boolean;
    readonly callCount?: number;
  } = {},
): void {
  for (const point of points) {
    const values = Object.values(point).join(", ") || "the only point";
    onLiveLab(`${scenario.name} runs at ${values}, and names its adapter`, async ({ adapter }) => {
      await using partner = new Partner();
      const all: Control<A>[] = controls ? [scenario, ...controlsOf(scenario)] : [scenario];
      for (const one of all) {
        const trial = await one.setup(point, partner).catch((error: Error) => {
          if (error.name !== "NotSupportedError" || !leavesLoops({ name: adapter })) throw error;
        });
        if (!trial) return;
        await using _ended = trial;
        for (const count of [1, callCount]) {
          trial.wake?.();
          await trial.run(count);
          trial.rest?.();
        }
        if (one.name.startsWith("live_")) assertEquals(trial.adapter, adapter, one.name);
      }
    });
  }
}
