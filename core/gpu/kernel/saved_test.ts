import { assertEquals, assertThrows } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { kernelSource } from "../wgsl/kernel_source.ts";

const layout = channelLayout({ portCount: 1, laneCount: 4 });

Deno.test("workgroup memory that no device has is refused where it is declared", () => {
  for (
    const [declared, reason] of [
      ["array<u32, 5000>", "makes 20000 bytes of workgroup memory of at most 16128: use a storage"],
      ["array<u32, LANE_COUNT * 2000>", "makes 32000 bytes"],
      ["array<u32, NOTHING>", "is workgroup memory of unknown size: write the length"],
      ["array<u32>", "is workgroup memory of unknown size"],
      ["u32 = 3u", "is workgroup memory, which begins as zeros: give it its value in the kernel"],
    ]
  ) {
    const source = `var<workgroup> tile: ${declared};\nfn kernel() {}`;
    const error = assertThrows(() => kernelSource(source, { layout }), KernelCompileError);
    assertEquals([error.line, error.column], [1, 16], error.message);
    assertEquals(error.reason.startsWith(`tile ${reason}`), true, error.reason);
  }
});

Deno.test("frameBytes are what a lane keeps", () => {
  const bytesOf = (source: string) => kernelSource(source, { layout }).frameBytes;
  assertEquals(bytesOf("fn kernel() { let a = 1u; let b = 2u; print(); _ = a + b; }"), 8);
  assertEquals(bytesOf("struct Frame { a: vec3f, b: u32 } fn step_0() {}"), 16);
  assertEquals(bytesOf("fn kernel() {}"), 4);
});

Deno.test("long arrays are copied by loops, as compilers take long for large values", () => {
  const source =
    "var<private> a: array<array<u32, 4>, 4>; var<private> b: array<u32, 17>; fn kernel() {}";
  const { code } = kernelSource(source, { layout });
  const saved = code.slice(code.indexOf("fn frame_save"));
  assertEquals([...saved.matchAll(/for \(var \w+ = 0u; \w+ < u32\((\d+)\)/g)].map(([, to]) => to), [
    "17",
  ]);
});
