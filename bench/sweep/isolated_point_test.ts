import { assert, assertEquals, assertRejects } from "@std/assert";
import { divideBudget } from "./run_sweep.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { measureIsolated } from "./isolated_point.ts";
import { join } from "@std/path";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

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
      const graceSeconds = way === "hangs" ? 1 : 60;
      await assertRejects(() => measureIsolated(request, { graceSeconds }), Error, text);
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

/** Looks at a process at most so often, 50 ms apart, until it is gone. */
const LOOKS_MAX = 200;
const LOOK_MILLISECONDS = 50;

async function until(isDone: () => boolean): Promise<boolean> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    if (isDone()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
  return false;
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

Deno.test({
  name: "endWithParent() ends a point that hangs when the sweep is killed",
  ignore: Deno.build.os !== "linux",
  async fn() {
    using scratch = new ScratchFolder();
    const folder = scratch.path;
    const pidFile = join(folder, "pid");
    const program = `
      import { measureIsolated } from "${new URL("isolated_point.ts", import.meta.url)}";
      import { divideBudget } from "${new URL("run_sweep.ts", import.meta.url)}";
      await measureIsolated({
        scenario: "misbehaving",
        moduleUrl: "${new URL("testdata/misbehaving.ts", import.meta.url)}",
        pointId: "way=hangs;size=1",
        budget: divideBudget([], { seconds: 1, isQuick: true })(),
      });`;
    const parent = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--no-check", "--ext=js", "-"],
      env: { PORTLAB_PID_FILE: pidFile },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const writer = parent.stdin.getWriter();
    await writer.write(new TextEncoder().encode(program));
    await writer.close();
    assertEquals(await until(() => read(pidFile) !== ""), true, "the point has begun");
    const command = () => read(`/proc/${read(pidFile)}/cmdline`);
    assertEquals(command().includes("isolated_point.ts"), true);
    parent.kill("SIGKILL");
    await parent.status;
    assertEquals(await until(() => command() === ""), true, "the point has ended");
  },
});

Deno.test({
  name: "measureIsolated() is told to end when its process has gone, and others hold its output",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const pidFile = await Deno.makeTempFile();
    const module = `const { pid } = new Deno.Command("sleep", { args: ["60"] }).spawn();
      Deno.writeTextFileSync("${pidFile}", Deno.pid + " " + pid);
      Deno.exit(1);`;
    const controller = new AbortController();
    const measured = measureIsolated({
      ...{ scenario: "any", pointId: "", budget },
      moduleUrl: `data:text/javascript,${encodeURIComponent(module)}`,
    }, { signal: controller.signal });
    const pids = () => read(pidFile).split(" ");
    assert(await until(() => pids().length === 2 && read(`/proc/${pids()[0]}/status`) === ""));
    controller.abort();
    Deno.kill(Number(pids()[1]), "SIGKILL");
    await assertRejects(() => measured, Error, "before it was stopped");
    await Deno.remove(pidFile);
  },
});
