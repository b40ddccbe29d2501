import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { runKernel } from "../../gpu/epochs/kernel_run_test.ts";
import { onDevice } from "../../gpu/device/on_device_test.ts";
import { KernelCompileError } from "../../gpu/wgsl/kernel_compile.ts";
import { kernelSource } from "../../gpu/wgsl/kernel_source.ts";
import { channelLayout } from "../../toggle/layout.ts";
import * as kind from "../declare/kind.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { serveApi } from "../server/api_server.ts";
import { functionOpcode } from "../server/function_table.ts";
import { wgslStubs } from "./wgsl_stubs.ts";

const api = hostApi("host", {
  hypot: fn([kind.f64, kind.f64], kind.f64),
  scale: fn([kind.f32, kind.constant(kind.i32, 3), kind.i8, kind.bool], kind.i32),
  next: fn([kind.u64], kind.u64),
  note: fn([kind.u16], kind.nothing),
  print: fn([kind.string, kind.variadic], kind.i32),
});

onDevice(
  "wgslStubs() lets lanes call functions of the host, each with its own values",
  async (gpu) => {
    const noted: number[] = [];
    const source = `${wgslStubs(api)}
    @group(1) @binding(0) var<storage, read_write> results: array<i32>;
    fn kernel() {
      let lane_float = f32(lane_index);
      let at = lane_index * 4u;
      results[at] = bitcast<i32>(host_hypot(lane_float * 3.0, lane_float * 4.0));
      results[at + 1u] = host_scale(lane_float, -1i - i32(lane_index), lane_index == 1u);
      let counted = host_next(vec2u(0xffffffffu, lane_index));
      results[at + 2u] = i32(counted.x + counted.y);
      host_note(100u + lane_index);
      results[at + 3u] = host_errno;
    }`;
    const { results } = await runKernel(gpu, {
      source,
      portCount: 2,
      laneCount: 3,
      waveCount: 1,
      resultWords: 12,
      register(server) {
        serveApi(server, api, {
          hypot: Math.hypot,
          scale: (value, three, step, isDouble) => value * three * step * (isDouble ? 2 : 1),
          next: (value) => value + 1n,
          note: (value) => void noted.push(value),
          print: (text) => text.length,
        });
      },
    });
    const floats = new Float32Array(results.buffer);
    assertEquals([0, 1, 2].map((lane) => floats[lane * 4]), [0, 5, 10]);
    assertEquals([0, 1, 2].map((lane) => results[lane * 4 + 1]), [0, -12, -18]);
    assertEquals([0, 1, 2].map((lane) => results[lane * 4 + 2]), [1, 2, 3]);
    assertEquals([noted, results[3]], [[100, 101, 102], 0]);
  },
);

/** Doubles that are hard to round: halfway, next to it, tiny, huge, infinite. */
const DOUBLES = [
  ...[0, -0, 1, 1 / 3, -Math.PI, 1 + 2 ** -24, 1 + 3 * 2 ** -24, 1 + 2 ** -24 + 2 ** -52],
  ...[2 - 2 ** -25, 3.4028235677973366e38, 3.4028235677973362e38, 1e39, -1e300, 2 ** -126],
  ...[2 ** -149, 2 ** -150, 2 ** -150 * (1 + 2 ** -52), 2 ** -151, -3 * 2 ** -150],
  ...[2 ** -127 + 2 ** -150, 2 ** -127 + 3 * 2 ** -150, 5e-324, Infinity, -Infinity],
];

onDevice(
  "doubles come to a kernel rounded as JavaScript rounds, and go back exactly",
  async (gpu) => {
    const back: number[] = [];
    const doubles = hostApi("doubles", {
      read: fn([kind.u32], kind.f64),
      write: fn([kind.f64], kind.nothing),
    });
    const count = DOUBLES.length;
    const source = `${wgslStubs(doubles)}
    @group(1) @binding(0) var<storage, read_write> results: array<u32>;
    fn kernel() {
      for (var index = 0u; index < ${count}u; index++) {
        let words = doubles_read_call(vec2u(${doubles.functions.read.hash}u, 0u), vec2u(index, 0u));
        results[index] = double_float_bits(words[1]);
      }
      doubles_write(1.5); doubles_write(-0.1); doubles_write(3.0e38); doubles_write(0.0);
    }`;
    const { results } = await runKernel(gpu, {
      source,
      portCount: 1,
      laneCount: 1,
      waveCount: 1,
      resultWords: count,
      register(server) {
        serveApi(server, doubles, {
          read: (index) => DOUBLES[index]!,
          write: (value) => void back.push(value),
        });
      },
    });
    const wanted = new Uint32Array(new Float32Array(DOUBLES).buffer);
    assertEquals([...new Uint32Array(results.buffer)], [...wanted]);
    assertEquals(back, [1.5, Math.fround(-0.1), Math.fround(3.0e38), 0]);
  },
);

Deno.test("wgslStubs() names what has a length behind its address", () => {
  const text = wgslStubs(api);
  assertEquals(text.includes("fn host_print(a0: u32, a1: u32, a1_count: u32) -> i32 {"), true);
  assertEquals(text.includes(`@service(${functionOpcode("host.note")}u) fn host_note_call`), true);
});

Deno.test("wgslStubs() refuses functions that would have one name in WGSL", () => {
  const count = { c: fn([kind.u32], kind.u32) };
  const of = (name: string, functions = count) => hostApi(name, functions);
  const pairs = [
    [of("a_b"), hostApi("a", { b_c: count.c }), "a_b.c and a.b_c are both a_b_c"],
    [of("a"), of("a"), "a.c and a.c are both a_c in WGSL: hand each API over once"],
    [of("a"), hostApi("a", { c_call: count.c }), "a.c and a.c_call are both a_c_call"],
  ] as const;
  for (const [one, other, reason] of pairs) {
    assertThrows(() => wgslStubs(one, other), TypeError, reason);
    assertThrows(() => wgslStubs(other, one), TypeError, "are both");
  }
  for (const [name, key] of [["host", "errno"], ["double", "bits"], ["double", "float_bits"]]) {
    const one = hostApi(name!, { [key!]: count.c });
    const text = `what stands in front of all stubs and ${name}.${key} are both ${name}_${key}`;
    assertThrows(() => wgslStubs(one), TypeError, text);
  }
  assertThrows(() => wgslStubs({} as never), TypeError, "an API as hostApi() must make it");
});

Deno.test("two texts of wgslStubs() in one kernel say how they become one", () => {
  const source = `${wgslStubs(api)}${wgslStubs(hostApi("other", {}))}\nfn kernel() {}`;
  const layout = channelLayout({ portCount: 1, laneCount: 1 });
  const { message } = assertThrows(() => kernelSource(source, { layout }), KernelCompileError);
  assertStringIncludes(message, "double_bits is declared in line 5, too");
  assertStringIncludes(message, "make one text of all APIs, wgslStubs(one, other)");
});
