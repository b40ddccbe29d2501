import { assertEquals, assertThrows } from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import { withDebug } from "./with_debug.ts";

const SOURCE = `
@fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
  assert(at.x < 2.0 || at.y < 2.0, "at %v2f", at.xy); printf("[%v2f]", at.xy);
  var color = vec4f(1, 0, 0, 1); color.g = at.x / 4.0; return color;
}
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1);
}`;

onDevice("a pixel whose assert fails is not drawn", async ({ device }) => {
  const shader = withDebug(SOURCE);
  const module = await shader.compile(device);
  const ring = shader.attach(device);
  const layout = device.createPipelineLayout({ bindGroupLayouts: [ring.layout] });
  const format = "rgba8unorm";
  const pipeline = device.createRenderPipeline({
    layout,
    vertex: { module },
    fragment: { module, targets: [{ format }] },
  });
  const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
  const texture = device.createTexture({ size: [4, 4], format, usage });
  const copy = device.createBuffer({
    size: 1024,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  const draw = async () => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
    });
    pass.setPipeline(pipeline);
    ring.bind(pass);
    pass.draw(3);
    pass.end();
    encoder.copyTextureToBuffer({ texture }, { buffer: copy, bytesPerRow: 256 }, [4, 4]);
    device.queue.submit([encoder.finish()]);
    return await ring.report();
  };
  const first = await draw();
  assertEquals(first.failures.map(({ message }) => message.split(": ")[1]), [
    "at (2.500000, 2.500000)",
    "at (3.500000, 2.500000)",
    "at (2.500000, 3.500000)",
    "at (3.500000, 3.500000)",
  ]);
  assertEquals(first.callCount, 12);
  await copy.mapAsync(GPUMapMode.READ);
  const pixels = new Uint8Array(copy.getMappedRange());
  const reds = [0, 1, 2, 3].map((y) => [0, 1, 2, 3].map((x) => pixels[y * 256 + x * 4]! / 255));
  assertEquals(reds, [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]);
  await ring.destroy();
  for (const memory of [texture, copy]) memory.destroy();
});

onDevice("a ring says what shares its group", async ({ device }) => {
  const shared = withDebug("@group(0) @binding(0) var<uniform> a: u32;", { group: 0 }).attach(
    device,
  );
  assertThrows(() => shared.layout, TypeError, "layoutEntries");
  assertEquals(shared.entries.map(({ binding }) => binding), [1]);
  await shared.destroy();
});
