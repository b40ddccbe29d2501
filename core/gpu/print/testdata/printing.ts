import type { RingOptions } from "../ring/printf_ring.ts";
import type { PrintedOptions, PrintfReport } from "../ring/ring_records.ts";
import { withPrintf } from "../with_printf.ts";

/** How a shader is run; one workgroup when nothing is said. */
export interface Printing extends PrintedOptions, RingOptions {
  readonly groups?: readonly [number, number?, number?];
  readonly entryPoint?: string;
  /** What the author binds as `@group(0)`. */
  readonly buffers?: readonly GPUBuffer[];
}

/** Runs a compute shader once, with a layout "auto", and reads what it printed. */
export async function printing(
  device: GPUDevice,
  wgsl: string,
  options: Printing = {},
): Promise<PrintfReport> {
  const { groups = [1], entryPoint, buffers = [], ...how } = options;
  const shader = withPrintf(wgsl);
  const module = await shader.compile(device);
  const compute = entryPoint === undefined ? { module } : { module, entryPoint };
  const pipeline = device.createComputePipeline({ layout: "auto", compute });
  const { sink: _sink, order: _order, isLabelled: _isLabelled, ...size } = how;
  const ring = shader.attach(device, size);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  ring.bind(pass, pipeline);
  if (buffers.length > 0) {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const layout = pipeline.getBindGroupLayout(0);
    pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
  }
  pass.dispatchWorkgroups(...groups);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const report = await ring.printed(how);
  await ring.destroy();
  return report;
}
