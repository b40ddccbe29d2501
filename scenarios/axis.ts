import { knownNames } from "./nearest_name.ts";

/** One value of an axis. Texts hold no blank, `,`, `;` or `=`, which separate values and parts of ids. */
export type AxisValue = number | string;

/** Named values to sweep over; the order of the names is the order in ids, tables and charts. */
export type Axes = Readonly<Record<string, readonly AxisValue[]>>;

/** One value for each axis: a plain object. */
export type Point<A extends Axes = Axes> = { readonly [Name in keyof A]: A[Name][number] };

/**
 * The text that names a point in records, charts, reruns and bug reports: `portCount=1;laneCount=32`.
 *
 * @param axes gives the order of the parts
 * @throws {TypeError} when the point lacks an axis
 */
export function pointId<A extends Axes>(axes: A, point: Point<A>): string {
  return Object.keys(axes).map((name) => {
    const value = point[name];
    if (value !== undefined) return `${name}=${value}`;
    throw new TypeError(`Cannot name the point as it has no value for the axis "${name}"`);
  }).join(";");
}

/**
 * The point that an id names. Number axes take any finite number, text axes only their own values.
 *
 * @throws {SyntaxError} when the text is not an id of these axes, or a value is not one of its axis
 */
export function parsePointId<A extends Axes>(axes: A, id: string): Point<A> {
  const parts = new Map(id.split(";").filter((part) => part !== "").map(splitPart));
  const names = Object.keys(axes);
  for (const name of parts.keys()) {
    if (names.includes(name)) continue;
    throw new SyntaxError(
      `Cannot use the axis "${name}" as there is none of that name: axes are ${
        knownNames(name, names)
      }`,
    );
  }
  const missing = names.find((name) => !parts.has(name));
  if (missing !== undefined) {
    throw new SyntaxError(
      `Cannot read the point id as the axis "${missing}" is missing: current value is "${id}"`,
    );
  }
  return Object.fromEntries(
    names.map((name) => [name, parseAxisValue(axes, { name, text: parts.get(name)! })]),
  ) as Point<A>;
}

function splitPart(part: string): [name: string, text: string] {
  const split = part.indexOf("=");
  if (split > 0) return [part.slice(0, split), part.slice(split + 1)];
  throw new SyntaxError(
    `Cannot read the point id as each part must be name=value: current value is "${part}"`,
  );
}

/**
 * One value of an axis from its text.
 *
 * @throws {SyntaxError} when a number axis is given no finite number, or a text axis an unknown text
 */
export function parseAxisValue(
  axes: Axes,
  part: { readonly name: string; readonly text: string },
): AxisValue {
  const { name, text } = part;
  const known = axes[name]!;
  const isNumeric = typeof known[0] === "number";
  const value = isNumeric && text.trim() !== "" ? Number(text) : text;
  if (takesValue(known, value)) return value;
  const allowed = isNumeric ? "a number" : `one of ${knownNames(text, known.map(String))}`;
  throw new SyntaxError(
    `Cannot use the value of the axis "${name}" as it must be ${allowed}: current value is "${text}"`,
  );
}

/** Whether an axis takes the value: any finite number, or one of its own texts. */
export function takesValue(known: readonly AxisValue[], value: AxisValue): boolean {
  return typeof known[0] === "number" ? Number.isFinite(value) : known.includes(value);
}

/** Every combination of the axes' values, the last axis moving fastest. Lazy. */
export function* allPoints<A extends Axes>(axes: A): Generator<Point<A>> {
  let points: Record<string, AxisValue>[] = [{}];
  for (const [name, values] of Object.entries(axes)) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
  }
  yield* points as Point<A>[];
}

/**
 * The control point, then every other value of each axis, with the other axes left as they are. That
 * is far fewer points than every combination, and each differs from the control point in one axis.
 */
export function* oneAxisAtATime<A extends Axes>(axes: A, control: Point<A>): Generator<Point<A>> {
  yield control;
  for (const [name, values] of Object.entries(axes)) {
    for (const value of values) if (value !== control[name]) yield { ...control, [name]: value };
  }
}
