import { assertEquals } from "@std/assert";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { gpu, onDevice } from "../device/on_device_test.ts";
import { type Program, PROGRAMS, WHOLE } from "./testdata/programs.ts";
import { FollowedDevice } from "./testdata/followed_device.ts";
import { withPrintf } from "./with_printf.ts";

/** What a program leaves, and how its pass binds what is to be bound. */
interface Run {
  readonly module: GPUShaderModule;
  readonly bind?: (pass: GPUBindingCommandsMixin, pipeline: GPUPipelineBase) => void;
}

/** Runs a program, and gives its words or reds. */
async function run(device: GPUDevice, program: Program, { module, bind }: Run): Promise<number[]> {
  const { code, words = [], reds, groupCount = 1 } = program;
  const encoder = device.createCommandEncoder();
  if (reds) {
    const pipeline = device.createRenderPipeline({
      layout: "auto",
      vertex: { module },
      fragment: { module, targets: [{ format: "rgba8unorm" }] },
    });
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
    const texture = device.createTexture({ size: [2, 2], format: "rgba8unorm", usage });
    const out = device.createBuffer({ size: 512, usage: GPUBufferUsage.MAP_READ | 8 });
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
    });
    pass.setPipeline(pipeline);
    bind?.(pass, pipeline);
    pass.draw(3);
    pass.end();
    encoder.copyTextureToBuffer({ texture }, { buffer: out, bytesPerRow: 256 }, [2, 2]);
    device.queue.submit([encoder.finish()]);
    await out.mapAsync(GPUMapMode.READ);
    const bytes = new Uint8Array(out.getMappedRange());
    return [0, 4, 256, 260].map((at) => bytes[at]!);
  }
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  bind?.(pass, pipeline);
  const of = { ...gpu!, device };
  const buffer = createOwnBuffer(of, new Uint32Array(16));
  if (code.includes("@group(0)")) {
    const layout = pipeline.getBindGroupLayout(0);
    const entries = [{ binding: 0, resource: { buffer } }];
    pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
  }
  pass.dispatchWorkgroups(groupCount);
  pass.end();
  device.queue.submit([encoder.finish()]);
  return [...new Uint32Array(await readOwnBuffer(of, buffer))].slice(0, words.length);
}

onDevice("programs print what they should, on a device that is followed", async () => {
  for (const program of WHOLE) {
    await using bench = await FollowedDevice.open();
    const { name, code, prints, words, reds } = program;
    const module = bench.device.createShaderModule({ code, label: "a" });
    const left = await run(bench.device, program, { module });
    const said = (await bench.said()).map((line) =>
      line.replace(/^a:/, "").replace(/\[\w+ 1 /, "[")
    );
    assertEquals([said, left], [[...prints], [...words ?? reds ?? []]], name);
  }
});

onDevice("programs print what they should, by rings of their own", async ({ device }) => {
  for (const program of PROGRAMS) {
    const { name, code, prints, words, reds } = program;
    const { compile, attach } = withPrintf(code);
    const module = await compile(device);
    const ring = attach(device);
    const bind: Run["bind"] = (pass, pipeline) => ring.bind(pass, pipeline);
    const left = await run(device, program, { module, bind });
    const { text } = await ring.printed();
    await ring.destroy();
    const wanted = prints.map((line) => {
      const [, place, said] = /^(\d+ \[.*?\] )(.*)$/s.exec(line)!;
      return said!.startsWith("assertion failed") ? `shader:${place}${said}\n` : `${said}\n`;
    });
    // Where another invocation goes on, or none, a line has no end of its own.
    const plain = (one: string) => one.replaceAll(/ ?\n/g, "\n");
    assertEquals([plain(text), left], [plain(wanted.join("")), [...words ?? reds ?? []]], name);
  }
});
