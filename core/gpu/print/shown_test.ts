import { assertEquals, assertThrows } from "@std/assert";
import { Types } from "../text/inference.ts";
import { Module } from "../text/module.ts";
import { onDevice } from "../device/on_device_test.ts";
import { type PrintCall, PrintFault, printingCalls, printOf } from "./print_calls.ts";
import { printing } from "./testdata/printing.ts";

function callsOf(source: string): readonly PrintCall[] {
  const types = new Types(new Module(source));
  return printingCalls(types.module).map((call) => printOf(types, call));
}

const OUTSIDE = `
alias Pair = vec2i;
const N = 3;
struct Inner { at: vec3f, is_on: bool }
struct Outer { inner: Inner, list: array<Pair, N>, m: mat2x3f, last: u32 }
@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>, 2>;
var<workgroup> total: atomic<i32>;
var<private> many: array<u32, 40>;
fn show(p: ptr<function, Outer>) { printf("%v|%v|%v", (*p).inner, p.list[1], p.inner.at.zy); }
`;

onDevice("%v shows every value, as WGSL makes it", async ({ device }) => {
  const cases = [
    ["1u", "1"],
    ["-v.x", "-1.5"],
    ["v * 2.0", "(3, 4)"],
    ["v.x > 1.0", "true"],
    ["v == vec2f(1.5)", "(true, false)"],
    ["mat2x3f(1, 2, 3, 4, 5, 6)", "((1, 2, 3), (4, 5, 6))"],
    ["array(1, 2)", "[1, 2]"],
    ["o.list", "[(1, 2), (3, 4), (0, 0)]"],
    ["o.inner", "Inner { at: (0, 1, 0), is_on: true }"],
    [
      "o",
      "Outer { inner: Inner { at: (0, 1, 0), is_on: true }, list: [(1, 2), (3, 4), (0, 0)], " +
      "m: ((0, 0, 0), (0, 0, 0)), last: 9 }",
    ],
    ["p", "(1, 2)"],
    ["&o.inner.at", "(0, 1, 0)"],
    ["counts[1]", "0"],
    ["total", "0"],
    ["&total", "0"],
    ["many", `[${Array(32).fill(0).join(", ")}, and 8 more]`],
    ["normalize(o.inner.at)", "(0, 1, 0)"],
    ["array(7u)", "[7]", "%.3v"],
    ["v / 7.0", "(0.2143, 0.2857)", "%.4v"],
  ] as const;
  const body = cases.map(([value, , format = "%v"]) => `printf("${format}\\n", ${value});`).join(
    "\n",
  );
  const { text } = await printing(
    device,
    `${OUTSIDE} @compute @workgroup_size(1) fn main() {
      var v = vec2f(1.5, 2);
      var o: Outer;
      o.inner.at.y = 1; o.inner.is_on = true; o.last = 9;
      o.list[0] = Pair(1, 2); o.list[1] = Pair(3, 4);
      let p = &o.list[0];
      _ = &counts;
      ${body}
      show(&o);
    }`,
    { buffers: [device.createBuffer({ size: 8, usage: GPUBufferUsage.STORAGE })] },
  );
  assertEquals(text.split("\n"), [
    ...cases.map(([, wanted]) => wanted),
    "Inner { at: (0, 1, 0), is_on: true }|(3, 4)|(0, 1)",
  ]);
});

Deno.test("%v of an f16 is shown as the f32 of the same value, and %f takes it", () => {
  const source = 'enable f16; fn f(x: f16, v: vec3<f16>) { printf("%v %v %.1f", x, v, x); }';
  const [call] = callsOf(source);
  assertEquals(call!.parameters.map(({ type }) => type.name), ["f16", "vec3", "f16"]);
});

onDevice("%v shows arrays to the length that they have when it runs", async ({ device }) => {
  const source = `struct Item { at: vec2f, id: u32 }
struct List { count: u32, items: array<Item> }
@group(0) @binding(0) var<storage, read> list: List;
@group(0) @binding(1) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> many: array<f32>;
@compute @workgroup_size(1) fn main() {
  atomicStore(&hits[2], 7u);
  let p = &many;
  printf("%v|%v %u\\n", list.items, hits, list.count);
  printf("%.1v|", p); printf_if(arrayLength(&many) > 3, "%v\\n", many);
}`;
  const storage = (words: number) =>
    device.createBuffer({ size: words * 4, usage: GPUBufferUsage.STORAGE });
  const { text } = await printing(device, source, {
    buffers: [storage(6), storage(3), storage(1000)],
  });
  const zeros = Array(16).fill("0").join(", ");
  assertEquals(text.split("\n"), [
    "[Item { at: (0, 0), id: 0 }]|[0, 0, 7] 0",
    `[${zeros}, and 984 more]|[${zeros}, and 984 more]`,
    "",
  ]);
});

Deno.test("%v is refused for what has no value, with the reason", () => {
  const cases = [
    ["sized", "its length is known when a pipeline is made"],
    ["image", "texture_2d<f32> holds no value that can be shown"],
    ["s", "cannot show s: .hits is atomic: load it, by atomicLoad()"],
    ["big", "it has more than 256 numbers: print parts"],
    ["modf(1.5)", "the result of modf() has a type without a name: print its members"],
    ["nowhere", "nowhere is not declared here"],
    ["hits", "cannot show hits: .hits is atomic"],
  ] as const;
  for (const [value, reason] of cases) {
    const source = `override count = 4u; struct S { hits: atomic<u32> }
      var<workgroup> sized: array<u32, count>; var<workgroup> s: S;
      struct Four { a: mat4x4f, b: mat4x4f }
      var<private> big: array<Four, 9>;
      @group(0) @binding(0) var<storage, read_write> hits: array<S>;
      @group(0) @binding(1) var image: texture_2d<f32>;
      fn f() { printf("%v", ${value}); }`;
    assertThrows(() => callsOf(source), PrintFault, reason);
  }
});
