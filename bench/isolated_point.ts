import { nextReply } from "../scenarios/worker_reply.ts";
import type { PointRequest } from "./point_worker.ts";
import type { Measurement } from "./record.ts";

/** For what the budget does not cover: starting Workers, and any sample on a bad day. */
const GRACE_SECONDS = 60;
const BUDGETS_MAX = 4;

/**
 * A point that gave no answer in time. Its Workers may spin, and a Worker that spins cannot be
 * stopped: whatever is measured afterwards in this process is worth nothing.
 */
export class PointHungError extends Error {
  override readonly name = "PointHungError";

  constructor(limitSeconds: number) {
    super(`Cannot finish the point as it gave no answer within ${limitSeconds} s`);
  }
}

/**
 * Measures one point in a fresh Worker, so that no other point has left its types, its garbage or
 * its optimised code behind.
 *
 * @throws {Error} what the scenario threw
 * @throws {PointHungError} when it takes far longer than its budget
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
  const limitSeconds = BUDGETS_MAX * request.budget.seconds +
    (options.graceSeconds ?? GRACE_SECONDS);
  const worker = new Worker(new URL("./point_worker.ts", import.meta.url), { type: "module" });
  const { promise: hung, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new PointHungError(limitSeconds)), limitSeconds * 1000);
  try {
    const reply = nextReply<Measurement>(worker);
    worker.postMessage(request);
    return await Promise.race([reply, hung]);
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
