import { assertEquals } from "@std/assert";
import { allPoints } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { controlsOf, type Trial } from "../scenario.ts";
import { printLine } from "./print_line.ts";

const adapter = await navigator.gpu.requestAdapter();
const points = [...printLine.points!()];

async function runs(trial: Trial, callCounts: readonly number[]): Promise<void> {
  for (const callCount of callCounts) {
    trial.wake?.();
    await trial.run(callCount);
    trial.rest?.();
  }
}

Deno.test("print_line prints checked lines in every way of a Worker, in turn with its controls", async () => {
  await using partner = new Partner();
  for (const point of points.filter(({ way }) => !/_\d|shader/.test(way))) {
    await using trial = await printLine.setup(point, partner);
    await runs(trial, [1, 40]);
  }
  for (const control of controlsOf(printLine)) {
    await using trial = await control.setup({ way: "printf", laneCount: 64 }, partner);
    await trial.run(3);
  }
});

Deno.test({
  name: "print_line prints checked lines of waves in each form, and names its adapter",
  ignore: adapter === null,
  async fn() {
    await using partner = new Partner();
    for (const way of ["kernel_1024", "kernel_64", "shader", "live_1024"] as const) {
      const laneCount = way === "live_1024" ? 8 : 1;
      const made = printLine.setup({ way, laneCount }, partner);
      const trial = await made.catch((error: Error) => {
        if (way !== "live_1024" || error.name !== "NotSupportedError") throw error; // no such device
      });
      if (!trial) continue;
      await using _ended = trial;
      await runs(trial, [1]);
      assertEquals(typeof trial.adapter, "string");
    }
  },
});

Deno.test("print_line has points for each way alone, and says why others mean nothing", () => {
  const all = [...allPoints(printLine.axes)];
  const skipped = all.filter((point) => printLine.skip!(point) !== undefined);
  assertEquals([all.length, points.length, skipped.length], [30, 20, 10]);
});
