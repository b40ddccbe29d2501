/** Compares what two addresses point to, as `qsort` asks; negative, 0 or positive. */
export type Comparison = (left: bigint, right: bigint) => number;

/** How a number is read from an address. */
type Read = (view: Deno.UnsafePointerView) => number | bigint;

/** Numbers that `qsort` can sort, by their names as kinds. */
const NUMBERS: Readonly<Record<string, readonly [bytes: number, read: Read]>> = {
  i8: [1, (view) => view.getInt8()],
  u8: [1, (view) => view.getUint8()],
  i16: [2, (view) => view.getInt16()],
  u16: [2, (view) => view.getUint16()],
  i32: [4, (view) => view.getInt32()],
  u32: [4, (view) => view.getUint32()],
  i64: [8, (view) => view.getBigInt64()],
  u64: [8, (view) => view.getBigUint64()],
  f32: [4, (view) => view.getFloat32()],
  f64: [8, (view) => view.getFloat64()],
};

const sizes = new WeakMap<Comparison, number>();

/**
 * What `libc.qsort` can be given, by name: `i8` to `f64` compare numbers of that type, the smallest
 * first, NaN last.
 */
export const libcCallbacks: Readonly<Record<string, Comparison>> = Object.freeze(
  Object.fromEntries(
    Object.entries(NUMBERS).map(([name, [bytes, read]]) => {
      const compare: Comparison = (left, right) => order(valueAt(left, read), valueAt(right, read));
      sizes.set(compare, bytes);
      return [name, compare];
    }),
  ),
);

function valueAt(address: bigint, read: Read): number | bigint {
  return read(new Deno.UnsafePointerView(Deno.UnsafePointer.create(address)!));
}

/** One order of all values: `qsort` may leave its array where comparisons contradict each other. */
function order(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  if (left > right) return 1;
  return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
}

/**
 * Checks what `qsort` is to compare by: elsewhere C would read beyond the elements.
 *
 * @throws {RangeError} when it compares elements of another size, or is none of {@linkcode libcCallbacks}
 */
export function checkComparison(compare: Comparison, elementBytes: bigint): void {
  const size = sizes.get(compare);
  if (size !== undefined && BigInt(size) === elementBytes) return;
  const demand = size === undefined ? "be one of libcCallbacks" : `be for ${elementBytes} bytes`;
  throw new RangeError(
    `Cannot sort as the comparison must ${demand}: current one is for ${size ?? "unknown"}`,
  );
}
