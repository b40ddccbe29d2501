import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { anyStruct } from "../testdata/any_call.ts";
import * as kind from "./kind.ts";
import { structLayout } from "./struct_layout.ts";

const { array, bool, f32, f64, i8, i16, i32, i64, string, struct, u16, union } = kind;

/** What C compilers for x86-64 and ARM64 say: size, alignment, offsets of the innermost fields. */
const TABLE: readonly (readonly [kind.Struct, number, number, readonly number[]])[] = [
  [struct({ a: i8 }), 1, 1, [0]],
  [struct({ a: i8, b: f64 }), 16, 8, [0, 8]],
  [struct({ a: f64, b: i8 }), 16, 8, [0, 8]],
  [struct({ a: i8, b: i16, c: i8, d: i32, e: i8 }), 16, 4, [0, 2, 4, 8, 12]],
  [struct({ a: bool, b: struct({ c: i8, d: i16 }), e: i8 }), 8, 2, [0, 2, 4, 6]],
  [struct({ a: i32, b: struct({ c: i64, d: i8 }), e: u16 }), 32, 8, [0, 8, 16, 24]],
  [struct({ a: f32, b: f32, c: f32 }), 12, 4, [0, 4, 8]],
  [struct({ a: i8, u: union({ b: i16, c: array(i8, 5) }), d: string }), 16, 8, [0, 2, 8]],
  [struct({ a: array(array(i16, 3), 2), b: i8 }), 14, 2, [0, 2, 4, 6, 8, 10, 12]],
  [struct({ a: i8, u: union({ b: f64, c: struct({ d: i8, e: array(i64, 2) }) }) }), 32, 8, [0, 8]],
];

Deno.test("structLayout() puts fields where C does", () => {
  for (const [one, sizeBytes, alignBytes, offsets] of TABLE) {
    const layout = structLayout(one);
    assertEquals([layout.sizeBytes, layout.alignBytes], [sizeBytes, alignBytes]);
    assertEquals(layout.fields.map(({ offsetByte }) => offsetByte), offsets);
    assert(structLayout(one) === layout);
  }
});

Deno.test("structLayout() names nested fields from the outside in", () => {
  const { fields } = structLayout(TABLE[4]![0]);
  assertEquals(fields.map(({ path }) => path.join(".")), ["a", "b.c", "b.d", "e"]);
});

const C_TYPES: Readonly<Record<kind.ScalarName, string>> = {
  bool: "_Bool",
  i8: "signed char",
  u8: "unsigned char",
  i16: "short",
  u16: "unsigned short",
  i32: "int",
  u32: "unsigned",
  f32: "float",
  i64: "long long",
  u64: "unsigned long long",
  isize: "__PTRDIFF_TYPE__",
  usize: "__SIZE_TYPE__",
  f64: "double",
};

function inC({ kind: word, fields }: kind.Struct | kind.Union): string {
  const members = Object.entries(fields).map(([name, field]) => `${typeInC(field)} ${name};`);
  return `${word} { ${members.join(" ")} }`;
}

function typeInC(field: kind.Field): string {
  if (field.kind === "struct") return inC(field);
  if (field.kind === "union") return inC(field);
  if (field.kind === "array") return `typeof(${typeInC(field.of)}[${field.count}])`;
  return field.kind === "scalar" ? C_TYPES[field.type] : "void *";
}

function placeOf(path: readonly (string | number)[]): string {
  return path.map((name) => typeof name === "number" ? `[${name}]` : `.${name}`).join("").slice(1);
}

/** Compiles one file that asserts the layouts of all; nothing is run. */
async function compile(source: string): Promise<string | undefined> {
  try {
    const args = ["-fsyntax-only", "-x", "c", "-"];
    const pipes = { stdin: "piped", stderr: "piped", stdout: "null" } as const;
    const compiler = new Deno.Command("cc", { args, ...pipes }).spawn();
    const writer = compiler.stdin.getWriter();
    await writer.write(new TextEncoder().encode(source));
    await writer.close();
    return new TextDecoder().decode((await compiler.output()).stderr);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("structLayout() agrees with the C compiler that is here, over random structs", async (test) => {
  const structs = [...TABLE.map(([one]) => one), ...fc.sample(anyStruct, 40)];
  const checks = structs.flatMap((one, index) => {
    const { sizeBytes, alignBytes, fields } = structLayout(one);
    return [
      `typedef ${inC(one)} s${index};`,
      `_Static_assert(sizeof(s${index}) == ${sizeBytes} && _Alignof(s${index}) == ${alignBytes}, "");`,
      ...fields.map(({ path, offsetByte }) =>
        `_Static_assert(__builtin_offsetof(s${index}, ${placeOf(path)}) == ${offsetByte}, "");`
      ),
    ];
  });
  const keywords = /\b(do|if|for|int|asm|auto|case|char|else|enum|goto|long|void)\b(?=[;,.)])/g;
  const faults = await compile(checks.join("\n").replaceAll(keywords, "$1_"));
  await test.step({ name: "cc is not installed", ignore: faults !== undefined, fn: () => {} });
  assertEquals(faults ?? "", "");
});
