import { RECORD_VERSION, type RunRecord, type UnmeasuredPoint } from "../../bench/record/record.ts";
import type { Target } from "../../scenarios/target.ts";
import older from "./older_scenarios.json" with { type: "json" };

/** What records before version 3 leave out of a scenario; it stays as it was when version 3 came. */
interface OlderScenario {
  /** Numbers, or axes whose values count, to be multiplied; one call when absent. */
  readonly callsPerTurn?: readonly (number | string)[];
  readonly mainReference?: string;
  readonly targets?: readonly Target[];
  /** Whether it is no part of `scenarios/`: its module is on the command line. */
  readonly isOutside?: boolean;
}

const SCENARIOS = older.scenarios as unknown as Readonly<Record<string, OlderScenario>>;

/**
 * A line of a records file as version 3 has it. Versions 1 and 2 left it to their readers to know the
 * scenario: of this project's that is kept in `older_scenarios.json`; of others nobody knows it any
 * more, and a warning says so.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { completeOlder } from "./complete_older.ts";
 * const { callsPerTurn: _, ...rest } = sampleRecord;
 * const point = { batchCount: 16, laneCount: 1 };
 * const older = { ...rest, recordVersion: 2, scenario: "gpu_server", point };
 * const completed = completeOlder(older as unknown as typeof sampleRecord);
 * if (!("callsPerTurn" in completed) || completed.callsPerTurn !== 16) throw new Error("a batch");
 * ```
 */
export function completeOlder(line: RunRecord | UnmeasuredPoint): RunRecord | UnmeasuredPoint {
  if (line.recordVersion >= RECORD_VERSION) return line;
  const repeated = { ...line, recordVersion: RECORD_VERSION, repeatArguments: repeatOf(line) };
  if ("outcome" in repeated) return repeated;
  const { scenario, point, control = "", warnings } = repeated;
  const known = scenarioOf(scenario);
  const { callsPerTurn = [], targets = [], mainReference } = known ?? {};
  return {
    ...repeated,
    callsPerTurn: callsPerTurn.reduce<number>(
      (count, factor) => count * Number(typeof factor === "number" ? factor : point[factor]),
      1,
    ),
    targets,
    hasPairFloor: older.pairFloors.includes(control),
    hasFixedFloor: older.fixedFloors.includes(control),
    ...(mainReference !== undefined && { mainReference }),
    warnings: known ? warnings : [...warnings, unknownText(line.recordVersion)],
  };
}

function scenarioOf(name: string): OlderScenario | undefined {
  return Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
}

function unknownText(recordVersion: number): string {
  return `Records of version ${recordVersion} say neither the targets of a scenario nor how many calls ` +
    "a turn of it is: a call is a turn here, and nothing is judged";
}

function repeatOf({ scenario, pointId, commandLine }: RunRecord | UnmeasuredPoint): string[] {
  const known = scenarioOf(scenario);
  const isInside = known !== undefined && known.isOutside !== true;
  const named = isInside ? scenario : onlyModuleOf(commandLine ?? []) ?? scenario;
  return ["--scenario", named, ...pointId === "" ? [] : ["--point", pointId]];
}

/** The only module that the sweep was told to measure. */
function onlyModuleOf(commandLine: readonly string[]): string | undefined {
  const modules = commandLine
    .flatMap((arg, at) =>
      commandLine[at - 1] === "--scenario" ? arg : /^--scenario=(.*)/.exec(arg)?.[1]
    )
    .flatMap((text) => text?.split(",") ?? [])
    .filter((text) => /[/.]/.test(text));
  return modules.length === 1 ? modules[0] : undefined;
}
