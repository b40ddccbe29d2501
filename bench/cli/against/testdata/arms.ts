import type { RunRecord } from "../../../record/record.ts";
import { sampleRecord } from "../../../record/testdata/sample_record.ts";
import { seededRandom } from "../../../sweep/plan_sweep.ts";
import type { ArmRecords } from "../judge_rounds.ts";

/** Arms that scatter from process to process, on a machine that drifts. */
export function armsOf(law: {
  readonly seed: number;
  readonly count: number;
  readonly now?: number;
  readonly again?: number;
  readonly slowed?: number;
  readonly share?: number;
  readonly shared?: number;
  /** By how much samples are longer, by chance: hardly the lowest of them. */
  readonly tail?: number;
  readonly floor?: (round: number, arm: number) => number;
}): ArmRecords[] {
  const { now = 1, again = 1, slowed = 1.05, share = 0.01, shared = 0, tail = 0, floor = () => 1 } =
    law;
  const random = seededRandom(law.seed);
  const spread = (width: number) => Math.exp(width * (random() + random() + random() - 1.5) * 2);
  const recordOf = (factor: number, mode: number): RunRecord => {
    const both = mode * spread(shared);
    const own = factor * both * spread(share);
    return {
      ...sampleRecord,
      latencySeconds: sampleRecord.latencySeconds.map((one) =>
        one * own * (1 + tail * random() ** 8)
      ),
      controlSeconds: sampleRecord.controlSeconds.map((one) => one * both),
    };
  };
  return Array.from({ length: law.count }, (_, round) => {
    const [one, two, three, four] = [1, now, again, slowed]
      .map((factor, arm) =>
        recordOf(factor * (1 + round / 50), floor(round, arm) * (1 + round / 50))
      );
    return { before: one!, now: two!, again: three!, slowed: four! };
  });
}
