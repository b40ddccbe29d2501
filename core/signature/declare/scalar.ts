/** Bytes of each scalar in C; `usize` and `isize` are those of a machine of 64 bits. */
export const SCALAR_BYTES = {
  bool: 1,
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  f32: 4,
  i64: 8,
  u64: 8,
  isize: 8,
  usize: 8,
  f64: 8,
} as const;
/** The name of a scalar. */
export type ScalarName = keyof typeof SCALAR_BYTES;

/** A number, or a truth value. */
export interface Scalar<T extends ScalarName = ScalarName> {
  /** Tells the kinds apart. */
  readonly kind: "scalar";
  /** Which one. */
  readonly type: T;
}

function scalar<T extends ScalarName>(type: T): Scalar<T> {
  return Object.freeze({ kind: "scalar", type });
}

/** C's `bool`. */
export const bool: Scalar<"bool"> = scalar("bool");
/** `int8_t`. */
export const i8: Scalar<"i8"> = scalar("i8");
/** `uint8_t`. */
export const u8: Scalar<"u8"> = scalar("u8");
/** `int16_t`. */
export const i16: Scalar<"i16"> = scalar("i16");
/** `uint16_t`. */
export const u16: Scalar<"u16"> = scalar("u16");
/** `int32_t`, C's `int`. */
export const i32: Scalar<"i32"> = scalar("i32");
/** `uint32_t`. */
export const u32: Scalar<"u32"> = scalar("u32");
/** `int64_t`; a bigint. */
export const i64: Scalar<"i64"> = scalar("i64");
/** `uint64_t`; a bigint. */
export const u64: Scalar<"u64"> = scalar("u64");
/** `ptrdiff_t`; a bigint. */
export const isize: Scalar<"isize"> = scalar("isize");
/** `size_t`; a bigint. */
export const usize: Scalar<"usize"> = scalar("usize");
/** `float`. */
export const f32: Scalar<"f32"> = scalar("f32");
/** `double`. */
export const f64: Scalar<"f64"> = scalar("f64");
