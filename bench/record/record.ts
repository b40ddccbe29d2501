import type { Point } from "../../scenarios/axis.ts";
import type { Target } from "../../scenarios/scenario.ts";
import type { Machine, Placement } from "../machine/machine.ts";
import type { Noise } from "../machine/noise.ts";
import type { SingleCalls } from "../sample/single_calls.ts";
import type { StopReason } from "../sample/stopping.ts";

/**
 * Grows when a line or a field changes its meaning, not when a field is added: readers ignore unknown
 * fields. Since version 2 a line may be a point without samples; since version 3 a line says how to
 * repeat its point, and a record says of its scenario what a reader has to know.
 */
export const RECORD_VERSION = 3;

/** Versions that this program reads. */
export const READABLE_VERSIONS: readonly number[] = [1, 2, RECORD_VERSION];

/** Raw samples of one trial. */
export interface Samples {
  /** Calls of the batch behind each sample. */
  readonly callsPerSample: number;
  /** Seconds a call, each the mean of a batch, in the order taken. */
  readonly latencySeconds: readonly number[];
}

/** What was measured at one point, without the place and the time. */
export interface Measurement extends Samples {
  /** Name of the control that is the floor; absent when there was none. */
  readonly control?: string;
  /** Calls of the batch behind each sample of the control. */
  readonly controlCallsPerSample?: number;
  /**
   * Samples of the control, in seconds a call; empty without a control. Sample `i` was taken in the
   * same round as `latencySeconds[i]`.
   */
  readonly controlSeconds: readonly number[];
  /** Samples of the other controls, by their names; sample `i` of each is of the same round too. */
  readonly references: Readonly<Record<string, Samples>>;
  /**
   * Bytes that the measuring isolate allocated for each call, whether they were collected later or
   * not. The calls are counted in windows, and this is the least of all windows. Absent when there
   * were too few calls.
   */
  readonly heapGrowthBytesPerCall?: number;
  /** The same of the partner's isolate. */
  readonly partnerHeapGrowthBytesPerCall?: number;
  /** Calls in all windows. */
  readonly heapCallCount?: number;
  /** How long single calls took; absent where there were too few, or calls run side by side. */
  readonly singleCalls?: SingleCalls;
  /** Bytes of payload that a call moves; absent where the scenario is not about throughput. */
  readonly bytesPerCall?: number;
  /**
   * Processor time of a call, of all threads of the process together, in seconds: one for each batch of
   * calls, taken after the samples. Absent where the scenario does not ask for it.
   */
  readonly cpuSecondsPerCall?: readonly number[];
  /**
   * The samples, by their index, in whose turn this thread waited for a processor that others had: the
   * wall clock counted, and the thread did not run. Absent where the system does not say.
   */
  readonly preempted?: readonly number[];
  /** Why sampling ended; absent when another program took the samples. */
  readonly stopReason?: StopReason;
  /** What disturbed the machine meanwhile; absent when another program took the samples. */
  readonly noise?: Noise;
  /** On which processors the two threads were kept; absent when the scheduler chose. */
  readonly placement?: Placement;
  /** Description of the GPU adapter, when one was used. */
  readonly adapter?: string;
  /** What was seen besides the time, and how often; absent where a scenario counts nothing. */
  readonly counts?: Readonly<Record<string, number>>;
  /** What is doubtful about this record, in sentences. */
  readonly warnings: readonly string[];
}

/** Which point a line of a records file is about, and where and when it was visited. */
export interface PointContext {
  /** {@linkcode RECORD_VERSION} of the program that wrote the line. */
  readonly recordVersion: number;
  /** Shared by all records of one invocation. */
  readonly runId: string;
  /** When the invocation began: ISO 8601, UTC. */
  readonly startedAt: string;
  /** Decides the order of the points of the sweep. */
  readonly seed: number;
  /** What the sweep was asked for, word by word; absent when a program asked. */
  readonly commandLine?: readonly string[];
  /** Counts the visits of a point, each in a fresh process, from 0. */
  readonly round: number;
  /** Name of the scenario. */
  readonly scenario: string;
  /** Question of the scenario. */
  readonly question: string;
  /** A value for each axis of the scenario. */
  readonly point: Point;
  /** The same as text: `portCount=1;laneCount=32`. */
  readonly pointId: string;
  /** The module that exports the scenario, as an absolute URL; absent for one of this project. */
  readonly moduleUrl?: string;
  /** What `deno task bench` is told to measure the point again, word by word. */
  readonly repeatArguments: readonly string[];
  /** Where and with which code it was measured. */
  readonly machine: Machine;
}

/** What readers have to know of a scenario: a record is read where nobody has the scenario. */
export interface ScenarioFacts {
  /** Calls in one of what `callsPerSample` counts, where that is a turn; else 1. */
  readonly callsPerTurn: number;
  /** The figures that the scenario is meant to reach. */
  readonly targets: readonly Target[];
  /** Whether the floor is an exchange of two threads: its time tells whether they shared a core. */
  readonly hasPairFloor: boolean;
  /** Whether the floor is the same at all points of the scenario. */
  readonly hasFixedFloor: boolean;
  /** The name of the reference that the answer is a comparison with; absent without one. */
  readonly mainReference?: string;
  /** The axis whose values are compared with each other; absent without one. */
  readonly compares?: string;
  /** What its floor and references are, in a few words; by their names, where they say it. */
  readonly titles?: Readonly<Record<string, string>>;
}

/** One line of a records file: all samples of a point with their context. Times are in seconds. */
export interface RunRecord extends Measurement, PointContext, ScenarioFacts {}

/**
 * A point without samples: a line of a records file, too, so that a point that is missing in a table
 * is explained, and no sweep that goes on later visits it for nothing.
 */
export interface UnmeasuredPoint extends PointContext {
  /** Whether the scenario says that the point means nothing, or measuring it ended with an error. */
  readonly outcome: "skipped" | "failed";
  /** Why, as the scenario or the error says it. */
  readonly reason: string;
}

/** A point as a person names it: `round_trip portCount=1`. */
export function pointName(
  { scenario, pointId }: Pick<PointContext, "scenario" | "pointId">,
): string {
  return `${scenario} ${pointId}`.trim();
}

const UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]] as const;

/** A duration as text, with three significant digits: `251 ns`, `1.20 ms`. */
export function durationText(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size * 0.9995) ?? UNITS.at(-1)!;
  return `${threeDigits(seconds / size)} ${unit}`;
}

/** A number with three significant digits, without an exponent: `0.980`, `12.3`, `4100000`. */
export function threeDigits(value: number): string {
  const text = value.toPrecision(3);
  const [, exponent] = text.split("e-");
  if (exponent !== undefined) return value.toFixed(Math.min(100, Number(exponent) + 2));
  return value >= 1000 || text.includes("e") ? String(Number(text)) : text;
}

/** `2 %` of 0.02, `3.42 %` of 0.0342. */
export function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** A sentence of a part of one: its first letter large, and a full stop. Nothing of nothing. */
export function sentenceOf(part: string): string {
  return part === "" ? "" : `${part[0]!.toUpperCase()}${part.slice(1)}.`;
}

/** `1 round`, `2 rounds`. */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"]] as const;

/** A large number with the prefix that fits: `1.57 GB/s` for `B/s`, `4.98 M/s` for `/s`. */
export function unitText(value: number, unit: string): string {
  const [size, prefix] = PREFIXES.find(([size]) => value >= size * 0.9995) ?? [1, ""];
  return `${threeDigits(value / size)} ${prefix}${unit}`;
}
