// Measures one point in a process of its own: the request is the argument, the answer the last line
// of the output. Exits itself, because a trial that failed may have left Workers that spin.
import { parsePointId } from "../../scenarios/axis.ts";
import { findScenario } from "../../scenarios/registry.ts";
import { failedReply, type WorkerReply } from "../../scenarios/partner/worker_reply.ts";
import { bringGpu } from "../adapters/bring_gpu.ts";
import type { PointRequest } from "./isolated_point.ts";
import { measurePoint } from "../sample/measure_point.ts";
import type { Measurement } from "../record/record.ts";

const request: PointRequest = JSON.parse(Deno.args[0]!);
let reply: WorkerReply<Measurement>;
try {
  const scenario = findScenario(request.scenario);
  const point = parsePointId(scenario.axes, request.pointId);
  if (scenario.needsAdapter) await bringGpu();
  reply = { kind: "done", value: await measurePoint(scenario, { point, budget: request.budget }) };
} catch (error) {
  reply = failedReply(error);
}
const bytes = new TextEncoder().encode(`\n${JSON.stringify(reply)}`);
for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
Deno.exit(0);
