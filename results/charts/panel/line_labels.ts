import { FIELD, type FigureRow } from "./figure_panel.ts";

/** Lines with a label closer than this share of the axis to each other would write over one another. */
const SHARE_MIN = 0.07;

/**
 * Adds its name to the last row of each line, and a height at which it keeps clear of other names.
 *
 * @param options `place` and `series` are fields of the rows, `isLog` that of the axis of figures
 */
export function withLineLabels(
  rows: readonly FigureRow[],
  options: {
    readonly place: string;
    readonly series: string;
    readonly isLog: boolean;
    readonly nameOf: (row: FigureRow) => string;
  },
): FigureRow[] {
  const { place, series, isLog, nameOf } = options;
  const last = new Map<unknown, FigureRow>();
  for (const row of rows) {
    const known = last.get(row[series]);
    if (!known || Number(row[place]) >= Number(known[place])) last.set(row[series], row);
  }
  const [toAxis, fromAxis] = isLog ? [Math.log, Math.exp] : [Number, Number];
  const heights = rows.flatMap((row) => [row[FIELD.lo], row[FIELD.hi]]).map((at) =>
    toAxis(Number(at))
  );
  const gap = SHARE_MIN * (Math.max(...heights) - (isLog ? Math.min(...heights) : 0));
  const ends = [...last.values()].toSorted((left, right) =>
    Number(left[FIELD.center]) - Number(right[FIELD.center])
  );
  const at = spread(ends.map((row) => toAxis(Number(row[FIELD.center]))), gap).map(fromAxis);
  return rows.map((row) => {
    const end = ends.indexOf(row);
    return end < 0 ? row : { ...row, [FIELD.label]: nameOf(row), [FIELD.labelAt]: at[end]! };
  });
}

/** Moves ascending heights up until each is at least a gap above the one before. */
function spread(heights: readonly number[], gap: number): number[] {
  const moved: number[] = [];
  for (const height of heights) {
    moved.push(Math.max(height, (moved.at(-1) ?? -Infinity) + gap));
  }
  return moved;
}
