/** A grid that several processes relax together: its numbers, and the same by one process alone. */

/** The whole grid. */
export const ROWS = 24;
export const COLUMNS = 32;
export const STEPS = 12;

/** What stands in the grid first: the first and the last column stay so. Exact as a float. */
export function startValue(row: number, column: number): number {
  if (column === 0) return 1;
  return column === COLUMNS - 1 ? row / 8 : 0;
}

/** A step for the rows of a process, whose array has a row of its neighbours before and behind. */
export function step(
  from: Float64Array,
  to: Float64Array,
  round: (value: number) => number = (value) => value,
): void {
  for (let at = COLUMNS; at < from.length - COLUMNS; at++) {
    const column = at % COLUMNS;
    const isEdge = column === 0 || column === COLUMNS - 1;
    const vertical = round(from[at - COLUMNS]! + from[at + COLUMNS]!);
    const horizontal = round(from[at - 1]! + from[at + 1]!);
    to[at] = isEdge ? from[at]! : round(vertical + horizontal) / 4;
  }
}

/** Rows of a process before the first step, with its neighbours' rows, which are 0 so far. */
export function startRows(firstRow: number, rowCount: number): Float64Array<ArrayBuffer> {
  const rows = new Float64Array((rowCount + 2) * COLUMNS);
  for (let row = 0; row < rowCount; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      rows[(row + 1) * COLUMNS + column] = startValue(firstRow + row, column);
    }
  }
  return rows;
}

/** The whole grid after all steps. Above and below it is 0. */
export function serialGrid(round?: (value: number) => number): Float64Array {
  let [from, to] = [startRows(0, ROWS), startRows(0, ROWS)];
  for (let index = 0; index < STEPS; index++) {
    step(from, to, round);
    [from, to] = [to, from];
  }
  return from.slice(COLUMNS, -COLUMNS);
}
