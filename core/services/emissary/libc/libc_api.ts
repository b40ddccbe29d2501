import type { HostApi } from "../../../signature/mod.ts";
import type {
  Bytes,
  Callback,
  Constant,
  Fns,
  Nullable,
  Reference,
  Scalar,
  Struct,
  Text,
} from "../../../signature/declaration_types.ts";
import { failing } from "../../../signature/declare/fns.ts";
import * as s from "../../../signature/mod.ts";

/** Quotient and remainder. */
export type Division<T extends "i32" | "i64"> = Struct<
  { readonly quot: Scalar<T>; readonly rem: Scalar<T> }
>;

/** Seconds and nanoseconds. */
export type TimeSpec = Struct<
  { readonly seconds: Scalar<"i64">; readonly nanoseconds: Scalar<"i64"> }
>;

/** What the lines of {@linkcode LIBC_LINES} have beside scalars and texts. */
export type LibcKinds = {
  readonly in1: Bytes<"in">;
  readonly in2: Bytes<"in">;
  readonly out2: Bytes<"out">;
  readonly inout1: Bytes<"inout">;
  readonly inout2: Bytes<"inout">;
  readonly rows: Bytes<"inout">;
  readonly doubles: Bytes<"inout">;
  readonly null: Constant<"usize">;
  readonly divI32: Division<"i32">;
  readonly divI64: Division<"i64">;
  readonly outTime: Reference<"out", TimeSpec>;
  readonly compare: Callback<readonly [Scalar<"usize">, Scalar<"usize">], Scalar<"i32">>;
  readonly text: Nullable<Text>;
};

const KINDS: LibcKinds = {
  // The number in a name is the place of the parameter with the length, in bytes.
  in1: s.bytes("in", s.lengthOf(1)),
  in2: s.bytes("in", s.lengthOf(2)),
  out2: s.bytes("out", s.lengthOf(2)), // all of it is written
  inout1: s.bytes("inout", s.lengthOf(1)), // or not all: what C leaves alone stays
  inout2: s.bytes("inout", s.lengthOf(2)),
  rows: s.bytes("inout", s.lengthOf(1).times(s.lengthOf(2))),
  doubles: s.bytes("inout", s.lengthOf(1).times(8)),
  null: s.constant(s.usize, 0n),
  divI32: s.struct({ quot: s.i32, rem: s.i32 }),
  divI64: s.struct({ quot: s.i64, rem: s.i64 }),
  outTime: s.pointer("out", s.struct({ seconds: s.i64, nanoseconds: s.i64 })),
  compare: s.callback([s.usize, s.usize], s.i32),
  text: s.nullable(s.string),
};

/** The forms of {@linkcode libcApi}, as `fns` takes them. */
export const LIBC_LINES = [
  // A char, which C wants as an int, and looks up in a table: no other number may come.
  "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit: u8 -> i32",
  "tolower toupper: u8 -> i32",
  "abs: i32 -> i32",
  "labs llabs: i64 -> i64",
  "div: i32 i32 -> divI32",
  "ldiv lldiv: i64 i64 -> divI64",
  "ffs: i32 -> i32",
  "ffsl ffsll: i64 -> i32",
  "htonl ntohl: u32 -> u32",
  "htons ntohs: u16 -> u16",
  "atoi: string -> i32",
  "atol atoll: string -> i64",
  "atof: string -> f64",
  "strtol strtoll: string null i32 -> i64",
  "strtoul strtoull: string null i32 -> u64",
  "strtod: string null -> f64",
  "strtof: string null -> f32",
  "strlen: string -> usize",
  "strcmp strcasecmp strcoll: string string -> i32",
  "strncmp strncasecmp: string string usize -> i32",
  "strspn strcspn: string string -> usize",
  "strnlen: in1 usize -> usize",
  "strncpy: out2 string usize -> nothing",
  "strxfrm: inout2 string usize -> usize",
  "strerror: i32 -> string",
  "strsignal: i32 -> text",
  "memcmp: in2 in2 usize -> i32",
  "memcpy memmove: out2 in2 usize -> nothing",
  "memset: out2 i32 usize -> nothing",
  "memfrob: inout1 usize -> nothing",
  "swab: in2 inout2 isize -> nothing",
  "qsort: rows usize usize compare -> nothing",
  "rand: -> i32",
  "srand srandom: u32 -> nothing",
  "random lrand48 mrand48: -> i64",
  "srand48: i64 -> nothing",
  "drand48: -> f64",
  "time: null -> i64",
  "clock: -> i64",
  "difftime: i64 i64 -> f64",
  "getpid getppid getpagesize get_nprocs get_nprocs_conf: -> i32",
  "getuid geteuid getgid getegid: -> u32",
  "getloadavg: doubles i32 -> i32",
] as const;

/** As {@linkcode LIBC_LINES}: those that say by `errno` why they failed. */
export const LIBC_ERRNO_LINES = [
  "clock_gettime clock_getres: i32 outTime -> i32",
  "sysconf: i32 -> i64",
  "gethostname getentropy: inout1 usize -> i32",
] as const;

/** The functions of {@linkcode libcApi}. */
export type LibcFunctions = Fns<
  typeof LIBC_LINES[number] | typeof LIBC_ERRNO_LINES[number],
  LibcKinds
>;

/**
 * Functions of the C library that no use allowed here can make break the host: lengths are those of
 * the arrays, texts end, and no pointer of a caller's is followed.
 *
 * Left out is what returns a pointer into its arguments (`strchr`, `bsearch`), keeps one (`strtok`),
 * writes as much as it likes (`strcpy`, `gets`), changes the process (`setenv`, `signal`, `fork`), or is
 * served more safely elsewhere: files and `printf` by `filesApi`, `exit` and `system` by `processApi`,
 * `getenv` and `sleep` by `systemApi`.
 *
 * `qsort` takes the names of {@linkcode libcCallbacks}. `div`, `ldiv` and `lldiv` refuse what the
 * processor cannot divide, where C ends the process. `strtol` and its like skip `endptr`.
 */
export const libcApi: HostApi<LibcFunctions> = s.hostApi("libc", {
  ...s.fns(KINDS, ...LIBC_LINES),
  ...failing(s.fns(KINDS, ...LIBC_ERRNO_LINES)),
});

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

const LIBM_KINDS: LibmKinds = {
  outI32: s.pointer("out", s.struct({ value: s.i32 })),
  outF32: s.pointer("out", s.struct({ value: s.f32 })),
  outF64: s.pointer("out", s.struct({ value: s.f64 })),
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
export const libmApi: HostApi<LibmFunctions> = s.hostApi(
  "libm",
  s.fns(LIBM_KINDS, ...LIBM_LINES),
);
