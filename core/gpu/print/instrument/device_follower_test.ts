import { assertEquals, assertStringIncludes } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { FollowedDevice } from "../testdata/followed_device.ts";
import type { PrintedLine } from "./printed_lines.ts";

const VERTEX = `@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1) * 4 - 1, kept(f32(i >> 1)) * 4 - 1, 0, 1);
}`;

onDevice(
  "a failed assert tells file, line, invocation, condition and values, and ends it",
  async () => {
    const failed: PrintedLine[] = [];
    const lines: string[] = [];
    await using bench = await FollowedDevice.open({
      write: (line) => {
        lines.push(line.message);
        if (line.isAssert) failed.push(line);
      },
    });
    bench.dispatch(`fn root(x: f32) -> f32 {
    assert(x < 2.0, "x is %.1f", x);
    return sqrt(x);
  }
  @compute @workgroup_size(3) fn main(@builtin(local_invocation_index) lane: u32) {
    printf("lane %u ", lane);
    printf("has %v\\n", root(f32(lane)));
  }
//# sourceURL=src/root.wgsl`);
    await bench.printing.settled();
    assertEquals(lines, [
      "src/root.wgsl:6 [pass 0:0] lane 0 has 0",
      "src/root.wgsl:6 [pass 0:1] lane 1 has 1",
      "src/root.wgsl:6 [pass 0:2] lane 2 ",
      "src/root.wgsl:2 [pass 0:2] assertion failed: x < 2.0: x is 2.0",
    ]);
    const [{ text, line, column, place }] = failed as [PrintedLine];
    assertEquals([failed.length, text, line, column], [
      1,
      "assertion failed: x < 2.0: x is 2.0",
      2,
      5,
    ]);
    assertEquals(place, { stage: "compute", workgroupIndex: 0, laneIndex: 2 });
  },
);

onDevice("a pixel whose assert fails is not drawn, whoever else calls its function", async () => {
  await using bench = await FollowedDevice.open();
  const code = `fn kept(x: f32) -> f32 { assert(x != 0.5, "%v", x); return x; }
${VERTEX}
@fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
  return vec4f(kept(at.x), 1, 1, 1);
}`;
  const pipeline = bench.drawing(code, "shade.wgsl");
  const pixels = await bench.draw((pass) => {
    pass.setPipeline(pipeline);
    pass.draw(3);
  });
  assertEquals(pixels, [0, 0, 0, 0, 255, 255, 255, 255]);
  assertEquals(await bench.said(), [
    "shade.wgsl:1 [draw 1 pixel 0,0] assertion failed: x != 0.5: 0.5",
  ]);
  assertEquals(bench.warnings.splice(0), [
    "printf: kept() of shade.wgsl prints nothing where a vertex stage calls it",
  ]);
});

onDevice("a function of compute and fragment stages ends both, from any statement", async () => {
  await using bench = await FollowedDevice.open();
  const code = `fn kept(x: f32) -> f32 { return x; }
fn check(x: f32) -> f32 { loop { break; continuing { assert(x > 9); } } assert(x != 0.5); return x; }
${VERTEX}
@compute @workgroup_size(1) fn main() { _ = check(0.5); printf("on"); }
@fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
  for (var i = 0.0; i < 1.0; i += check(at.x)) { }
  return vec4f(1);
}`;
  bench.dispatch(code);
  assertEquals(await bench.said(), ["shader1:2 [pass 0:0] assertion failed: x != 0.5"]);
  const pipeline = bench.drawing(code, "shade.wgsl");
  const pixels = await bench.draw((pass) => {
    pass.setPipeline(pipeline);
    pass.draw(3);
  });
  assertEquals(pixels, [0, 0, 0, 0, 255, 255, 255, 255]);
  assertEquals((await bench.said()).length, 1);
});

onDevice("what the reader does not know goes to the compiler, which may", async () => {
  await using bench = await FollowedDevice.open();
  const { device } = bench;
  const main = "@compute @workgroup_size(1) fn main() { ";
  const unread = `${main}printf("a"); newer thing; }`;
  const codes: string[] = [];
  // Stands for a compiler that knows newer WGSL.
  const real = Object.getPrototypeOf(device).createShaderModule;
  Object.getPrototypeOf(device).createShaderModule = function (one: GPUShaderModuleDescriptor) {
    codes.push(one.code);
    return real.call(this, { ...one, code: one.code.replace("newer thing;", "") });
  };
  try {
    await using newer = await FollowedDevice.open();
    newer.dispatch(unread);
    newer.dispatch(`// printf\n${unread.replace('printf("a");', "")}`);
    assertEquals(await newer.said(), []);
    assertEquals(newer.warnings.splice(0), [
      "printf: shader1 goes to its compiler without what prints, as it is not read: shader1:1:60 = is expected and not thing",
    ]);
  } finally {
    Object.getPrototypeOf(device).createShaderModule = real;
  }
  assertEquals(codes[0], unread.replace('printf("a")', " ".repeat(11)));
  // What nobody knows is an error in the words of the compiler, at its own place.
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code: `${main}printf("a");\n  let x = (1; }` });
  assertStringIncludes((await device.popErrorScope())!.message, "2:13");
  const [said] = (await module.getCompilationInfo()).messages;
  if (said) assertEquals([said.lineNum, said.linePos], [2, 13]);
  assertEquals(bench.warnings.splice(0).length, 1);
});

onDevice("names of the author's own, and comments, are no calls", async () => {
  await using bench = await FollowedDevice.open();
  const codes: string[] = [];
  const real = Object.getPrototypeOf(bench.device).createShaderModule;
  Object.getPrototypeOf(bench.device).createShaderModule = function (
    one: GPUShaderModuleDescriptor,
  ) {
    codes.push(one.code);
    return real.call(this, one);
  };
  const main = "@compute @workgroup_size(1) fn main()";
  const plain = [
    `fn printf(a: u32) -> u32 { return a; } fn assert(a: bool) {} ${main} { _ = printf(1u); assert(false); }`,
    `fn select(a: u32) {} ${main} { select(1); } // printf("a") and assert()`,
    `var<private> printf: u32; ${main} { printf = 1u; const_assert true; }`,
  ];
  try {
    await using own = await FollowedDevice.open();
    for (const code of plain) own.dispatch(code);
    assertEquals(await own.said(), []);
  } finally {
    Object.getPrototypeOf(bench.device).createShaderModule = real;
  }
  assertEquals(codes, plain);
});

onDevice("an invalid shader is an error once, in the words of the author's text", async () => {
  await using bench = await FollowedDevice.open();
  const main = "@compute @workgroup_size(1) fn main()";
  bench.dispatch(`${main} { printf("a"); let x: i32 = 1.5; }`);
  assertEquals(await bench.said(), []);
  const errors = bench.errors.splice(0);
  assertEquals(errors.filter((text) => text.includes("1.5")).length, 1);
  assertEquals(errors.filter((text) => /printf_/.test(text)), []);
  assertStringIncludes(bench.warnings.splice(0).join(), "the pipeline prints nothing: ");
});

onDevice("draws that print are counted by occlusion queries as they are without", async () => {
  await using bench = await FollowedDevice.open();
  const { device } = bench;
  const code = `fn kept(x: f32) -> f32 { return x; } ${VERTEX}
@fragment fn fs() -> @location(0) vec4f { printf("here\\n"); return vec4f(1); }`;
  const counts: (readonly number[])[] = [];
  for (const text of [code, code.replace('printf("here\\n");', "")]) {
    const pipeline = bench.drawing(text);
    const occlusionQuerySet = device.createQuerySet({ type: "occlusion", count: 2 });
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
    const resolved = device.createBuffer({ size: 16, usage });
    const out = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | 8 });
    const format = "rgba8unorm";
    const texture = device.createTexture({ size: [2, 1], format, usage: 16 });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
      occlusionQuerySet,
      colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
    });
    pass.setPipeline(pipeline);
    for (const [query, vertexCount] of [3, 0].entries()) {
      pass.beginOcclusionQuery(query);
      pass.draw(vertexCount);
      pass.endOcclusionQuery();
    }
    pass.end();
    encoder.resolveQuerySet(occlusionQuerySet, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, out, 0, 16);
    device.queue.submit([encoder.finish()]);
    await out.mapAsync(GPUMapMode.READ);
    counts.push([...new BigUint64Array(out.getMappedRange())].map((one) => Number(one > 0n)));
  }
  assertEquals(counts, [[1, 0], [1, 0]]);
  assertEquals((await bench.said()).length, 2);
});
