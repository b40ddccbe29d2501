import {
  type Fns,
  fns,
  type HostApi,
  hostApi,
  pointer,
  type Reference,
  type Scalar,
  type Struct,
  struct,
} from "../../../signature/mod.ts";
import * as s from "../../../signature/mod.ts";

/** A pointer to a number that the function writes. */
export type NumberOut<T extends "i32" | "f32" | "f64"> = Reference<
  "out",
  Struct<{ readonly value: Scalar<T> }>
>;

/** What the lines of {@linkcode LIBM_LINES} have beside scalars. */
export type LibmKinds = {
  readonly outI32: NumberOut<"i32">;
  readonly outF32: NumberOut<"f32">;
  readonly outF64: NumberOut<"f64">;
};

const KINDS: LibmKinds = {
  outI32: pointer("out", struct({ value: s.i32 })),
  outF32: pointer("out", struct({ value: s.f32 })),
  outF64: pointer("out", struct({ value: s.f64 })),
};

/** The forms of {@linkcode libmApi}, as `fns` takes them. */
export const LIBM_LINES = [
  "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor: f64 -> f64",
  "j0 j1 lgamma log log10 log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc y0 y1: f64 -> f64",
  "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder: f64 f64 -> f64",
  "fma: f64 f64 f64 -> f64",
  "ldexp scalbn: f64 i32 -> f64",
  "ilogb: f64 -> i32",
  "llrint llround lrint lround: f64 -> i64",
  "frexp: f64 outI32 -> f64",
  "modf: f64 outF64 -> f64",
  "remquo: f64 f64 outI32 -> f64",
  "sincos: f64 outF64 outF64 -> nothing",
  "acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp10f exp2f expm1f fabsf floorf: f32 -> f32",
  "j0f j1f lgammaf logf log10f log1pf log2f logbf nearbyintf rintf roundf sinf sinhf sqrtf tanf tanhf tgammaf truncf y0f y1f: f32 -> f32",
  "atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf: f32 f32 -> f32",
  "fmaf: f32 f32 f32 -> f32",
  "ldexpf scalbnf: f32 i32 -> f32",
  "ilogbf: f32 -> i32",
  "llrintf llroundf lrintf lroundf: f32 -> i64",
  "frexpf: f32 outI32 -> f32",
  "modff: f32 outF32 -> f32",
  "remquof: f32 f32 outI32 -> f32",
] as const;

/** The functions of {@linkcode libmApi}. */
export type LibmFunctions = Fns<typeof LIBM_LINES[number], LibmKinds>;

/**
 * C's mathematics, in double and in single precision. What a function writes by a pointer is an object
 * with a field `value`. Left out: `jn` and `yn`, which a large order keeps busy for minutes; `long
 * double` and complex numbers.
 *
 * Source: ISO C 2011, 7.12; glibc for `exp10`, `sincos` and the Bessel functions.
 */
export const libmApi: HostApi<LibmFunctions> = hostApi("libm", fns(KINDS, ...LIBM_LINES));
