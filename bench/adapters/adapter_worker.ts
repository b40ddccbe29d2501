import { answerParent } from "../../core/worker/worker_scope.ts";
import { summarizeAdapter } from "./adapter_summary.ts";

/** The one thing that this worker is asked for. Answered with an `AdapterSummary`, or nothing. */
export type AdapterRequest = "adapter";

answerParent<AdapterRequest>(async () => {
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  return adapter ? summarizeAdapter(adapter) : undefined;
});
