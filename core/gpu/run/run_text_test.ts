import { assertEquals, assertThrows } from "@std/assert";
import { f64, fn, hostApi, u32 } from "../../signature/mod.ts";
import { channelLayout } from "../../toggle/layout.ts";
import { liveSource } from "../live/kernel/live_source.ts";
import { Parser } from "../text/parser.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { kernelSource } from "../wgsl/kernel_source.ts";
import { runText } from "./run_text.ts";

const math = hostApi("math", { hypot: fn([f64, f64], f64), cbrt: fn([f64], f64) });
const clock = hostApi("clock", { seconds: fn([], u32) });
const apis = [math, clock];

function textOf(source: string) {
  return runText(source, { apis, laneWords: 16 });
}

Deno.test("runText() leaves a text alone that leaves nothing out", () => {
  const source = `@group(1) @binding(0) var<storage, read> a: array<u32>;
    @service(40000) fn f(x: u32); fn kernel() { f(a[0]); }`;
  const { text, apis, services } = textOf(source);
  assertEquals([text.printed().text, apis.length], [source, 0]);
  assertEquals(services.map(({ name, opcodeNumber }) => [name, opcodeNumber]), [["f", 40_000]]);
});

Deno.test("runText() gives opcodes from the last one down, and each function its own", () => {
  const { services } = textOf(
    "@service fn f(); @service @cast fn g(x: u32); @service(40000) fn h(); fn kernel() {}",
  );
  assertEquals(
    services.map(({ name, opcodeNumber, isCast }) => [name, opcodeNumber, isCast]),
    [["f", 65_535, false], ["g", 65_534, true], ["h", 40_000, false]],
  );
});

Deno.test("runText() says what is wrong where its author has written it", () => {
  const faults = [
    [
      "fn kernel() { _ = math_hipot(1.0); }",
      19,
      "math has no function hipot: did you mean math_hypot",
    ],
    ["@service fn f(x: texture_2d<f32>); fn kernel() {}", 15, "a packet holds numbers"],
    ["@group(0) @binding(0) var<uniform> a: u32; fn kernel() {}", 36, "buffers are in @group(1)"],
    ["@group(1) var<uniform> a: u32; fn kernel() {}", 24, "or write both"],
    ["@group(1) @binding(1) var<uniform> a: u32; fn kernel() {}", 36, "count up from 0"],
    [
      "@group(1) @binding(0) var<uniform> a: u32; @group(1) @binding(0) var<uniform> b: u32;",
      79,
      "at bindings of their own",
    ],
    [
      "@service(40000) fn f(); @service(40000) fn g(); fn kernel() {}",
      44,
      "g has the opcode of f: leave it out",
    ],
    [
      "@group(1) @binding(0) var t: texture_2d<f32>; fn kernel() {}",
      27,
      "a kernel has no textures and samplers here: copy what is in them to a buffer",
    ],
    ["fn kernel() {} var its_sampler: sampler;", 20, "no textures and samplers"],
    ["var<uniform> a: u32; @service fn f() { } fn kernel() {}", 34, "write ; for its body"],
  ] as const;
  for (const [source, column, reason] of faults) {
    const error = assertThrows(() => textOf(source), KernelCompileError, reason);
    assertEquals([error.line, error.column], [1, column], source);
    assertEquals(error.message.endsWith(`\n1 | ${source}`), true, error.message);
  }
});

/** The names of functions in each text that is read meanwhile. */
async function readingsOf(work: () => unknown): Promise<string[]> {
  const original = Parser.prototype.module;
  const readings: string[] = [];
  Parser.prototype.module = function () {
    const globals = original.call(this);
    readings.push(globals.flatMap((one) => one.kind === "function" ? one.name : []).join(" "));
    return globals;
  };
  try {
    await work();
  } finally {
    Parser.prototype.module = original;
  }
  return readings;
}

Deno.test("a kernel's text is read once, whatever it calls and however it runs", async () => {
  const source = `override n = 2u; var<storage, read_write> out: array<u32>;
    @service fn answer_to(x: u32) -> u32;
    fn kernel() {
      let later = begin_answer_to(n);
      printf("%u\\n", answer_to(1u) + heap_u32(16u) + u32(math_hypot(3.0, 4.0)));
      put("text"); print(); assert(end_answer_to(later) == 4u); out[0] = puts("in the heap");
    }
    fn puts(x: u32) -> u32 { return x; }`;
  const layout = channelLayout({ portCount: 2, laneCount: 1 });
  const modules = [kernelSource, liveSource].map((make) => () => {
    const { text } = runText(source, { apis, laneWords: 16, constants: { n: 3 } });
    const { code } = make(text, { layout, heapBytes: 4096 });
    assertEquals([/const n: u32 = 3u;/.test(code), /^ *fn kernel\(/m.test(code)], [true, false]);
  });
  for (const make of modules) {
    const readings = await readingsOf(make);
    assertEquals(readings.filter((names) => names.includes("kernel")).length, 1);
    // The other is what `begin_` and `end_` are, with the stubs of APIs.
    assertEquals(readings.length, 2, readings.join("\n"));
  }
});
