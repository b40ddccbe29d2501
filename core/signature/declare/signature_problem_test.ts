import { assertEquals, assertThrows } from "@std/assert";
import * as kind from "./kind.ts";
import { lengthOf } from "./length.ts";
import { fn, type FunctionOptions } from "./signature.ts";
import { signatureProblem } from "./signature_problem.ts";

const { bytes, ends, f32, f64, handle, i32, i64, nothing, nullable, pointer, string } = kind;
const { struct, u64, u8 } = kind;

function problem(
  parameters: readonly kind.Parameter[],
  result: kind.Result = nothing,
  options: FunctionOptions = {},
) {
  return signatureProblem({ parameters, result, ...options });
}

Deno.test("signatureProblem() finds nothing in what makes sense", () => {
  const point = struct({ x: f64, at: struct({ y: u8 }) });
  const byBoth = lengthOf(5, "at.y").times(lengthOf(1));
  const parameters = [
    ...[bytes("in", lengthOf(1)), kind.constant(i32, 5), bytes("out", lengthOf(3, "at.y"))],
    ...[pointer("inout", point), nullable(bytes("in", byBoth)), point, handle("F|G")],
    ...[ends("F|G"), kind.variadic],
  ];
  assertEquals(problem(parameters, point), undefined);
  assertEquals(problem([], nullable(string), { failsWith: null }), undefined);
  const failures = [[i32, -1], [i64, -1n], [f64, NaN], [f32, 0.5], [handle("F"), 0]] as const;
  for (const [result, failsWith] of failures) {
    assertEquals(problem([], result, { failsWith }), undefined);
  }
  for (const options of [{ when: 0 }, { unless: -1 }]) {
    assertEquals(problem([ends("F", options)], i32), undefined);
  }
  assertEquals(problem([ends("F", { unless: null })], nullable(string)), undefined);
});

Deno.test("signatureProblem() says which length makes no sense", () => {
  const size = struct({ value: u64, ratio: f64, at: struct({ size: u8 }) });
  const none = "which is no unsigned or signed integer";
  const late = 'which has no value before the call: declare the pointer "inout"';
  const field = 'which is a struct: name the field, as in lengthOf(1, "value")';
  const maybe = nullable(pointer("in", size));
  const product = lengthOf(1, "value").times(lengthOf(1, "ratio"));
  const lengths: readonly (readonly [ReturnType<typeof lengthOf>, kind.Parameter, string])[] = [
    [lengthOf(1), f64, `1, ${none}`],
    [lengthOf(0), i32, `0, ${none}`],
    [lengthOf(9), i32, `9, ${none}`],
    [lengthOf(1), kind.constant(kind.bool, true), `1, ${none}`],
    [lengthOf(1), size, `1, ${field}`],
    [lengthOf(1), pointer("inout", size), "1, which is a struct: name the field"],
    [lengthOf(1, "value"), i32, "1.value, which has no fields"],
    [lengthOf(2, "value"), i32, "2.value, which has no fields"],
    [lengthOf(1, "value"), pointer("out", size), `1.value, ${late}`],
    [lengthOf(1, "value"), maybe, "1.value, which may be null and says nothing then"],
    [lengthOf(1, "other"), size, `1.other, ${none}`],
    [lengthOf(1, "constructor"), size, `1.constructor, ${none}`],
    [lengthOf(1, ""), size, `1., ${none}`],
    [lengthOf(1, "ratio"), size, `1.ratio, ${none}`],
    [lengthOf(1, "at"), size, `1.at, ${none}`],
    [lengthOf(1, "at.size.more"), size, `1.at.size.more, ${none}`],
    [product, size, `1.ratio, ${none}`],
  ];
  for (const [length, parameter, text] of lengths) {
    for (const array of [bytes("in", length), nullable(bytes("out", length))]) {
      const whole = `parameter 0 takes its length from parameter ${text}`;
      assertEquals(problem([array, parameter])?.startsWith(whole), true, whole);
    }
  }
});

/** Of which result a handle's end, or a failure, cannot be. */
const ENDS: readonly (readonly [kind.EndOptions, kind.Result])[] = [
  ...[[{ when: 0 }, nothing], [{ when: 0n }, i32], [{ when: null }, i32]] as const,
  ...[[{ unless: null }, handle("F")], [{ when: 256 }, u8], [{ unless: 0 }, string]] as const,
];
const SEEN = "left out, or null where it may be null";
const INTEGER = "an integer from -2147483648 to 2147483647";
const FAILURES = [
  [nothing, -1, SEEN],
  [string, 0, SEEN],
  [nullable(handle("F")), 0, SEEN],
  [struct({ x: u8 }), 0, SEEN],
  [i32, -1n, INTEGER],
  [i32, 0.5, INTEGER],
  [u8, -1, "an integer from 0 to 255"],
  [f32, 0.1, "a number"],
  [kind.bool, 0, "a boolean"],
  [handle("F"), -1, "a handle"],
] as const;

Deno.test("signatureProblem() says what makes no sense together", () => {
  assertEquals(problem([kind.variadic, i32]), "parameter 0 is variadic and not the last");
  assertEquals(problem([], ends("F")), "a result ends no handle");
  assertEquals(problem([], nullable(ends("F"))), "a result ends no handle");
  assertEquals(problem([], handle("F|G")), "a result is a handle of one name");
  for (const [options, result] of ENDS) {
    const whole = `parameter 0 ends by a result that is none: ${Object.values(options)[0]}`;
    assertEquals(problem([nullable(ends("F", options))], result), whole);
  }
  for (const [result, failsWith, demand] of FAILURES) {
    const whole = `a failed call cannot return ${failsWith}: with this result it must be ${demand}`;
    assertEquals(problem([], result, { failsWith }), whole);
  }
  const never = "a result that is never null fails so: declare it nullable";
  assertEquals(problem([], i32, { failsWith: null }), never);
});

Deno.test("fn() names what it is not given right", () => {
  const results =
    "the result must be one of scalar, nothing, string, struct, handle: current value";
  const options = "its options are { failsWith, meaningOf, blocking }: current value is -1";
  const cases: readonly (readonly [unknown[], string])[] = [
    [[[i32, null], nothing], "parameter 1 must be one of scalar, string, bytes,"],
    [[[, i32], nothing], "parameter 0 must be one of"], // deno-lint-ignore no-sparse-arrays
    [[[{ kind: "reference", direction: "out", struct: i32 }], i32], "points at what must be"],
    [[[nothing], nothing], "current value is nothing, leave it out"],
    [[[i32]], `${results} is undefined`],
    [[[], bytes("out")], "the result must be one of"],
    [[i32, i32], "the parameters must be an array: current value is"],
    [[undefined, i32], "the parameters must be an array: current value is undefined"],
    [[[], i32, -1], options],
    [[[], i32, null], "current value is null"],
    [[[], i32, { failWith: -1 }], "current value is failWith"],
    [[[], i32, { meaningOf: "x" }], "meaningOf must be a function of the error's number"],
  ];
  for (const [given, text] of cases) {
    assertThrows(() => (fn as (...given: unknown[]) => unknown)(...given), TypeError, text);
  }
});
