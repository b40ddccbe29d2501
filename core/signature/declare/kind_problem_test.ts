import { assert, assertEquals, assertThrows } from "@std/assert";
import * as kind from "./kind.ts";
import { isName, kindProblem, placeProblem } from "./kind_problem.ts";

const { bytes, callback, constant, ends, f64, handle, i32, nothing, nullable, pointer } = kind;
const { array, i64, string, struct, u8, union, variadic } = kind;
const point = struct({ x: f64, at: struct({ y: u8 }) });

Deno.test("isName() takes what C, WGSL and the text of a signature can hold", () => {
  for (const name of ["a", "A9_", "constructor"]) assertEquals(isName(name), true);
  const none = ["", "9a", "_a", "__proto__", "a-b", "a: f64, b", "é", "a\n", 5, undefined, ["a"]];
  for (const name of none) assertEquals(isName(name), false, String(name));
});

Deno.test("kindProblem() finds nothing in what makes sense", () => {
  const holding = struct({ inner: struct({ file: nullable(handle("F")) }) });
  const parameters = [
    ...[i32, string, variadic, bytes("in"), point, pointer("inout", point), handle("F|G")],
    ...[ends("F"), constant(i32, 5), callback([f64], nothing), nullable(callback([], i32))],
    ...[holding, pointer("out", holding), pointer("in", holding), nullable(pointer("in", point))],
  ];
  for (const one of parameters) {
    assertEquals([kindProblem(one), placeProblem(one, "parameter")], [undefined, undefined]);
  }
  assertEquals(placeProblem(nothing, "result"), undefined);
});

const LETTERS = "letters, digits and _, a letter first";
const FIELDS = "must be one of scalar, string, struct, union, handle, array";
const VALUE = "current value is";
const BACK = "must be one of scalar, nothing, handle";
const WAYS = 'must go "in", "out" or "inout"';
const LENGTHS = "must have a length of lengthOf() or fixedLength()";
const USIZE = "declare usize, the address that C gives";
const INTEGER = "an integer from -2147483648 to 2147483647";
const TAKEN = "must be one of scalar, string, handle";
const MEMORY = "give a handle of memory that the library may read";
const WRAP = "wrap it, as in struct({ value: ";
const SEVERAL = "or several with | between";
const NULLABLES = "string, bytes, pointer, handle, callback";

/** What each function of the declaration refuses, by the arguments, and how. */
const REFUSALS: Readonly<Record<string, readonly (readonly [readonly unknown[], string])[]>> = {
  bytes: [
    [["both"], `bytes as it ${WAYS}: ${VALUE} "both"`],
    [[], `${VALUE} undefined`],
    [["in", 16], `${LENGTHS}: ${VALUE} 16`],
    [["in", null], `${LENGTHS}: ${VALUE} null`],
  ],
  handle: [
    [["F G"], `a handle as it must have a name of ${LETTERS}, ${SEVERAL}: ${VALUE} "F G"`],
    [[5], `${VALUE} 5`],
    [["F|"], `${VALUE} "F|"`],
    [["A>, Handle<B"], `${VALUE} "A>, Handle<B"`],
  ],
  ends: [
    [["F", { if: 0 }], `${VALUE} { if }`],
    [["F", { when: 0, unless: 1 }], `${VALUE} { when,unless }`],
    [["F", {}], "must end by { when: result } or { unless: result }"],
    [[], `${VALUE} undefined`],
  ],
  struct: [
    [[{}], "a struct as it must have a field: C has no struct without"],
    [[], "must have a field"],
    [[null], "must have a field"],
    [[[i32]], `names of fields of ${LETTERS}: ${VALUE} "0"`],
    [[{ x: u8, 0: f64 }], `${VALUE} "0"`],
    [[{ "x: f64, y": f64 }], `${VALUE} "x: f64, y"`],
    [[{ ["__proto__"]: f64 }], `${VALUE} "__proto__"`],
    [[{ p: bytes("in") }], `${VALUE} bytes, put a handle there`],
    [[{ p: pointer("in", point) }], `${VALUE} pointer, put the struct itself`],
    [
      [{ p: nullable(bytes("in")) }],
      `must be one of string, handle to be nullable: ${VALUE} bytes`,
    ],
    [[{ p: undefined }], `has a field p that ${FIELDS}: ${VALUE} undefined`],
    [[{ p: ends("F") }], "has a field p that must not end a handle"],
    [[{ a: array(array(ends("F"), 2), 2) }], "must not end a handle"],
  ],
  pointer: [
    [["out", i32], `a pointer as it points at what must be a struct: ${VALUE} i32, ${WRAP}i32 })`],
    [["out", handle("F")], `${VALUE} handle, ${WRAP}nullable(handle("T")) })`],
    [["out", string], `${VALUE} string, wrap a handle, as in struct(`],
    [["out", bytes("out")], `${VALUE} bytes, bytes are a pointer themselves`],
    [["out"], `${VALUE} undefined`],
    [[point], `${VALUE} undefined`],
    [["both", point], `${WAYS}: ${VALUE} "both"`],
  ],
  nullable: [
    [[i32], `a nullable as it must be one of ${NULLABLES} to be nullable: ${VALUE} i32`],
    [[point], `${VALUE} struct`],
    [[nullable(string)], `${VALUE} nullable`],
    [[], `${VALUE} undefined`],
    [[union({ i: i32 })], `${VALUE} union`],
  ],
  constant: [
    [[i32, 1.5], `a constant as it must be ${INTEGER}: ${VALUE} 1.5`],
    [[i32, 2 ** 31], `${VALUE} 2147483648`],
    [[u8, 256], `${VALUE} 256`],
    [[i64, 1], "must be a bigint from"],
    [[i32], `${VALUE} undefined`],
    [[string, "x"], `must be a scalar: ${VALUE} string`],
    [[7], `must be a scalar: ${VALUE} 7`],
  ],
  callback: [
    [
      [[bytes("in")], i32],
      `a callback as it has a parameter that ${TAKEN}: ${VALUE} bytes, ${USIZE}`,
    ],
    [[[i32, undefined], i32], `${VALUE} undefined`],
    [[[], string], `has a result that ${BACK}: ${VALUE} string, ${MEMORY}`],
    [[[]], `has a result that ${BACK}: ${VALUE} undefined`],
    [[i32, i32], `must have an array of parameters: ${VALUE} i32`],
  ],
  array: [
    [[i32, 0], `must have an integer from 1 to 65536 of them: ${VALUE} 0`],
    [[bytes("in"), 3], `has what ${FIELDS}: ${VALUE} bytes`],
  ],
  union: [
    [[{}], "a union as it must have a field"],
    [[{ i: i32, p: array(string, 2) }], "has a member p with a pointer"],
    [
      [{ s: struct({ u: union({ i: i32 }), h: nullable(handle("F")) }) }],
      "give the struct as memory, of memoryOf()",
    ],
  ],
};

Deno.test("each function of a declaration names what it is not given right, and the way out", () => {
  for (const [name, rows] of Object.entries(REFUSALS)) {
    const make = kind[name as "bytes"] as (...given: readonly unknown[]) => unknown;
    for (const [given, text] of rows) {
      const error = assertThrows(() => make(...given), TypeError, text, `${name} ${text}`);
      assert(/^Cannot declare (bytes|an? \w+) as it /.test(error.message), error.message);
    }
  }
});

Deno.test("placeProblem() says which kinds may stand where, if types are dodged", () => {
  const all = "scalar, string, bytes, struct, pointer, handle, callback, constant, variadic";
  const text = `must be one of ${all}: current value is nothing, leave it out`;
  assertEquals(placeProblem(nothing, "parameter"), text);
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
