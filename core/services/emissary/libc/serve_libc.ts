import type { Server } from "../../../toggle/server/server.ts";
import { ApiServer } from "../../../signature/mod.ts";
import { type ServedLibrary, serveLibrary } from "../../library/serve_library.ts";
import { libcApi, libmApi } from "./libc_api.ts";

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

const PACKAGE = { packageHint: "the Debian package libc6: glibc is needed" };

/**
 * Serves C's mathematics.
 *
 * @throws as `serveLibrary`, where glibc is not
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../../mod.ts";
 * import { ApiServer } from "../../../signature/mod.ts";
 * import { serveLibm } from "./serve_libc.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * if (Deno.build.os === "linux") serveLibm(new ApiServer(server));
 * ```
 */
export function serveLibm(server: ApiServer): ServedLibrary {
  return serveLibrary(server, libmApi, { files: ["libm.so.6"], ...PACKAGE });
}

/**
 * Serves functions of the C library.
 *
 * @param server made with `callbacks: libcCallbacks`, where `qsort` is called
 * @throws as `serveLibrary`, where glibc is not
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../../mod.ts";
 * import { ApiServer } from "../../../signature/mod.ts";
 * import { libcCallbacks } from "./serve_libc.ts";
 * import { serveLibc } from "./serve_libc.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * if (Deno.build.os === "linux") serveLibc(new ApiServer(server, { callbacks: libcCallbacks }));
 * ```
 */
export function serveLibc(server: ApiServer): ServedLibrary {
  return serveLibrary(server, libcApi, {
    files: ["libc.so.6"],
    ...PACKAGE,
    checks: {
      div: (numerator, denominator) => checkDivision(BigInt(numerator), BigInt(denominator), 32n),
      ldiv: (numerator, denominator) => checkDivision(numerator, denominator, 64n),
      lldiv: (numerator, denominator) => checkDivision(numerator, denominator, 64n),
      qsort: (_rows, _count, rowBytes, compare) => checkComparison(compare as Comparison, rowBytes),
    },
  });
}

/** Both, for `startServer`: a module with this function, to be run with `--allow-ffi`. */
export function addServices(server: Server): void {
  const api = new ApiServer(server, { callbacks: libcCallbacks });
  serveLibm(api);
  serveLibc(api);
}

/** The processor ends the process for these two. */
function checkDivision(numerator: bigint, denominator: bigint, bits: bigint): void {
  const isTooLarge = denominator === -1n && numerator === -(2n ** (bits - 1n));
  if (denominator !== 0n && !isTooLarge) return;
  throw new RangeError(
    `Cannot divide ${numerator} by ${denominator} as C has no result for it: it would end the process`,
  );
}
