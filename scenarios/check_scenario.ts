import type { Axes, Point } from "./axis.ts";
import { knownNames } from "./nearest_name.ts";
import {
  type Control,
  controlsOf,
  type Figure,
  type Scenario,
  type Target,
  type Trial,
} from "./scenario.ts";

const NAME = /^[a-z][a-z0-9_]*$/;

/** What is asked of a scenario, with the sentence that says so. */
const PARTS: readonly (readonly [part: string, isRight: (one: Scenario) => boolean])[] = [
  [
    'its name must be small letters, digits and "_"',
    ({ name }) => matches(name, NAME),
  ],
  ["its question must end with a question mark", ({ question }) => matches(question, /\?$/)],
  [
    "its axes must be lists of numbers, or of texts without blanks, ',', ';' and '=', each with a value",
    ({ axes }) => areAxes(axes),
  ],
  [
    'the names of its axes must be letters, digits and "_", and no name that every object has',
    ({ axes }) => Object.keys(axes).every(isAxisName),
  ],
  ["its setup must be a function", ({ setup }) => typeof setup === "function"],
  [
    "its points, usualPoints, skip, callsPerTurn and bytesPerCall must be functions where it has them",
    ({ points, usualPoints, skip, callsPerTurn, bytesPerCall }) =>
      [points, usualPoints, skip, callsPerTurn, bytesPerCall].every((part) =>
        part === undefined || typeof part === "function"
      ),
  ],
  ["its references must be a list", ({ references = [] }) => Array.isArray(references)],
  [
    'its floor and references must each have a setup, and a name of small letters, digits and "_"',
    (scenario) => controlsOf(scenario).every(isControl),
  ],
  [
    "its references must have different names",
    ({ references = [] }) => new Set(references.map(({ name }) => name)).size === references.length,
  ],
  [
    "its mainReference must be the name of one of its references",
    ({ mainReference, references = [] }) =>
      mainReference === undefined || references.some(({ name }) => name === mainReference),
  ],
  [
    "its targets must be a list, each with a text, where, a figure that there is, a bound and a limit",
    ({ targets = [] }) => Array.isArray(targets) && targets.every(isTarget),
  ],
];

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** Every kind of figure, with the fields that it needs besides. */
const FIGURES: Readonly<
  Record<Figure["kind"], Readonly<Record<string, (value: unknown) => boolean>>>
> = {
  timesFloor: {},
  heapGrowth: {},
  counted: { count: isText },
  secondsOverFloor: {},
  callsPerSecond: {},
  timesFasterThan: { reference: isText },
  meanTimesReference: { reference: isText, pointCount: Number.isFinite },
  timesPoint: { point: isWhere },
  timesFasterThanPoint: { point: isWhere },
};

/** Targets travel in records, whose readers trust them. */
function isTarget(target: Target | null): boolean {
  const { text, where, figure, bound, limit } = target ?? {} as Target;
  return typeof text === "string" && isWhere(where) && isFigure(figure) &&
    ["at most", "at least"].includes(bound) && Number.isFinite(limit);
}

function isFigure(figure: Figure | undefined | null): boolean {
  if (!figure || !Object.hasOwn(FIGURES, figure.kind)) return false;
  const fields = figure as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(FIGURES[figure.kind]).every(([name, isRight]) => isRight(fields[name]));
}

function isWhere(where: unknown): boolean {
  return typeof where === "object" && where !== null && Object.values(where).every(isAxisValue);
}

/** Names of axes are fields of rows: charts read other characters as a path. */
function isAxisName(name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name) && !(name in {});
}

function isControl({ name, setup }: Control): boolean {
  return matches(name, NAME) && typeof setup === "function";
}

function matches(text: unknown, pattern: RegExp): boolean {
  return typeof text === "string" && pattern.test(text);
}

function areAxes(axes: unknown): boolean {
  return typeof axes === "object" && axes !== null && Object.values(axes).every(areValues);
}

/** Texts stand in ids, between `=` and `;`. */
function areValues(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0 && values.every(isAxisValue);
}

function isAxisValue(value: unknown): boolean {
  return Number.isFinite(value) || (typeof value === "string" && !/[;=,\s]|^$/.test(value));
}

/**
 * Whether an object that a module exports is a scenario: its types are not checked where it comes
 * from elsewhere.
 *
 * @throws {TypeError} which names the module and the part that is missing
 */
export function checkScenario(scenario: Scenario, moduleUrl: string): void {
  for (const [part, isRight] of PARTS) {
    if (isRight(scenario)) continue;
    throw new TypeError(
      `Cannot use a scenario of ${moduleUrl} as ${part}: it is called "${scenario.name}"`,
    );
  }
  checkCompared(scenario, moduleUrl);
}

function checkCompared({ name, axes, compares }: Scenario, moduleUrl: string): void {
  if (compares === undefined) return;
  const known = Object.keys(axes).filter((axis) => axes[axis]!.length > 1);
  if (known.includes(compares)) return;
  throw new TypeError(
    `Cannot use a scenario of ${moduleUrl} as its compares must be one of its axes with several ` +
      `values, which are ${knownNames(String(compares), known)}: current value is ` +
      `"${compares}", and it is called "${name}"`,
  );
}

/**
 * What a scenario or a control prepares at a point, when it has the parts of a trial.
 *
 * @throws {TypeError} which names whose trial it is, when it has not
 */
export function checkTrial(trial: Trial, name: string): Trial {
  const { run, adapter, [Symbol.asyncDispose]: dispose } = (trial ?? {}) as Partial<Trial>;
  if (!["undefined", "string"].includes(typeof adapter)) {
    throw new TypeError(`Cannot measure ${name} as the adapter of its trial must be a text`);
  }
  if (typeof run === "function" && typeof dispose === "function") return trial;
  throw new TypeError(
    `Cannot measure ${name} as its setup must resolve to an object with the functions run and ` +
      `[Symbol.asyncDispose]: it resolved to ${trial === null ? "null" : typeof trial}`,
  );
}

/**
 * Whether what a scenario says of a point can be counted with.
 *
 * @throws {RangeError} when a turn holds no call, or bytes or calls are no number
 */
export function checkPoint<A extends Axes>(scenario: Scenario<A>, point: Point<A>): void {
  const { name, bytesPerCall, callsPerTurn } = scenario;
  const [bytes, calls] = [bytesPerCall?.(point) ?? 0, callsPerTurn?.(point) ?? 1];
  if (!(bytes >= 0 && bytes < Infinity)) {
    throw new RangeError(
      `Cannot measure ${name} as its bytesPerCall must be at least 0: current value is ${bytes}`,
    );
  }
  if (calls > 0 && calls < Infinity) return;
  throw new RangeError(
    `Cannot measure ${name} as its callsPerTurn must be more than 0: current value is ${calls}`,
  );
}
