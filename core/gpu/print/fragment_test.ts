import { assertEquals } from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import { withPrintf } from "./with_printf.ts";

onDevice("fragments print, with their pixels", async ({ device }) => {
  const { text, calls } = await drawn(
    device,
    `
    fn shade(at: vec2f) -> f32 { printf("%v2f\\n", at); return at.x; }
    @fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f { return vec4f(shade(at.xy)); }`,
  );
  assertEquals(
    text,
    "(0.5, 0.5)\n(1.5, 0.5)\n(0.5, 1.5)\n(1.5, 1.5)\n".replaceAll(/\.5(?=[,)])/g, ".500000"),
  );
  assertEquals(
    calls,
    [[0, 0], [1, 0], [0, 1], [1, 1]].map(([x, y]) => ({ stage: "fragment", x, y })),
  );
});

onDevice(
  "a fragment gets its pixel where it has none of its own, or one in a struct",
  async ({ device }) => {
    const sources = [
      '@fragment fn fs() -> @location(0) vec4f { printf("f"); return vec4f(); }',
      `struct In { @builtin(position) at: vec4f }
     @fragment fn fs(in: In) -> @location(0) vec4f { printf("f"); return in.at; }`,
    ];
    for (const source of sources) assertEquals((await drawn(device, source)).text, "ffff");
  },
);

/** Draws two by two pixels, and reads what their fragments print. */
async function drawn(device: GPUDevice, fragment: string) {
  const shader = withPrintf(`${fragment}
    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
      return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1);
    }`);
  const module = await shader.compile(device);
  const format = "rgba8unorm";
  const pipeline = device.createRenderPipeline({
    layout: "auto",
    vertex: { module },
    fragment: { module, targets: [{ format }] },
  });
  const ring = shader.attach(device);
  const usage = GPUTextureUsage.RENDER_ATTACHMENT;
  const texture = device.createTexture({ size: [2, 2], format, usage });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginRenderPass({
    colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
  });
  pass.setPipeline(pipeline);
  ring.bind(pass, pipeline);
  pass.draw(3);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const calls: unknown[] = [];
  const { text } = await ring.printed({ sink: (_, { place }) => calls.push(place) });
  await ring.destroy();
  texture.destroy();
  return { text, calls };
}
