// The command line of a sweep with everything but the measuring: options, resuming, shards, records. A
// point takes 40 ms of sleep in place of a process of its own.
import { beginRun } from "../../cli/begin_run.ts";
import { parseOptions } from "../../cli/options/options.ts";
import { sampleMeasurement } from "../../record/testdata/sample_record.ts";
import { planSweep } from "../../sweep/plan_sweep.ts";
import { runSweep, visitId } from "../../sweep/run_sweep.ts";

const POINT_MILLISECONDS = 40;

async function measure(): Promise<typeof sampleMeasurement> {
  await new Promise((resolve) => setTimeout(resolve, POINT_MILLISECONDS));
  return sampleMeasurement;
}

const { options, context, writer } = await beginRun(await parseOptions(Deno.args), Deno.args);
const plan = planSweep(options.scenarios, { ...options, seed: context.seed });
using file = await writer();
const visited = new Set([...file.records, ...file.unmeasured].map(visitId));
for await (const step of runSweep(plan, { ...options, context, visited, measure })) {
  await file.write("record" in step ? step.record : step.unmeasured);
}
