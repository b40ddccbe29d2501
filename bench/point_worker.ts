import { parsePointId } from "../scenarios/axis.ts";
import { findScenario } from "../scenarios/registry.ts";
import { failedReply, type WorkerReply, workerScope } from "../scenarios/worker_reply.ts";
import { measurePoint, type PointBudget } from "./measure_point.ts";
import type { Measurement } from "./record.ts";

/** What to measure. */
export interface PointRequest {
  readonly scenario: string;
  readonly pointId: string;
  readonly budget: PointBudget;
}

const scope = workerScope<PointRequest, WorkerReply<Measurement>>();

scope.onmessage = async ({ data }) => {
  try {
    const scenario = findScenario(data.scenario);
    const point = parsePointId(scenario.axes, data.pointId);
    const value = await measurePoint(scenario, { point, budget: data.budget });
    scope.postMessage({ kind: "done", value });
  } catch (error) {
    scope.postMessage(failedReply(error));
  }
};
