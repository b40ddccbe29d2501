import { assert, assertEquals, assertRejects } from "@std/assert";
import { divideBudget } from "./budget.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { measureIsolated } from "./isolated_point.ts";

const budget = divideBudget([pingPong], { seconds: 1, isQuick: true })(pingPong);

Deno.test("measureIsolated() measures a registered scenario in a process of its own", async () => {
  const measured = await measureIsolated({ scenario: "ping_pong", pointId: "", budget });
  assert(measured.latencySeconds.length >= budget.samplesMin);
  assert(measured.latencySeconds.every((seconds) => seconds > 0));
  assertEquals(measured.control, "ping_pong");
});

Deno.test("measureIsolated() lets a point take longer than a timer can count", async () => {
  const months = { ...budget, seconds: 1e7 };
  const { stopReason } = await measureIsolated({
    scenario: "ping_pong",
    pointId: "",
    budget: months,
  });
  assertEquals(stopReason === "precise" || stopReason === "samples", true);
});

Deno.test("measureIsolated() rejects with what the scenario threw", async () => {
  const pointId = "portCount=0;laneCount=1;waiting=spin+spin";
  await assertRejects(
    () => measureIsolated({ scenario: "round_trip", pointId, budget }),
    Error,
    "portCount must be an integer from 1 to 16384: current value is 0",
  );
});

Deno.test("measureIsolated() ends a point that takes too long", async () => {
  const noTime = { ...budget, seconds: 0 };
  await assertRejects(
    () =>
      measureIsolated({ scenario: "ping_pong", pointId: "", budget: noTime }, { graceSeconds: 0 }),
    Error,
    "no answer within 0 s",
  );
});

const misbehaving = {
  scenario: "misbehaving",
  moduleUrl: new URL("./testdata/misbehaving.ts", import.meta.url).href,
  budget: { ...budget, seconds: 0 },
};

Deno.test("measureIsolated() measures the scenario of a module that is not registered", async () => {
  const request = { ...misbehaving, pointId: "way=answers;size=1", budget };
  const { latencySeconds } = await measureIsolated(request);
  assert(latencySeconds.length >= budget.samplesMin);
});

Deno.test("measureIsolated() ends every thread of a point that hangs, throws or exits", async () => {
  const pidFile = await Deno.makeTempFile();
  Deno.env.set("PORTLAB_PID_FILE", pidFile);
  const ends = { throws: "it throws", exits: "its process ended with 7", hangs: "within 1 s" };
  try {
    for (const [way, text] of Object.entries(ends)) {
      const request = { ...misbehaving, pointId: `way=${way};size=1` };
      await assertRejects(() => measureIsolated(request, { graceSeconds: 1 }), Error, text);
      const pid = await Deno.readTextFile(pidFile);
      await assertRejects(() => Deno.stat(`/proc/${pid}`), Deno.errors.NotFound);
    }
  } finally {
    Deno.env.delete("PORTLAB_PID_FILE");
    await Deno.remove(pidFile);
  }
});

Deno.test("measureIsolated() ends its process when it is told to", async () => {
  const controller = new AbortController();
  const request = { ...misbehaving, pointId: "way=hangs;size=1" };
  const measured = measureIsolated(request, { signal: controller.signal });
  controller.abort();
  await assertRejects(() => measured, Error, "before it was stopped");
});
