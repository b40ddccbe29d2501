import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { withDebug } from "../with_debug.ts";
import { withVertexTwins } from "./vertex_twin.ts";

const SOURCE = `struct In { @location(0) at: vec3f, @builtin(instance_index) instance: u32 }
struct Out { @builtin(position) at: vec4f, @location(0) shade: f32 }
@group(0) @binding(0) var<uniform> scale: f32;
fn moved_by(at: vec3f) -> vec3f { assert(at.x < 9.0, "x is %g", at.x); return at * scale; }
@vertex fn vs(in: In, @location(1) id: u32, @builtin(vertex_index) index: u32) -> Out {
  let moved = moved_by(in.at);
  let sum = in.instance + id + index;
  return Out(vec4f(moved, 1.0), f32(sum));
}`;

onDevice(
  "a vertex stage is traced as compute, with the values of one vertex",
  async ({ device }) => {
    const shader = withDebug(SOURCE, { trace: true });
    await shader.compile(device);
    const ring = shader.attach(device);
    const buffer = device.createBuffer({
      size: 16,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(buffer, 0, Float32Array.of(2));
    const bind = (pass: GPUComputePassEncoder, pipeline: GPUComputePipeline) =>
      pass.setBindGroup(
        0,
        device.createBindGroup({
          layout: pipeline.getBindGroupLayout(0),
          entries: [{ binding: 0, resource: { buffer } }],
        }),
      );
    const vertex = {
      vertexIndex: 7,
      instanceIndex: 100,
      attributes: { at: [1, 2, 3], id: [20] },
      bind,
    };
    const { trace, failures } = await ring.traceVertex(vertex);
    assertEquals(failures, []);
    const values = trace.map(({ verb, written, value, position: { line } }) =>
      `${line} ${verb} ${written} ${value}`.trimEnd()
    );
    assertEquals(values.slice(0, 3), [
      "5 enter vs",
      "5 parameter in In { at: (1, 2, 3), instance: 100 }",
      "5 parameter id 20",
    ]);
    assertEquals(values.slice(-4), [
      "4 return at * scale (2, 4, 6)",
      "6 let moved (2, 4, 6)",
      "7 let sum 127",
      "8 return Out(vec4f(moved, 1.0), f32(sum)) Out { at: (2, 4, 6, 1), shade: 127 }",
    ]);
    assertEquals(trace.at(-4)!.frames.map(({ name, position }) => [name, position.line]), [
      ["moved_by", 4],
      ["vs", 6],
    ]);
    const bad = await ring.traceVertex({ ...vertex, attributes: { at: [9, 2, 3], id: [20] } });
    assertEquals(bad.failures[0]!.message, "at.x < 9.0: x is 9");
    await assertRejects(
      () => ring.traceVertex({ attributes: { at: [1, 2] } }),
      TypeError,
      "at needs 3",
    );
    await assertRejects(() => ring.traceVertex({ entryPoint: "vx" }), TypeError, "vs");
    await assertRejects(() => ring.traceVertex({ attributes: { uv: [1] } }), TypeError, "uv");
    assertThrows(() => ring.pick({ x: 1.5, y: 0 }), RangeError, "x must be an integer");
    await ring.destroy();
    buffer.destroy();
  },
);

Deno.test("withVertexTwins() maps what it copies to the author's text", () => {
  const text = new WgslText(SOURCE);
  const { source, twins, authorIndex } = withVertexTwins(text, "pick");
  assertEquals(twins.map(({ name }) => name), ["vs"]);
  const at = source.lastIndexOf("let sum");
  assertEquals(authorIndex(at), SOURCE.indexOf("let sum"));
  assertStringIncludes(source, "bitcast<vec3<f32>>(pick[2].xyz), pick[1].y)");
});
