import { assertEquals } from "@std/assert";
import { instrument, type Instrumented } from "../instrument/instrument.ts";
import type { InstrumentOptions } from "../instrument/instrument_options.ts";

/** A device of its own, whose lines, warnings and errors are kept. */
export class FollowedDevice implements AsyncDisposable {
  readonly device: GPUDevice;
  readonly lines: string[] = [];
  readonly warnings: string[] = [];
  readonly errors: string[] = [];
  readonly printing: Instrumented;

  private constructor(device: GPUDevice, options: InstrumentOptions) {
    this.device = device;
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      this.errors.push((event as GPUUncapturedErrorEvent).error.message);
    });
    this.printing = instrument(device, {
      write: ({ message }) => this.lines.push(message),
      warn: (text) => this.warnings.push(text),
      ...options,
    });
  }

  static async open(options: InstrumentOptions = {}): Promise<FollowedDevice> {
    const adapter = await navigator.gpu.requestAdapter();
    return new FollowedDevice(await adapter!.requestDevice(), options);
  }

  /** Dispatches a shader that binds nothing, some workgroups of it. */
  dispatch(code: string, groupCount = 1): void {
    this.running(code, groupCount)();
  }

  /** A pipeline of layout "auto". */
  computing(code: string, label = ""): GPUComputePipeline {
    const module = this.device.createShaderModule({ code, label });
    return this.device.createComputePipeline({ layout: "auto", compute: { module } });
  }

  /** A pipeline of layout "auto" for pixels of `draw`. */
  drawing(code: string, label = ""): GPURenderPipeline {
    const module = this.device.createShaderModule({ code, label });
    const targets = [{ format: "rgba8unorm" as const }];
    return this.device.createRenderPipeline({
      layout: "auto",
      vertex: { module },
      fragment: { module, targets },
    });
  }

  /** A group of buffers at the bindings from `binding` on. */
  groupOf(layout: GPUBindGroupLayout, buffers: readonly GPUBuffer[], binding = 0): GPUBindGroup {
    const entries = buffers.map((buffer, at) => ({ binding: binding + at, resource: { buffer } }));
    return this.device.createBindGroup({ layout, entries });
  }

  /** What dispatches a shader that binds nothing. */
  running(code: string, groupCount = 1): () => void {
    const pipeline = this.computing(code);
    return () =>
      this.compute((pass) => {
        pass.setPipeline(pipeline);
        pass.dispatchWorkgroups(groupCount);
      });
  }

  /** Encodes a compute pass and submits it. */
  compute(encode: (pass: GPUComputePassEncoder) => void): void {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass({ label: "pass" });
    encode(pass);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  /** Draws on two by one pixels, and returns their bytes. */
  async draw(encode: (pass: GPURenderPassEncoder) => void): Promise<number[]> {
    const { device } = this;
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
    const texture = device.createTexture({ size: [2, 1], format: "rgba8unorm", usage });
    const out = device.createBuffer({ size: 256, usage: GPUBufferUsage.MAP_READ | 8 });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
    });
    encode(pass);
    pass.end();
    encoder.copyTextureToBuffer({ texture }, { buffer: out, bytesPerRow: 256 }, [2, 1]);
    device.queue.submit([encoder.finish()]);
    await out.mapAsync(GPUMapMode.READ);
    return [...new Uint8Array(out.getMappedRange(0, 8))];
  }

  /** The lines since the last call. */
  async said(): Promise<string[]> {
    await this.printing.settled();
    return this.lines.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.printing.settled();
    this.printing.uninstall();
    // Only what a test expects is taken out.
    assertEquals([this.errors, this.warnings], [[], []]);
    this.device.destroy();
  }
}
