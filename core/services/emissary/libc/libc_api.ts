import {
  type Bytes,
  bytes,
  type Callback,
  callback,
  type Constant,
  constant,
  type Fns,
  fns,
  type FunctionSignature,
  type HostApi,
  hostApi,
  lengthOf,
  type Nullable,
  nullable,
  pointer,
  type Reference,
  type Scalar,
  type Struct,
  struct,
  type Text,
} from "../../../signature/mod.ts";
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
  in1: bytes("in", lengthOf(1)),
  in2: bytes("in", lengthOf(2)),
  out2: bytes("out", lengthOf(2)), // all of it is written
  inout1: bytes("inout", lengthOf(1)), // or not all: what C leaves alone stays
  inout2: bytes("inout", lengthOf(2)),
  rows: bytes("inout", lengthOf(1).times(lengthOf(2))),
  doubles: bytes("inout", lengthOf(1).times(8)),
  null: constant(s.usize, 0n),
  divI32: struct({ quot: s.i32, rem: s.i32 }),
  divI64: struct({ quot: s.i64, rem: s.i64 }),
  outTime: pointer("out", struct({ seconds: s.i64, nanoseconds: s.i64 })),
  compare: callback([s.usize, s.usize], s.i32),
  text: nullable(s.string),
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

/** The functions of {@linkcode libcApi}. */
export type LibcFunctions = Fns<typeof LIBC_LINES[number], LibcKinds> & {
  readonly clock_gettime: FunctionSignature<
    readonly [Scalar<"i32">, Reference<"out", TimeSpec>],
    Scalar<"i32">
  >;
  readonly clock_getres: FunctionSignature<
    readonly [Scalar<"i32">, Reference<"out", TimeSpec>],
    Scalar<"i32">
  >;
  readonly sysconf: FunctionSignature<readonly [Scalar<"i32">], Scalar<"i64">>;
  readonly gethostname: FunctionSignature<
    readonly [Bytes<"inout">, Scalar<"usize">],
    Scalar<"i32">
  >;
  readonly getentropy: FunctionSignature<readonly [Bytes<"inout">, Scalar<"usize">], Scalar<"i32">>;
};

const clock = s.fn([s.i32, KINDS.outTime], s.i32, { failsWith: -1 });
const named = s.fn([KINDS.inout1, s.usize], s.i32, { failsWith: -1 });

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
export const libcApi: HostApi<LibcFunctions> = hostApi("libc", {
  ...fns(KINDS, ...LIBC_LINES),
  clock_gettime: clock,
  clock_getres: clock,
  sysconf: s.fn([s.i32], s.i64, { failsWith: -1n }),
  gethostname: named,
  getentropy: named,
});
