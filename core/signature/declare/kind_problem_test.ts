import { assert, assertEquals, assertThrows } from "@std/assert";
import * as kind from "./kind.ts";
import { isName, kindProblem, placeProblem } from "./kind_problem.ts";

const {
  bytes,
  callback,
  constant,
  f64,
  ends,
  handle,
  i32,
  nothing,
  nullable,
  pointer,
  struct,
  u8,
} = kind;
const point = struct({ x: f64, at: struct({ y: u8 }) });

/** As one calls these who has no types. */
type Loose = (...given: unknown[]) => unknown;

Deno.test("isName() takes what C, WGSL and the text of a signature can hold", () => {
  for (const name of ["a", "A9_", "constructor"]) assertEquals(isName(name), true);
  const none = ["", "9a", "_a", "__proto__", "a-b", "a: f64, b", "é", "a\n", 5, undefined, ["a"]];
  for (const name of none) assertEquals(isName(name), false, String(name));
});

Deno.test("kindProblem() finds nothing in what makes sense", () => {
  const holding = struct({ inner: struct({ file: nullable(handle("F")) }) });
  const parameters = [
    ...[
      i32,
      kind.string,
      kind.variadic,
      bytes("in"),
      point,
      pointer("inout", point),
      handle("F|G"),
    ],
    ...[ends("F"), constant(i32, 5), callback([f64], nothing), nullable(callback([], i32))],
    ...[holding, pointer("out", holding), pointer("in", holding), nullable(pointer("in", point))],
  ];
  for (const one of parameters) {
    assertEquals([kindProblem(one), placeProblem(one, "parameter")], [undefined, undefined]);
  }
  assertEquals(placeProblem(nothing, "result"), undefined);
});

const LETTERS = "letters, digits and _, a letter first";

/** What each function of the declaration refuses, and how. */
const REFUSALS: readonly (readonly [Loose, unknown[], string])[] = [
  [bytes as Loose, ["both"], 'bytes as it must go "in", "out" or "inout": current value is "both"'],
  [bytes as Loose, [], "current value is undefined"],
  [
    bytes as Loose,
    ["in", 16],
    "must have a length of lengthOf() or fixedLength(): current value is 16",
  ],
  [bytes as Loose, ["in", null], "lengthOf() or fixedLength(): current value is null"],
  [
    handle as Loose,
    ["F G"],
    `a handle as it must have a name of ${LETTERS}, or several with | between: current value is "F G"`,
  ],
  [ends as Loose, ["F", { if: 0 }], "current value is { if }"],
  [ends as Loose, ["F", { when: 0, unless: 1 }], "current value is { when,unless }"],
  [ends as Loose, ["F", {}], "must end by { when: result } or { unless: result }"],
  [handle as Loose, [5], "current value is 5"],
  [handle as Loose, ["F|"], 'current value is "F|"'],
  [handle as Loose, ["A>, Handle<B"], 'current value is "A>, Handle<B"'],
  [ends as Loose, [], "current value is undefined"],
  [struct as Loose, [{}], "a struct as it must have a field: C has no struct without"],
  [struct as Loose, [], "must have a field"],
  [struct as Loose, [null], "must have a field"],
  [struct as Loose, [[i32]], `names of fields of ${LETTERS}: current value is "0"`],
  [struct as Loose, [{ x: u8, 0: f64 }], 'current value is "0"'],
  [struct as Loose, [{ "x: f64, y": f64 }], 'current value is "x: f64, y"'],
  [struct as Loose, [{ ["__proto__"]: f64 }], 'current value is "__proto__"'],
  [struct as Loose, [{ p: bytes("in") }], "current value is bytes, put a handle there"],
  [
    struct as Loose,
    [{ p: pointer("in", point) }],
    "current value is pointer, put the struct itself",
  ],
  [
    struct as Loose,
    [{ p: nullable(bytes("in")) }],
    "must be one of string, handle to be nullable: current value is bytes",
  ],
  [
    struct as Loose,
    [{ p: undefined }],
    "has a field p that must be one of scalar, string, struct, union, handle, array: current value is undefined",
  ],
  [struct as Loose, [{ p: ends("F") }], "has a field p that must not end a handle"],
  [
    pointer as Loose,
    ["out", i32],
    "a pointer as it points at what must be a struct: current value is i32, wrap it, as in struct({ value: i32 })",
  ],
  [
    pointer as Loose,
    ["out", handle("F")],
    'current value is handle, wrap it, as in struct({ value: nullable(handle("T")) })',
  ],
  [
    pointer as Loose,
    ["out", kind.string],
    "current value is string, wrap a handle, as in struct(",
  ],
  [
    pointer as Loose,
    ["out", bytes("out")],
    "current value is bytes, bytes are a pointer themselves",
  ],
  [pointer as Loose, ["out"], "current value is undefined"],
  [pointer as Loose, [point], "current value is undefined"],
  [pointer as Loose, ["both", point], 'must go "in", "out" or "inout": current value is "both"'],
  [
    nullable as Loose,
    [i32],
    "a nullable as it must be one of string, bytes, pointer, handle, callback to be nullable: current value is i32",
  ],
  [nullable as Loose, [point], "current value is struct"],
  [nullable as Loose, [nullable(kind.string)], "current value is nullable"],
  [nullable as Loose, [], "current value is undefined"],
  [
    constant as Loose,
    [i32, 1.5],
    "a constant as it must be an integer from -2147483648 to 2147483647: current value is 1.5",
  ],
  [constant as Loose, [i32, 2 ** 31], "current value is 2147483648"],
  [constant as Loose, [u8, 256], "current value is 256"],
  [constant as Loose, [kind.i64, 1], "must be a bigint from"],
  [constant as Loose, [i32], "current value is undefined"],
  [constant as Loose, [kind.string, "x"], "must be a scalar: current value is string"],
  [constant as Loose, [7], "must be a scalar: current value is 7"],
  [
    callback as Loose,
    [[bytes("in")], i32],
    "a callback as it has a parameter that must be one of scalar, string, handle: current value is bytes, declare usize, the address that C gives",
  ],
  [callback as Loose, [[i32, undefined], i32], "current value is undefined"],
  [
    callback as Loose,
    [[], kind.string],
    "has a result that must be one of scalar, nothing, handle: current value is string, give a handle of memory that the library may read",
  ],
  [
    callback as Loose,
    [[]],
    "has a result that must be one of scalar, nothing, handle: current value is undefined",
  ],
  [
    kind.array as Loose,
    [i32, 0],
    "must have an integer from 1 to 65536 of them: current value is 0",
  ],
  [
    kind.array as Loose,
    [bytes("in"), 3],
    "has what must be one of scalar, string, struct, union, handle, array: current value is bytes",
  ],
  [struct as Loose, [{ a: kind.array(kind.array(kind.ends("F"), 2), 2) }], "must not end a handle"],
  [kind.union as Loose, [{}], "a union as it must have a field"],
  [
    kind.union as Loose,
    [{ i: i32, p: kind.array(kind.string, 2) }],
    "has a member p with a pointer",
  ],
  [
    kind.union as Loose,
    [{ s: struct({ u: kind.union({ i: i32 }), h: nullable(kind.handle("F")) }) }],
    "give the struct as memory, of memoryOf()",
  ],
  [nullable as Loose, [kind.union({ i: i32 })], "current value is union"],
  [callback as Loose, [i32, i32], "must have an array of parameters: current value is i32"],
];

Deno.test("each function of a declaration names what it is not given right, and the way out", () => {
  for (const [make, given, text] of REFUSALS) {
    const error = assertThrows(() => make(...given), TypeError, text, `${make.name} ${text}`);
    assert(/^Cannot declare (bytes|an? \w+) as it /.test(error.message), error.message);
  }
});

Deno.test("placeProblem() says which kinds may stand where, if types are dodged", () => {
  const all = "scalar, string, bytes, struct, pointer, handle, callback, constant, variadic";
  assertEquals(
    placeProblem(nothing, "parameter"),
    `must be one of ${all}: current value is nothing, leave it out`,
  );
  assertEquals(
    placeProblem(bytes("out"), "result"),
    'must be one of scalar, nothing, string, struct, handle: current value is bytes, take them as a parameter bytes("out"), or a handle that readOf() reads',
  );
  for (const one of [undefined, null, 5, "i32", Symbol("x"), {}, { kind: "other" }, i32.type]) {
    for (const place of ["parameter", "result", "field"] as const) {
      const problem = placeProblem(one, place);
      assert(problem?.startsWith("must be one of "), String(problem));
    }
  }
  const madeUp = { kind: "scalar", type: "i33" };
  assertEquals(placeProblem(madeUp, "field"), "must be a scalar such as i32: current value is i33");
});

Deno.test("a struct is what it was when it was declared", () => {
  const fields: Record<string, kind.Field> = { x: u8 };
  const one = struct(fields);
  fields.inner = one;
  assertEquals(kindProblem(one), undefined);
  assertEquals(Object.keys(one.fields), ["x"]);
});
