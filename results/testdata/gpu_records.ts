import type { RunRecord } from "../../bench/record/record.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";

/** A record of each scenario that runs on an adapter, at points that their charts tell apart. */
export function gpuRecords(): RunRecord[] {
  return [
    at("gpu_epoch", { waveCount: 1, callsPerWave: 1, readback: "eager" }),
    at("gpu_epoch", { waveCount: 256, callsPerWave: 4, readback: "eager" }),
    at("gpu_epoch", { waveCount: 1, callsPerWave: 1, readback: "awaited" }),
    at("gpu_server", { batchCount: 16, laneCount: 1 }),
    at("gpu_server", { batchCount: 256, laneCount: 32 }),
    at("gpu_lock", { lock: "cas", portCount: 16 }),
    at("gpu_lock", { lock: "fetch-or", portCount: 256 }),
    at("gpu_live", { portCount: 1, laneCount: 8, lock: "cas" }),
  ];
}

function at(scenario: string, point: RunRecord["point"]): RunRecord {
  const pointId = Object.entries(point).map(([name, value]) => `${name}=${value}`).join(";");
  return { ...sampleRecord, scenario, point, pointId, adapter: "An adapter" };
}
