import { fromFileUrl } from "@std/path";
import type { WorkerReply } from "../../scenarios/partner/worker_reply.ts";
import type { PointBudget } from "../sample/measure_point.ts";
import type { Measurement } from "../record/record.ts";

/** What to measure. */
export interface PointRequest {
  readonly scenario: string;
  readonly pointId: string;
  readonly budget: PointBudget;
}

/** For what the budget does not cover: starting, and any sample on a bad day. */
const GRACE_SECONDS = 60;
const BUDGETS_MAX = 4;

/**
 * Measures one point in a fresh process, whose main thread is the client and whose only other
 * thread of ours is the partner. No other point has left its types, its garbage or its optimised
 * code behind; and a point that hangs can be ended, which no Worker can be while it spins.
 *
 * @throws {Error} what the scenario threw; or that there was no answer long after the budget
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
  options: { readonly graceSeconds?: number } = {},
): Promise<Measurement> {
  const { graceSeconds = GRACE_SECONDS } = options;
  const limitSeconds = BUDGETS_MAX * request.budget.seconds + graceSeconds;
  const child = startProgram(request);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, limitSeconds * 1000);
  try {
    const output = await child.output();
    if (!isLate) return measurementIn(output);
    throw new Error(`Cannot finish the point as it gave no answer within ${limitSeconds} s`);
  } finally {
    clearTimeout(timer);
  }
}

function startProgram(request: PointRequest): Deno.ChildProcess {
  const program = fromFileUrl(new URL("./point_program.ts", import.meta.url));
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--quiet", program, JSON.stringify(request)],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

function measurementIn({ code, stdout, stderr }: Deno.CommandOutput): Measurement {
  const [answer = ""] = new TextDecoder().decode(stdout).trimEnd().split("\n").slice(-1);
  if (code !== 0 || answer === "") {
    const complaint = new TextDecoder().decode(stderr).trim();
    throw new Error(`Cannot finish the point as its process ended with ${code}: ${complaint}`);
  }
  const reply: WorkerReply<Measurement> = JSON.parse(answer);
  if (reply.kind === "done") return reply.value;
  throw new Error(reply.message);
}
