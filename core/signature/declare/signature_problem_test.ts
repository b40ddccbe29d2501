import { assertEquals, assertThrows } from "@std/assert";
import * as kind from "./kind.ts";
import { lengthOf } from "./length.ts";
import { fn, type FunctionOptions } from "./signature.ts";
import { isName, signatureProblem } from "./signature_problem.ts";

const { f32, f64, i32, i64, nothing, u8 } = kind;

function problem(
  parameters: readonly kind.Parameter[],
  result: kind.Result = nothing,
  options: FunctionOptions = {},
) {
  return signatureProblem({ parameters, result, ...options });
}

Deno.test("isName() takes what C, WGSL and the text of a signature can hold", () => {
  for (const name of ["a", "A9_", "constructor"]) assertEquals(isName(name), true);
  for (const name of ["", "9a", "_a", "__proto__", "a-b", "a: f64, b", "é", "a\n"]) {
    assertEquals(isName(name), false, name);
  }
});

Deno.test("signatureProblem() finds nothing in what makes sense", () => {
  const point = kind.struct({ x: f64, at: kind.struct({ y: u8 }) });
  const parameters = [kind.bytes("in", lengthOf(1)), kind.constant(i32, 5), point, kind.variadic];
  assertEquals(problem(parameters, point), undefined);
  assertEquals(problem([], kind.nullable(kind.string), { failsWith: null }), undefined);
  const failures = [[i32, -1], [i64, -1n], [f64, NaN], [f32, 0.5], [kind.handle("F"), 0]] as const;
  for (const [result, failsWith] of failures) {
    assertEquals(problem([], result, { failsWith }), undefined);
  }
});

Deno.test("signatureProblem() says what makes none", () => {
  const noFields = kind.struct({});
  const stray = { "x: f64, y": f64 };
  const cases: readonly (readonly [kind.Parameter[], string])[] = [
    [[kind.variadic, i32], "parameter 0 is variadic and not the last"],
    [[noFields], "parameter 0 is a struct without fields"],
    [
      [i32, kind.nullable(kind.pointer("in", kind.struct({ a: noFields })))],
      "parameter 1 is a struct without fields",
    ],
    [[kind.struct(stray)], 'parameter 0 has a field whose name is none: "x: f64, y"'],
    [
      [kind.struct({ ["__proto__"]: kind.struct({ x: u8 }) })],
      'parameter 0 has a field whose name is none: "__proto__"',
    ],
    [[kind.struct({ x: u8, 0: f64 })], 'parameter 0 has a field whose name is none: "0"'],
    [
      [kind.handle("A>, Handle<B")],
      'parameter 0 is a handle with a name that is none: "A>, Handle<B"',
    ],
    [[kind.constant(i32, 1.5)], "parameter 0 is a constant that is no i32: 1.5"],
    [[kind.constant(u8, 256)], "parameter 0 is a constant that is no u8: 256"],
    [[kind.constant(i64, 1)], "parameter 0 is a constant that is no i64: 1"],
    [
      [kind.bytes("in", lengthOf(1)), f64],
      "parameter 0 takes its length from parameter 1, which is no unsigned or signed integer",
    ],
    [
      [kind.bytes("in", lengthOf(0))],
      "parameter 0 takes its length from parameter 0, which is no unsigned or signed integer",
    ],
    [
      [kind.nullable(kind.bytes("in", lengthOf(9)))],
      "parameter 0 takes its length from parameter 9, which is no unsigned or signed integer",
    ],
    [
      [kind.bytes("in", lengthOf(1)), kind.constant(kind.bool, true)],
      "parameter 0 takes its length from parameter 1, which is no unsigned or signed integer",
    ],
  ];
  for (const [parameters, text] of cases) {
    assertEquals(problem(parameters), text);
    assertThrows(() => fn(parameters, nothing), TypeError, `Cannot declare a function as ${text}`);
  }
  const holding = kind.struct({ inner: kind.struct({ file: kind.nullable(kind.handle("F")) }) });
  assertEquals(
    problem([holding, kind.pointer("out", holding), kind.pointer("in", holding)]),
    undefined,
  );
  assertEquals(problem([], holding), undefined);
  assertEquals(
    problem([kind.nullable(kind.pointer("inout", holding))]),
    "parameter 0 has a handle that goes both ways: take it in, or give it out",
  );
  assertEquals(
    problem([kind.struct({ file: kind.ends("F") })]),
    "parameter 0 has a field that ends a handle",
  );
  assertEquals(
    problem([], kind.struct({ file: kind.nullable(kind.handle("")) })),
    'the result is a handle with a name that is none: ""',
  );
  assertEquals(problem([], kind.ends("F")), "a result ends no handle");
  assertEquals(
    problem([], kind.nullable(kind.handle("F G"))),
    'the result is a handle with a name that is none: "F G"',
  );
  assertEquals(problem([], noFields), "the result is a struct without fields");
});

Deno.test("signatureProblem() says which kinds may stand where, if types are dodged", () => {
  const all = "scalar, string, bytes, struct, reference, handle, callback, constant, variadic";
  const absent = null as never;
  assertThrows(
    () => fn([i32, absent], nothing),
    TypeError,
    `as parameter 1 must be one of ${all}: current kind is undefined`,
  );
  const some = "string, bytes, reference, handle, callback to be nullable";
  assertEquals(
    problem([kind.nullable(i32 as never)]),
    `parameter 0 must be one of ${some}: current kind is scalar`,
  );
  assertEquals(problem([nothing as never])?.endsWith("current kind is void"), true);
  assertEquals(
    problem([], kind.bytes("out") as never),
    "the result must be one of scalar, void, string, struct, handle: current kind is bytes",
  );
  assertEquals(problem([], absent)?.endsWith("current kind is undefined"), true);
  for (const field of [kind.string as never, kind.nullable(i32 as never) as never, absent]) {
    const text = problem([kind.struct({ inner: kind.struct({ field }) })]);
    assertEquals(text?.startsWith("parameter 0 has a field that must be one of "), true, text);
  }
});

Deno.test("a struct is what it was when it was declared", () => {
  const fields: Record<string, kind.Field> = { x: u8 };
  const one = kind.struct(fields);
  fields.inner = one;
  assertEquals(problem([one]), undefined);
  assertEquals(Object.keys(one.fields), ["x"]);
});

Deno.test("signatureProblem() takes handles of several names, but no result", () => {
  assertEquals(problem([], kind.nullable(kind.ends("F"))), "a result ends no handle");
  assertEquals(problem([], kind.handle("F|G")), "a result is a handle of one name");
  assertEquals(problem([kind.handle("F|G"), kind.ends("F|G")]), undefined);
  assertEquals(
    problem([kind.handle("F|")]),
    'parameter 0 is a handle with a name that is none: "F|"',
  );
});

Deno.test("signatureProblem() refuses a failure that its caller would not see", () => {
  const cases = [
    [nothing, -1],
    [kind.string, 0],
    [i32, -1n],
    [i32, 0.5],
    [u8, -1],
    [f32, 0.1],
    [kind.bool, 0],
    [kind.handle("F"), -1],
    [kind.nullable(kind.handle("F")), 0],
    [kind.struct({ x: u8 }), 0],
  ] as const;
  for (const [result, failsWith] of cases) {
    assertEquals(
      problem([], result, { failsWith }),
      `a failed call cannot return ${failsWith}: the result is none of these`,
    );
  }
  assertEquals(problem([], i32, { failsWith: null }), "a result that is never null fails so");
});
