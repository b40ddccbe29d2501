import { assertEquals, assertThrows } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { KernelCompileError } from "../../wgsl/kernel_compile.ts";
import { kernelSource } from "../../wgsl/kernel_source.ts";

const layout = channelLayout({ portCount: 1, laneCount: 4 });

Deno.test("workgroup memory is saved by the lanes of a wave together, atomics by themselves", () => {
  const { code, waveStateBytes } = kernelSource(
    `struct Tile { sums: array<vec3f, 2>, count: atomic<i32> }
    var<workgroup> tile: Tile; var<workgroup> flags: array<vec2<bool>, LANE_COUNT>;
    fn kernel() { workgroupBarrier(); }`,
    { layout },
  );
  const saved = code.slice(code.indexOf("struct SavedShared"), code.indexOf("fn shared_save"));
  assertEquals(
    saved,
    `struct SavedShared {
  tile: Tile,
  flags: array<vec2<u32>, LANE_COUNT>,
}
fn shared_load(saved: u32, index_first: u32, index_step: u32) {
  if index_first == 0u { for (var index_i = 0u; index_i < u32(2); index_i++) { tile.sums[index_i] = wave_states[saved].together.tile.sums[index_i]; } atomicStore(&tile.count, atomicLoad(&wave_states[saved].together.tile.count)); }
  for (var index_ = index_first; index_ < u32(LANE_COUNT); index_ += index_step) { flags[index_] = vec2<bool>(wave_states[saved].together.flags[index_]); }
}
`,
  );
  // 24 bytes of the wave, then at a multiple of 16 a tile of 48, and 4 flags of 8.
  assertEquals(waveStateBytes, 32 + 48 + 32);
});

Deno.test("workgroup memory that no device has is refused where it is declared", () => {
  for (
    const [declared, reason] of [
      ["array<u32, 5000>", "makes 20000 bytes of workgroup memory of at most 16128: use a storage"],
      ["array<u32, LANE_COUNT * 2000>", "makes 32000 bytes"],
      ["array<u32, n>; override n = 4u", "is workgroup memory of unknown size: write the length"],
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
