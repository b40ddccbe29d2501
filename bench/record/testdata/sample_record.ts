import { roundTrip } from "../../../scenarios/worker/round_trip.ts";
import {
  type Measurement,
  RECORD_VERSION,
  type RunRecord,
  type UnmeasuredPoint,
} from "../record.ts";

/** What was measured in the record below. */
export const sampleMeasurement: Measurement = {
  callsPerSample: 10_000,
  latencySeconds: [200e-9, 210e-9, 190e-9, 205e-9, 195e-9, 202e-9],
  control: "ping_pong",
  controlCallsPerSample: 20_000,
  controlSeconds: [100e-9, 105e-9, 95e-9, 102.5e-9, 97.5e-9, 101e-9],
  references: {
    post_message: {
      callsPerSample: 40,
      latencySeconds: [40e-6, 42e-6, 38e-6, 41e-6, 39e-6, 40.4e-6],
    },
  },
  heapGrowthBytesPerCall: 0.25,
  partnerHeapGrowthBytesPerCall: 0.5,
  heapCallCount: 1_000_000,
  stopReason: "samples",
  warnings: [],
};

/** The point and the run of the lines below. */
const context = {
  recordVersion: RECORD_VERSION,
  runId: "sample",
  startedAt: "2026-01-02T03:04:05.678Z",
  seed: 7,
  round: 0,
  scenario: "round_trip",
  question: "What does one synchronous call cost as ports and lanes grow?",
  point: { portCount: 1, laneCount: 1, waiting: "spin+spin" },
  pointId: "portCount=1;laneCount=1;waiting=spin+spin",
  repeatArguments: [
    "--scenario",
    "round_trip",
    "--point",
    "portCount=1;laneCount=1;waiting=spin+spin",
  ],
  machine: {
    cpuModel: "Example 9000",
    coreCount: 2,
    os: "linux",
    arch: "x86_64",
    loadAverage: [0.1, 0.2, 0.3],
    clockStepSeconds: 80e-9,
    denoVersion: "2.9.6",
    v8Version: "15.0",
    commit: "0123456789abcdef0123456789abcdef01234567",
    hasLocalChanges: false,
  },
};

/** A small complete record, to be varied by tests. */
export const sampleRecord: RunRecord = {
  ...context,
  ...sampleMeasurement,
  callsPerTurn: 1,
  targets: roundTrip.targets!,
  hasPairFloor: true,
  hasFixedFloor: true,
};

/** The same point, had the scenario skipped it. */
export const sampleUnmeasured: UnmeasuredPoint = {
  ...context,
  outcome: "skipped",
  reason: "a wave has 2 lanes at least",
};
