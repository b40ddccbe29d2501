import { assertEquals, assertStringIncludes } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { kernelSource, runStep } from "./kernel_source.ts";

const layout = channelLayout({ portCount: 4, laneCount: 2 });

function make(source: string) {
  return kernelSource(source, { layout });
}

Deno.test("kernelSource() keeps the author's text first, line for line", () => {
  const source = "// mine\nfn step_0() {\n  call(40000u);\n}";
  const { code, author } = make(source);
  assertEquals(author.lineCount, 4);
  assertEquals(code.split("\n").slice(0, 4).join("\n"), source);
});

Deno.test("kernelSource() sizes a frame by the channel's own constants", () => {
  const frameOf = (type: string) => `struct Frame { list: ${type} } fn step_0() {}`;
  const { laneStateBytes } = make(frameOf("array<u32, LANE_COUNT + 1u>"));
  assertEquals(laneStateBytes, make(frameOf("array<u32, 3>")).laneStateBytes);
});

Deno.test("kernelSource() keeps the address of a text as what it is", () => {
  const source = `@service(40000) fn note(x: u32);
fn kernel() { let file = "a.e"; note(1u); note(file); }`;
  const { code } = kernelSource(source, { layout, heapBytes: 4096 });
  assertStringIncludes(code, "struct Frame {\n  file: u32,\n}");
  assertStringIncludes(code, "frame.file = 16u;");
});

Deno.test("kernelSource() leaves out what the text does not use", () => {
  assertStringIncludes(make("fn step_0() { call(1u); }").code, "const USES_STREAMS = false;");
  assertStringIncludes(make("fn step_0() { print(); }").code, "const USES_STREAMS = true;");
  assertStringIncludes(make("fn step_0() { begin(1u); }").code, "const USES_SESSIONS = true;");
});

Deno.test("kernelSource() makes a workgroup of as many waves of one lane as run, unless they share memory", () => {
  const one = { layout: channelLayout({ portCount: 4, laneCount: 1 }), waveCount: 5 };
  const sizeOf = (text: string) =>
    Number(/@workgroup_size\((\d+)\)/.exec(kernelSource(text, one).code)?.[1]);
  assertEquals(sizeOf("fn kernel() { } // a workgroup"), 5);
  assertEquals(sizeOf("var<workgroup> sum: u32; fn kernel() { sum = 1u; }"), 1);
});

Deno.test("runStep() divides many steps among switches, each behind the case that leads to it", () => {
  for (const count of [16, 17, 20, 114]) {
    const names = Array.from({ length: count }, (_, step) => `step_${step}`);
    const text = runStep(names);
    const size = Number(/switch step \/ (\d+)u/.exec(text)?.[1] ?? count);
    assertEquals(size < count, count > 16);
    const inner = text.split("switch step {").slice(1);
    const found = inner.flatMap((group, at) =>
      [...group.matchAll(/case (\d+)u: \{ (step_\d+)\(\); \}/g)].map(([, step, name]) => {
        assertEquals(Math.floor(Number(step) / size), at);
        assertEquals(name, `step_${step}`);
        return Number(step);
      })
    );
    assertEquals(found, names.map((_, step) => step));
    const outer = [...text.matchAll(/case (\d+)u: \{ switch step \{/g)].map(([, at]) => Number(at));
    assertEquals(outer, size < count ? inner.map((_, at) => at) : []);
    assertEquals(
      text.split("default: { finish(); }").length - 1,
      inner.length + Number(size < count),
    );
  }
});
