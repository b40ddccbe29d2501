// Run as a program, this module measures one point: the request is its argument, the reply the last
// line of its output.
import { errorFrom, type ErrorReport, errorReport } from "../../core/call/error_report.ts";
import { endProcess } from "../../core/system/child.ts";
import { endWithParent } from "../../core/system/wall.ts";
import { parsePointId } from "../../scenarios/axis.ts";
import type { Scenario } from "../../scenarios/scenario.ts";
import { bringGpu } from "../adapters/bring_gpu.ts";
import type { Measurement } from "../record/record.ts";
import { slowedScenario } from "../sample/slowed_scenario.ts";
import { measurePoint, type PointBudget } from "../sample/measure_point.ts";

/** What to measure. */
export interface PointRequest {
  /** Name of a scenario. */
  readonly scenario: string;
  /** The module that exports it, as an absolute URL; absent for a scenario of this project. */
  readonly moduleUrl?: string;
  /** One of its points: `portCount=1;laneCount=32`. */
  readonly pointId: string;
  /** Time and samples that the point may take. */
  readonly budget: PointBudget;
  /**
   * Whether only the trial and its floor are measured, with a share of further calls for each call that
   * counts, 0 for none; every control, and no further call, when absent.
   */
  readonly extraShare?: number;
}

interface ChildRequest extends PointRequest {
  /** Who started it: without that process it ends. */
  readonly parentPid: number;
}

/** How the process ends what it was asked. */
type PointReply =
  | { readonly kind: "done"; readonly value: Measurement }
  | { readonly kind: "failed"; readonly error: ErrorReport };

/** For what the budget does not cover: to start the process, and calls that wait for a busy system. */
const GRACE_SECONDS = 60;
/** The longest time that a timer takes, 25 days: what is longer ends it at once. */
const TIMER_MILLISECONDS_MAX = 2 ** 31 - 1;
/** A point may take this many times its budget: a single sample may be longer than planned. */
const BUDGETS_MAX = 4;

/**
 * Measures one point in a fresh process. Its main thread is the client; its only other thread of
 * this project is the partner. So the types, the garbage and the optimised code of other points do
 * not change the figures. And a point that hangs can be ended, while a Worker that spins cannot.
 *
 * @param options `graceSeconds` is what the process may take beyond 4 times its budget, 60 when absent;
 * `signal` ends the process when it is aborted
 * @throws {Error} what the scenario threw; or an error of its own when there is no reply in time
 *
 * @example
 * ```ts
 * import { measureIsolated } from "./isolated_point.ts";
 * const budget = {
 *   seconds: 0.05,
 *   sampleSeconds: 0.0005,
 *   samplesMin: 6,
 *   samplesMax: 6,
 *   relativeErrorMax: 1,
 *   heapCallsMax: 0,
 * };
 * const { latencySeconds } = await measureIsolated({ scenario: "ping_pong", pointId: "", budget });
 * if (latencySeconds.length !== 6) throw new Error("six samples");
 * ```
 */
export async function measureIsolated(
  request: PointRequest,
  options: { readonly graceSeconds?: number; readonly signal?: AbortSignal } = {},
): Promise<Measurement> {
  const { graceSeconds = GRACE_SECONDS, signal: stopped } = options;
  const limitSeconds = BUDGETS_MAX * request.budget.seconds + graceSeconds;
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(),
    Math.min(limitSeconds * 1000, TIMER_MILLISECONDS_MAX),
  );
  const signal = AbortSignal.any([late.signal, ...stopped ? [stopped] : []]);
  const child = startProgram(request);
  // A thread that spins hears nothing else. It may be gone: a terminal stops all its processes.
  const end = () => endProcess(child);
  signal.addEventListener("abort", end);
  try {
    if (signal.aborted) end();
    const output = await child.output();
    if (!signal.aborted) return measurementIn(output);
    const limit = late.signal.aborted ? `within ${limitSeconds} s` : "before it was stopped";
    throw new Error(`Cannot finish the point as it gave no answer ${limit}`);
  } finally {
    signal.removeEventListener("abort", end);
    clearTimeout(timer);
  }
}

function startProgram(request: PointRequest): Deno.ChildProcess {
  const childRequest: ChildRequest = { ...request, parentPid: Deno.pid };
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--quiet", import.meta.url, JSON.stringify(childRequest)],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

function measurementIn({ code, stdout, stderr }: Deno.CommandOutput): Measurement {
  const [line = ""] = new TextDecoder().decode(stdout).trimEnd().split("\n").slice(-1);
  if (code !== 0 || line === "") {
    const reason = new TextDecoder().decode(stderr).trim();
    throw new Error(`Cannot finish the point as its process ended with ${code}: ${reason}`);
  }
  const reply: PointReply = JSON.parse(line);
  if (reply.kind === "done") return reply.value;
  throw errorFrom(reply.error);
}

async function answer(request: ChildRequest): Promise<PointReply> {
  endWithSweep(request.parentPid);
  leaveStopToParent();
  const found = await scenarioOf(request);
  const { extraShare } = request;
  const scenario = extraShare === undefined ? found : slowedScenario(found, extraShare);
  const point = parsePointId(scenario.axes, request.pointId);
  if (scenario.needsAdapter) await bringGpu();
  return { kind: "done", value: await measurePoint(scenario, { point, budget: request.budget }) };
}

/** The registry loads all scenarios, which takes as long as a short point: not where a module is named. */
async function scenarioOf({ scenario: name, moduleUrl }: PointRequest): Promise<Scenario> {
  if (moduleUrl === undefined) {
    return (await import("../../scenarios/registry.ts")).findScenario(name);
  }
  const exported: readonly Partial<Scenario>[] = Object.values(await import(moduleUrl));
  const found = exported.find((one) => one?.name === name && one.question !== undefined);
  if (found) return found as Scenario;
  throw new TypeError(`Cannot measure ${name} as ${moduleUrl} exports no scenario of that name`);
}

/**
 * A terminal sends Ctrl-C to this process, too. The sweep ends it then: should this one end first, the
 * sweep would take its point for one that failed.
 */
function leaveStopToParent(): void {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    if (Deno.build.os !== "windows") Deno.addSignalListener(name, () => {});
  }
}

/**
 * Has the system end this process when the one that started it ends, however that ends. Otherwise a
 * point that hangs would hold its processors for ever once the sweep has been killed. Does nothing on
 * systems other than Linux.
 *
 * @param parentPid of the process that started this one; if it is gone already, this one ends here
 */
function endWithSweep(parentPid: number): void {
  if (Deno.build.os !== "linux") return;
  try {
    endWithParent(parentPid);
  } catch {
    // It has gone, or with another C library: then this one may outlive it.
  }
  if (Deno.ppid !== parentPid) Deno.exit(1);
}

if (import.meta.main) {
  const reply = await answer(JSON.parse(Deno.args[0]!)).catch((thrown): PointReply => (
    { kind: "failed", error: errorReport(thrown) }
  ));
  const bytes = new TextEncoder().encode(`\n${JSON.stringify(reply)}`);
  for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
  Deno.exit(0); // ends Workers that still spin because the trial failed
}
