import { assert } from "@std/assert";
import type { LibmFunctions } from "../libc_api.ts";
import type { LibcCall } from "./libc_calls.ts";

/** What is given, the result, and what is written by pointers, as `value` of each. */
export type LibmCall = readonly [
  given: readonly number[],
  result: number | bigint | undefined,
  written?: readonly number[],
];

type Name = keyof LibmFunctions & string;
/** The functions in double precision; those with an f behind take and give the same. */
type DoubleName = { [N in Name]: `${N}f` extends Name ? N : never }[Name] | "sincos" | "llrint";

/** From JavaScript where it has the function, else from tables of it; arguments are floats. */
const DOUBLE_CALLS: Readonly<Record<DoubleName, LibmCall>> = {
  acos: [[0.5], Math.acos(0.5)],
  acosh: [[2], Math.acosh(2)],
  asin: [[0.5], Math.asin(0.5)],
  asinh: [[0.5], Math.asinh(0.5)],
  atan: [[0.5], Math.atan(0.5)],
  atanh: [[0.5], Math.atanh(0.5)],
  cbrt: [[27], 3],
  ceil: [[1.25], 2],
  cos: [[0.5], Math.cos(0.5)],
  cosh: [[0.5], Math.cosh(0.5)],
  erf: [[0.5], 0.5204998778130465],
  erfc: [[0.5], 0.4795001221869535],
  exp: [[0.5], Math.exp(0.5)],
  exp10: [[2], 100],
  exp2: [[3], 8],
  expm1: [[0.5], Math.expm1(0.5)],
  fabs: [[-1.5], 1.5],
  floor: [[-1.25], -2],
  j0: [[1], 0.7651976865579666],
  j1: [[1], 0.4400505857449335],
  lgamma: [[4.5], Math.log(11.631728396567448)],
  log: [[2], Math.LN2],
  log10: [[1000], 3],
  log1p: [[0.5], Math.log1p(0.5)],
  log2: [[8], 3],
  logb: [[10], 3],
  nearbyint: [[2.5], 2],
  rint: [[3.5], 4],
  round: [[2.5], 3],
  sin: [[0.5], Math.sin(0.5)],
  sinh: [[0.5], Math.sinh(0.5)],
  sqrt: [[2], Math.SQRT2],
  tan: [[0.5], Math.tan(0.5)],
  tanh: [[0.5], Math.tanh(0.5)],
  tgamma: [[4.5], 11.631728396567448],
  trunc: [[-1.75], -1],
  y0: [[1], 0.08825696421567697],
  y1: [[1], -0.7812128213002887],
  atan2: [[1, 2], Math.atan2(1, 2)],
  copysign: [[3, -0.5], -3],
  fdim: [[5, 3], 2],
  fmax: [[5, 3], 5],
  fmin: [[5, 3], 3],
  fmod: [[7.5, 2], 1.5],
  hypot: [[3, 4], 5],
  nextafter: [[0, -1], -5e-324],
  pow: [[2, 10], 1024],
  remainder: [[5, 3], -1],
  fma: [[2, 3, 4], 10],
  ldexp: [[0.75, 4], 12],
  scalbn: [[0.75, -2], 0.1875],
  ilogb: [[10], 3],
  llrint: [[2.5], 2n],
  llround: [[2.5], 3n],
  lrint: [[-3.5], -4n],
  lround: [[-2.5], -3n],
  frexp: [[48], 0.75, [6]],
  modf: [[3.25], 0.25, [3]],
  remquo: [[7, 2], -1, [4]],
  sincos: [[0.5], undefined, [Math.sin(0.5), Math.cos(0.5)]],
};

/** A call of each function of `libmApi`. */
export const LIBM_CALLS: Readonly<Record<Name, LibmCall>> = {
  ...DOUBLE_CALLS,
  ...Object.fromEntries(
    Object.entries(DOUBLE_CALLS).filter(([name]) => name !== "sincos").map(
      ([name, call]) => [`${name}f`, call],
    ),
  ) as unknown as Readonly<Record<Exclude<Name, DoubleName>, LibmCall>>,
  nextafterf: [[0, -1], -(2 ** -149)],
};

/** Doubles are as near as JavaScript's, whose functions are other ones; floats as near as floats are. */
function precisionOf(name: string): number {
  return name.endsWith("f") && name !== "erf" && name !== "modf" ? 2e-6 : 1e-15;
}

/** The call of a function, with its check. */
export function libmCall(name: string): LibcCall {
  const [given, result, written = []] = LIBM_CALLS[name as Name];
  const precision = precisionOf(name);
  return {
    given: () => [...given, ...written.map(() => ({ value: NaN }))],
    check(actual, values) {
      const outs = values.slice(given.length) as { readonly value: number }[];
      const found = [actual, ...outs.map(({ value }) => value)];
      for (const [index, wanted] of [result, ...written].entries()) {
        assert(isNear(found[index], wanted, precision), `${found[index]} and not ${wanted}`);
      }
    },
  };
}

/** Whether a value is the wanted one, or a number that is not further from it than so many times it. */
export function isNear(value: unknown, wanted: unknown, precision: number): boolean {
  if (typeof wanted !== "number" || typeof value !== "number") return value === wanted;
  return Math.abs(value - wanted) <= Math.abs(wanted) * precision;
}
