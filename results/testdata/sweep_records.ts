import type { RunRecord } from "../../bench/record/record.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";

/** Records of a small sweep: ports by lanes, two more ways of waiting, one and eight clients. */
export function sweepRecords(): RunRecord[] {
  const grid = [1, 64, 4096].flatMap((portCount) =>
    [1, 32].map((laneCount) => tripAt({ portCount, laneCount, waiting: "spin+spin" }))
  );
  const waits = ["adaptive+adaptive", "park+park"].map((waiting) =>
    tripAt({ portCount: 1, laneCount: 1, waiting })
  );
  return [...grid, ...waits, clientsAt(1), clientsAt(8)];
}

function tripAt(point: { portCount: number; laneCount: number; waiting: string }): RunRecord {
  const factor = 1 + point.laneCount / 40 + Math.log2(point.portCount) / 50 +
    (point.waiting === "park+park" ? 60 : 0);
  const latencySeconds = sampleRecord.latencySeconds.map((seconds) => seconds * factor);
  return { ...sampleRecord, point, pointId: idOf(point), latencySeconds };
}

function clientsAt(clientCount: number): RunRecord {
  const point = { clientCount, portCount: 64, waiting: "adaptive" };
  const latencySeconds = sampleRecord.latencySeconds.map((seconds) => seconds * 0.8);
  return {
    ...sampleRecord,
    scenario: "many_clients",
    question: "How many calls a second does one server take from several clients?",
    point,
    pointId: idOf(point),
    mainReference: "one_client",
    references: { one_client: { callsPerSample: 10_000, latencySeconds } },
  };
}

function idOf(point: RunRecord["point"]): string {
  return Object.entries(point).map(([name, value]) => `${name}=${value}`).join(";");
}
