import { assertEquals, assertThrows } from "@std/assert";
import * as kind from "./kind.ts";
import { lengthOf } from "./length.ts";
import { fn, type FunctionOptions } from "./signature.ts";
import { signatureProblem } from "./signature_problem.ts";

const { f32, f64, i32, i64, nothing, u8 } = kind;

function problem(
  parameters: readonly kind.Parameter[],
  result: kind.Result = nothing,
  options: FunctionOptions = {},
) {
  return signatureProblem({ parameters, result, ...options });
}

Deno.test("signatureProblem() finds nothing in what makes sense", () => {
  const point = kind.struct({ x: f64, at: kind.struct({ y: u8 }) });
  const parameters = [
    kind.bytes("in", lengthOf(1)),
    kind.constant(i32, 5),
    kind.bytes("out", lengthOf(3, "at.y")),
    kind.pointer("inout", point),
    kind.nullable(kind.bytes("in", lengthOf(5, "at.y").times(lengthOf(1)))),
    point,
    kind.handle("F|G"),
    kind.ends("F|G"),
    kind.variadic,
  ];
  assertEquals(problem(parameters, point), undefined);
  assertEquals(problem([], kind.nullable(kind.string), { failsWith: null }), undefined);
  const failures = [[i32, -1], [i64, -1n], [f64, NaN], [f32, 0.5], [kind.handle("F"), 0]] as const;
  for (const [result, failsWith] of failures) {
    assertEquals(problem([], result, { failsWith }), undefined);
  }
});

Deno.test("signatureProblem() says what makes no sense together", () => {
  const size = kind.struct({ value: kind.u64, ratio: f64, at: kind.struct({ size: u8 }) });
  const none = "which is no unsigned or signed integer";
  const lengths: readonly (readonly [ReturnType<typeof lengthOf>, kind.Parameter, string])[] = [
    [lengthOf(1), f64, `1, ${none}`],
    [lengthOf(0), i32, `0, ${none}`],
    [lengthOf(9), i32, `9, ${none}`],
    [lengthOf(1), kind.constant(kind.bool, true), `1, ${none}`],
    [lengthOf(1), size, '1, which is a struct: name the field, as in lengthOf(1, "value")'],
    [lengthOf(1), kind.pointer("inout", size), "1, which is a struct: name the field"],
    [lengthOf(1, "value"), i32, "1.value, which has no fields"],
    [lengthOf(2, "value"), i32, "2.value, which has no fields"],
    [
      lengthOf(1, "value"),
      kind.pointer("out", size),
      '1.value, which has no value before the call: declare the pointer "inout"',
    ],
    [
      lengthOf(1, "value"),
      kind.nullable(kind.pointer("in", size)),
      "1.value, which may be null and says nothing then",
    ],
    [lengthOf(1, "other"), size, `1.other, ${none}`],
    [lengthOf(1, "constructor"), size, `1.constructor, ${none}`],
    [lengthOf(1, ""), size, `1., ${none}`],
    [lengthOf(1, "ratio"), size, `1.ratio, ${none}`],
    [lengthOf(1, "at"), size, `1.at, ${none}`],
    [lengthOf(1, "at.size.more"), size, `1.at.size.more, ${none}`],
    [lengthOf(1, "value").times(lengthOf(1, "ratio")), size, `1.ratio, ${none}`],
  ];
  for (const [length, parameter, text] of lengths) {
    for (const array of [kind.bytes("in", length), kind.nullable(kind.bytes("out", length))]) {
      const whole = `parameter 0 takes its length from parameter ${text}`;
      assertEquals(problem([array, parameter])?.startsWith(whole), true, whole);
    }
  }
  assertEquals(problem([kind.variadic, i32]), "parameter 0 is variadic and not the last");
  assertEquals(problem([], kind.ends("F")), "a result ends no handle");
  assertEquals(problem([], kind.nullable(kind.ends("F"))), "a result ends no handle");
  const kept: readonly (readonly [kind.EndOptions, kind.Result])[] = [
    [{ when: 0 }, nothing],
    [{ when: 0n }, i32],
    [{ when: null }, i32],
    [{ unless: null }, kind.handle("F")],
    [{ when: 256 }, u8],
    [{ unless: 0 }, kind.string],
  ];
  for (const [options, result] of kept) {
    const [value] = Object.values(options);
    const whole = `parameter 0 ends by a result that is none: ${value}`;
    assertEquals(problem([kind.nullable(kind.ends("F", options))], result), whole);
  }
  for (const options of [{ when: 0 }, { unless: -1 }]) {
    assertEquals(problem([kind.ends("F", options)], i32), undefined);
  }
  assertEquals(problem([kind.ends("F", { unless: null })], kind.nullable(kind.string)), undefined);
  assertEquals(problem([], kind.handle("F|G")), "a result is a handle of one name");
});

Deno.test("fn() names what it is not given right", () => {
  const cases: readonly (readonly [unknown[], string])[] = [
    [[[i32, null], nothing], "parameter 1 must be one of scalar, string, bytes,"],
    [[[, i32], nothing], "parameter 0 must be one of"], // deno-lint-ignore no-sparse-arrays
    [[[{ kind: "reference", direction: "out", struct: i32 }], i32], "points at what must be"],
    [[[nothing], nothing], "current value is nothing, leave it out"],
    [
      [[i32]],
      "the result must be one of scalar, nothing, string, struct, handle: current value is undefined",
    ],
    [[[], kind.bytes("out")], "the result must be one of"],
    [[i32, i32], "the parameters must be an array: current value is"],
    [[undefined, i32], "the parameters must be an array: current value is undefined"],
    [[[], i32, -1], "its options are { failsWith, meaningOf, blocking }: current value is -1"],
    [[[], i32, null], "current value is null"],
    [[[], i32, { failWith: -1 }], "current value is failWith"],
    [[[], i32, { meaningOf: "x" }], "meaningOf must be a function of the error's number"],
  ];
  for (const [given, text] of cases) {
    assertThrows(
      () => (fn as (...given: unknown[]) => unknown)(...given),
      TypeError,
      text,
    );
  }
});

Deno.test("signatureProblem() refuses a failure that its caller would not see", () => {
  const cases = [
    [nothing, -1, "left out, or null where it may be null"],
    [kind.string, 0, "left out, or null where it may be null"],
    [i32, -1n, "an integer from -2147483648 to 2147483647"],
    [i32, 0.5, "an integer from -2147483648 to 2147483647"],
    [u8, -1, "an integer from 0 to 255"],
    [f32, 0.1, "a number"],
    [kind.bool, 0, "a boolean"],
    [kind.handle("F"), -1, "a handle"],
    [kind.nullable(kind.handle("F")), 0, "left out, or null where it may be null"],
    [kind.struct({ x: u8 }), 0, "left out, or null where it may be null"],
  ] as const;
  for (const [result, failsWith, demand] of cases) {
    assertEquals(
      problem([], result, { failsWith }),
      `a failed call cannot return ${failsWith}: with this result it must be ${demand}`,
    );
  }
  assertEquals(
    problem([], i32, { failsWith: null }),
    "a result that is never null fails so: declare it nullable",
  );
});
