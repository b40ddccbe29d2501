import { assertEquals, assertThrows } from "@std/assert";
import { type Conversion, parseFormat } from "../../text/conversion.ts";
import { Types } from "../text/inference.ts";
import { Module } from "../text/module.ts";
import { checkArgument, checkCondition, PrintFault, valueOfArgument } from "./print_arguments.ts";

const OUTSIDE = `struct P { at: vec2f, id: u32 } fn no_result() { } fn other() -> f32 { return 1; }
@group(0) @binding(0) var picture: texture_2d<f32>;
var<workgroup> count: atomic<u32>;
fn f(b: u32, a: i32, f: f32, v: vec3f, h: f16) {
  var list = array(b, b, b); var p: P; let m = mat2x2f(); let q = &p;
  _ = `;

/** Reads an expression of the function, and hands it to a check. */
function checking(written: string, check: (types: Types, node: never) => unknown): unknown {
  const module = new Module(`${OUTSIDE}${written}; }`);
  const statement = module.functions.at(-1)!.body!.statements.at(-1)!;
  if (statement.kind !== "assign") throw new Error("it is an assignment");
  return check(new Types(module), statement.value as never);
}

function take(format: string, written: string): void {
  const [conversion] = parseFormat(format) as [Conversion];
  const isExtent = format.includes("*");
  checking(
    written,
    (types, node) =>
      conversion.size > 0
        ? checkArgument(types, node, { conversion, isExtent })
        : valueOfArgument(types, node, conversion),
  );
}

Deno.test("an argument that fits is taken, and so is one of which nothing is known", () => {
  const cases = [
    ["%d", ["1", "-1", "1i", "0x1F", "-2i", "a"]],
    ["%u", ["1", "1u", "0xffu", "x", "g(1.5)", "1.5 + x", "max(1u, 2)", "vec3u(1).x", "b"]],
    ["%f", ["1", "-1", "1.5", "1f", ".5", "1e3", "0x1p3", "-2.5f", "0x1.8p0f", "h", "other()"]],
    ["%v3f", ["x", "vec3f(1u)", "vec3(1, 2, 3)", "vec3f() * 2", "v"]],
    ["%v", ["p", "q", "list", "m", "count", "&count", "v.xy == v.yx", "h"]],
  ] as const;
  for (const [format, all] of cases) for (const written of all) take(format, written);
});

/** Arguments that are wrong at the mark §, or as a whole, and the end of the reason. */
const WRONG: readonly (readonly [format: string, written: string, wayOut: string])[] = [
  ["%d", "1.5", "%d takes i32 and 1.5 is f32: write %f"],
  ["%d", "1u", "%d takes i32 and 1u is u32: write %u"],
  ["%u", "-1", "%u takes u32 and -1 is negative: write %d"],
  ["%5x", "2i", "%5x takes u32 and 2i is i32: write %d"],
  ["%u", "1e3", "1e3 is f32: write %f"],
  ["%f", "1u", "%f takes f32 and 1u is u32: write %u"],
  ["%g", "2i", "2i is i32: write %d"],
  ["%d", "1.5h", "1.5h is f16: write %f"],
  ["%u", "true", "%u takes u32 and true is a bool: write %b"],
  ["%b", "1", "%b takes bool and 1 is a number: write %d"],
  ["%d", '"a"', '%d takes i32 and "a" is a string: write %s'],
  ["%v3f", "1.5", "%v3f takes vec3<f32> and 1.5 is f32: write %f"],
  ["%v2d", "1", "%v2d takes vec2<i32> and 1 is a number: write %d"],
  ["%d", "v", "write %v3f"],
  ["%v2f", "v", "write %v3f"],
  ["%v3f", "list", "write %v"],
  ["%f", "list[2]", "%f takes f32 and list[2] is u32: write %u"],
  ["%*d", "f", "the * of %*d takes i32 and f is f32: write i32(f)"],
  ["%u", "count", "write atomicLoad(&count)"],
  ["%f", "mat2x2f()", "write %v"],
  ["%v", "picture", "texture_2d<f32> holds no value that can be shown"],
  ["%v", "nothing", "nothing is not declared here"],
  ["%v", "no_result", "no_result is no value: write no_result(...)"],
  ["%v", "vec3f", "vec3f is no value: write vec3f(...)"],
  ["%v", "no_result()", "no_result gives nothing back"],
  ["%v", "p.nope", "nope is no member: there are at, id"],
  ["%v", "x + y", "write its size and letter, as %v3f or %u"],
  ["%v", '"a"', '%v takes a value and "a" is a string: write %s'],
  ["%v", "*b", "b is u32: write b"],
  ["%u", "2u * §*list[0]", "list[0] is u32: write list[0]"],
  ["%b", "q == q", "q is a pointer: write *q, what it points to"],
];

const CONDITIONS: readonly (readonly [written: string, wayOut: string])[] = [
  ["b", "write b != 0"],
  ["v > vec3f(1)", "write all(v > vec3f(1)), or any(v > vec3f(1))"],
  ["b > 2 || (f < 1 && §b)", "write b != 0"],
  ["m == m", "m is mat2x2<f32>: compare its parts"],
  ["b > 1u && §list != list", "list is array<u32, 3>: compare its parts"],
  ["!(§p == p)", "p is P: compare its parts"],
  ["count == 1u", "count is atomic<u32>: write atomicLoad(&count)"],
];

Deno.test("an argument or condition that does not fit is told at its place, with the way out", () => {
  const tell = (marked: string, wayOut: string, work: () => void) => {
    const { start, message } = assertThrows(work, PrintFault, "", marked);
    assertEquals([start, message.endsWith(wayOut)], [
      OUTSIDE.length + Math.max(0, marked.indexOf("§")),
      true,
    ], `${marked}: ${message}`);
  };
  for (const [format, marked, wayOut] of WRONG) {
    tell(marked, wayOut, () => take(format, marked.replace("§", "")));
  }
  for (const [marked, wayOut] of CONDITIONS) {
    const written = marked.replace("§", "");
    const check = (types: Types, node: never) => checkCondition(types, node, "it takes a bool");
    tell(marked, wayOut, () => void checking(written, check));
  }
  assertThrows(() => take("%*v", "array(1, 2)"), PrintFault, "the * of %*v");
});
