import type { RunRecord } from "../../bench/record/record.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";

/**
 * Records of a scenario that compares two ways: `json` takes half of the time of `clone` for one entry,
 * and four times as long for more.
 *
 * @param options `secondsOf` is the time that a round of a way takes in place of that
 */
export function copyRecords(options: {
  readonly entries: readonly number[];
  readonly roundCount: number;
  readonly secondsOf?: (way: string, round: number) => number;
}): RunRecord[] {
  const { entries: sizes, roundCount, secondsOf } = options;
  const { control: _, mainReference: __, ...rest } = sampleRecord;
  const points = sizes.flatMap((entries) => ["clone", "json"].map((way) => ({ entries, way })));
  return points.flatMap(({ entries, way }) =>
    Array.from({ length: roundCount }, (_, round) => {
      const speed = 1 + round / 10; // of the whole machine, as it changes from round to round
      const usual = speed * (way === "clone" ? 1e-6 : entries === 1 ? 5e-7 : 4e-6);
      const seconds = secondsOf?.(way, round) ?? usual;
      return {
        ...rest,
        ...{ round, scenario: "copy", point: { entries, way }, compares: "way", targets: [] },
        question: "What is the cheapest way to copy a message?",
        pointId: `entries=${entries};way=${way}`,
        latencySeconds: [seconds, seconds * 1.01, seconds * 0.99],
        controlSeconds: [],
        references: {},
        hasFixedFloor: false,
      };
    })
  );
}
