import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import schema from "../../bench/record/record_schema.json" with { type: "json" };
import { READABLE_VERSIONS, type RunRecord } from "../../bench/record/record.ts";

/** The first characters of a value that an error shows. */
const SHOWN_MAX = 60;

let validate: ValidateFunction | undefined;

/**
 * Why a line of a records file is of no use to a reader: the part that is not as the schema of records
 * (`bench/record/record_schema.json`) says. What the schema does not know is ignored.
 *
 * @returns a part of a sentence; undefined for a record, or a point without samples, that is right
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { recordProblem } from "./record_problem.ts";
 * if (recordProblem(sampleRecord) !== undefined) throw new Error("as it is written");
 * const problem = recordProblem({ ...sampleRecord, latencySeconds: [1e-7, null] });
 * if (problem !== "latencySeconds[1] must be number: it is null") throw new Error(problem);
 * ```
 */
export function recordProblem(record: unknown): string | undefined {
  if (typeof record !== "object" || record === null) return "it is not an object";
  const { recordVersion } = record as Partial<RunRecord>;
  if (!READABLE_VERSIONS.includes(recordVersion ?? 0)) {
    const versions = READABLE_VERSIONS.join(" or ");
    return `its recordVersion must be ${versions}: current value is ${recordVersion}`;
  }
  // Compiled when the first record is read: most programs that import this read none.
  validate ??= new Ajv2020({ allowUnionTypes: true, verbose: true }).compile(schema);
  if (!validate(record)) return schemaProblem(validate.errors![0]!);
  return "outcome" in record ? undefined : pairProblem(record as RunRecord);
}

function schemaProblem({ instancePath, message, params, data }: ErrorObject): string {
  const path = instancePath.replace(/\/(\d+)/g, "[$1]").replaceAll("/", ".").slice(1);
  const { missingProperty: missing } = params;
  if (missing !== undefined) return `${path === "" ? "" : `${path}.`}${missing} is missing`;
  const allowed = params.allowedValues === undefined
    ? ""
    : `, ${params.allowedValues.join(" or ")}`;
  const shown = JSON.stringify(data).slice(0, SHOWN_MAX);
  return `${path || "it"} ${message}${allowed}: it is ${shown}`;
}

/** Samples of controls belong to those of the trial one by one. */
function pairProblem({ latencySeconds, controlSeconds, references }: RunRecord) {
  const samples: readonly (readonly [name: string, seconds: readonly number[]])[] = [
    ["controlSeconds", controlSeconds],
    ...Object.entries(references).map(([name, one]) =>
      [`the samples of "${name}"`, one.latencySeconds] as const
    ),
  ];
  const odd = samples.find(([, { length }]) => length > 0 && length !== latencySeconds.length);
  return odd && `${odd[0]} must be as many numbers as latencySeconds, or none: there are ` +
      `${odd[1].length} and ${latencySeconds.length}`;
}
