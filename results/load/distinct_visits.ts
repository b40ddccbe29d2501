import type { RunRecord } from "../../bench/record/record.ts";
import { visitId } from "../../bench/sweep/run_sweep.ts";
import type { Loaded } from "./load.ts";

/**
 * Records of which none is there twice, as it is when a merged file is loaded beside its parts: a visit
 * that counted as two rounds would make an interval narrower than the truth.
 *
 * @returns the same, with a note on records that were left out, and one on visits whose records differ,
 * which stay: nobody knows which is right
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { distinctVisits } from "./distinct_visits.ts";
 * const records = [sampleRecord, { ...sampleRecord }, { ...sampleRecord, round: 1 }];
 * const loaded = distinctVisits({ records, unmeasured: [], problems: [] });
 * if (loaded.records.length !== 2) throw new Error("two visits");
 * ```
 */
export function distinctVisits(loaded: Loaded): Loaded & { readonly notes: readonly string[] } {
  const visits = Map.groupBy(loaded.records, (record) => `${record.runId} ${visitId(record)}`);
  const several = [...visits.values()].filter(({ length }) => length > 1).map(distinct);
  const differing = several.filter(({ kept }) => kept.length > 1);
  const repeated = new Set(several.flatMap(({ repeated }) => repeated));
  return {
    ...loaded,
    records: loaded.records.filter((record) => !repeated.has(record)),
    notes: [
      ...repeated.size === 0 ? [] : [`${repeated.size} records were there twice and count once`],
      ...differing.length === 0 ? [] : [
        `${differing.length} visits were measured more than once, such as ` +
        `${visitId(differing[0]!.kept[0]!)}: each counts as a round of its own`,
      ],
    ],
  };
}

function distinct(records: readonly RunRecord[]) {
  const kept = [...new Map(records.map((record) => [JSON.stringify(record), record])).values()];
  return { kept, repeated: records.filter((record) => !kept.includes(record)) };
}
