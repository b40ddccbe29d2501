import { assert, assertEquals } from "@std/assert";
import type { LibcFunctions } from "../libc_api.ts";

/** A call of a function, and what must come of it. */
export interface LibcCall {
  /** New ones for each call, as some are written. */
  readonly given: () => unknown[];
  readonly check: (result: unknown, given: readonly unknown[]) => void;
}

function gives(given: readonly unknown[], wanted: unknown): LibcCall {
  return { given: () => [...given], check: (result) => assertEquals(result, wanted) };
}

/** For a truth of C: any number but 0. */
function holds(given: readonly unknown[]): LibcCall {
  return { given: () => [...given], check: (result) => assert(result !== 0) };
}

function isIn(given: readonly unknown[], [low, high]: readonly [number, number]): LibcCall {
  return {
    given: () => [...given],
    check: (result) => assert(low <= Number(result) && Number(result) <= high, String(result)),
  };
}

/** For one that writes to its first argument: what it leaves there. */
function writes(given: readonly unknown[], wanted: string, result: unknown = undefined): LibcCall {
  return {
    given: () => given.map((value) => value instanceof Uint8Array ? value.slice() : value),
    check(actual, [target]) {
      assertEquals([decode(target as Uint8Array), actual], [wanted, result]);
    },
  };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function code(letter: string): number {
  return letter.charCodeAt(0);
}

function space(length: number): Uint8Array {
  return new Uint8Array(length);
}

const seconds = Math.floor(Date.now() / 1000);

/** For `clock_gettime` and the like: an object that is filled. */
function timed(check: (seconds: bigint, nanoseconds: bigint) => boolean): LibcCall {
  return {
    given: () => [0, { seconds: -1n, nanoseconds: -1n }],
    check(result, [, time]) {
      const { seconds, nanoseconds } = time as Readonly<Record<string, bigint>>;
      assert(result === 0 && check(seconds!, nanoseconds!), `${seconds} ${nanoseconds}`);
    },
  };
}

/** A call of each function of `libcApi`. */
export const LIBC_CALLS: Readonly<Record<keyof LibcFunctions, LibcCall>> = {
  isalnum: holds([code("7")]),
  isalpha: gives([code("7")], 0),
  isblank: holds([code("\t")]),
  iscntrl: holds([1]),
  isdigit: holds([code("7")]),
  isgraph: gives([code(" ")], 0),
  islower: gives([code("A")], 0),
  isprint: holds([code(" ")]),
  ispunct: holds([code("!")]),
  isspace: holds([code("\n")]),
  isupper: holds([code("A")]),
  isxdigit: gives([code("g")], 0),
  tolower: gives([code("A")], code("a")),
  toupper: gives([255], 255),
  abs: gives([-7], 7),
  labs: gives([-(2n ** 40n)], 2n ** 40n),
  llabs: gives([-7n], 7n),
  div: gives([-17, 5], { quot: -3, rem: -2 }),
  ldiv: gives([2n ** 40n, 3n], { quot: 366503875925n, rem: 1n }),
  lldiv: gives([17n, -5n], { quot: -3n, rem: 2n }),
  ffs: gives([8], 4),
  ffsl: gives([2n ** 40n], 41),
  ffsll: gives([0n], 0),
  htonl: gives([0x010203ff], 0xff030201),
  ntohl: gives([0x80], 0x80000000),
  htons: gives([0x01ff], 0xff01),
  ntohs: gives([0x80], 0x8000),
  atoi: gives([" -42nd"], -42),
  atol: gives(["1099511627776"], 2n ** 40n),
  atoll: gives(["none"], 0n),
  atof: gives(["1e3x"], 1000),
  strtol: gives(["-0x1f", 16], -31n),
  strtoll: gives(["077", 0], 63n),
  strtoul: gives(["zz", 36], 1295n),
  strtoull: gives(["18446744073709551615", 10], 2n ** 64n - 1n),
  strtod: gives(["0x1.8p1"], 3),
  strtof: gives(["0.1"], Math.fround(0.1)),
  strlen: gives(["12 bytes: ä"], 12n),
  strcmp: isIn(["abc", "abd"], [-255, -1]),
  strcasecmp: gives(["ABC", "abc"], 0),
  strcoll: isIn(["b", "a"], [1, 255]),
  strncmp: gives(["abc", "abd", 2n], 0),
  strncasecmp: isIn(["ABD", "abc", 99n], [1, 255]),
  strspn: gives(["aabbc", "ab"], 4n),
  strcspn: gives(["aabbc", "c"], 4n),
  strnlen: gives([encode("ab\0cd"), 5n], 2n),
  strncpy: writes([space(4), "ab", 4n], "ab\0\0"),
  strxfrm: writes([space(4), "ab", 4n], "ab\0\0", 2n),
  strerror: gives([2], "No such file or directory"),
  strsignal: gives([11], "Segmentation fault"),
  memcmp: isIn([encode("ab"), encode("ac"), 2n], [-255, -1]),
  memcpy: writes([space(3), encode("abc"), 3n], "abc"),
  memmove: writes([space(3), encode("xyz"), 3n], "xyz"),
  memset: writes([space(3), code("="), 3n], "==="),
  memfrob: writes([encode("portlab"), 7n], decode(encode("portlab").map((byte) => byte ^ 42))),
  swab: {
    given: () => [encode("abcd"), space(4), 4n],
    check: (_, [, target]) => assertEquals(decode(target as Uint8Array), "badc"),
  },
  qsort: {
    given: () => [bytesOf([2.5, -1, NaN, 0.5]), 4n, 8n, "f64"],
    check: (_, [rows]) => assertEquals(rows, bytesOf([-1, 0.5, 2.5, NaN])),
  },
  rand: isIn([], [0, 2 ** 31 - 1]),
  srand: gives([1], undefined),
  srandom: gives([1], undefined),
  random: isIn([], [0, 2 ** 31 - 1]),
  lrand48: isIn([], [0, 2 ** 31 - 1]),
  mrand48: isIn([], [-(2 ** 31), 2 ** 31 - 1]),
  srand48: gives([1n], undefined),
  drand48: isIn([], [0, 1]),
  time: isIn([], [seconds - 1, seconds + 86_400]),
  clock: isIn([], [1, Number.MAX_SAFE_INTEGER]),
  difftime: gives([2000000000n, 1999999999n], 1),
  getpid: gives([], Deno.pid),
  getppid: gives([], Deno.ppid),
  getpagesize: isIn([], [4096, 65536]),
  get_nprocs: isIn([], [1, 4096]),
  get_nprocs_conf: isIn([], [1, 4096]),
  getuid: gives([], Deno.uid()),
  geteuid: gives([], Deno.uid()),
  getgid: gives([], Deno.gid()),
  getegid: gives([], Deno.gid()),
  getloadavg: {
    given: () => [bytesOf([-1, -1, -1]), 3],
    check(result, [loads]) {
      assertEquals(result, 3);
      const averages = new Float64Array((loads as Uint8Array<ArrayBuffer>).buffer);
      assert(averages.every((one) => one >= 0));
    },
  },
  clock_gettime: timed((at, more) => Math.abs(Number(at) - seconds) < 600 && more < 10n ** 9n),
  clock_getres: timed((whole, more) => whole === 0n && more > 0n),
  sysconf: isIn([30], [4096, 65536]),
  gethostname: {
    given: () => [space(256), 256n],
    check: (result, [name]) =>
      assertEquals(
        `${result} ${decode(name as Uint8Array).replace(/\0.*/, "")}`,
        `0 ${Deno.hostname()}`,
      ),
  },
  getentropy: {
    given: () => [space(64), 64n],
    check: (_, [bytes]) => assert(new Set(bytes as Uint8Array).size > 20),
  },
};

function bytesOf(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}
