import { requestGpuDevice } from "../../core/gpu/mod.ts";
import {
  createReadback,
  type DeviceRead,
  type DeviceTask,
  type ReadbackName,
} from "../../core/gpu/internal.ts";
import type { Trial } from "../scenario.ts";

/** What a control without a protocol does in each turn. */
export interface RawLoad {
  /** Bytes that come back in each turn: the same as the trial's. */
  readonly outBytes: number;
  /** Bytes that go in; none when absent. */
  readonly inBytes?: number;
  /**
   * What the dispatch does: WGSL statements that may use `id` (the invocation), `words` (plain) and
   * `locks` (atomic). When absent a single word is written, so that something comes back.
   */
  readonly body?: string;
  /** Invocations of the dispatch; 1 when absent. */
  readonly invocationCount?: number;
  /** How the bytes come back; chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName;
}

const GROUP_SIZE = 64;

function shader({ body = "words[0] += 1u;" }: RawLoad): string {
  return /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> locks: array<atomic<u32>>;
@compute @workgroup_size(${GROUP_SIZE})
fn main(@builtin(global_invocation_id) global: vec3u) {
  let id = global.x;
  ${body}
}`;
}

/**
 * A dispatch and its readback without any protocol: what a scenario on the GPU is compared with.
 * One call is one turn: write, submit, copy, read.
 */
export async function prepareRawSubmit(load: RawLoad): Promise<Trial> {
  const { device, adapterName } = await requestGpuDevice();
  const { outBytes, inBytes = 0, invocationCount = 1 } = load;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const size = Math.max(outBytes, inBytes, 4 * GROUP_SIZE);
  const words = device.createBuffer({ size, usage });
  const locks = device.createBuffer({ size, usage });
  const readback = await createReadback(device, { bytes: outBytes, readback: load.readback });
  const dispatch = await prepareDispatch(device, { code: shader(load), buffers: [words, locks] });
  const source = new Int32Array(inBytes / 4);
  const target = new Int32Array(outBytes / 4);
  const take = (mapped: Int32Array) => target.set(mapped);
  const encode: DeviceRead["encode"] = (encoder, copyOut) => {
    if (inBytes > 0) device.queue.writeBuffer(words, 0, source);
    dispatch(encoder, Math.ceil(invocationCount / GROUP_SIZE));
    copyOut(words, 0, 0, outBytes);
  };
  const turns = function* (callCount: number): DeviceTask<void> {
    for (let call = 0; call < callCount; call++) yield { what: "dispatch", encode, use: take };
  };
  return {
    adapter: adapterName,
    run: (callCount) => readback.runAsync(turns(callCount)),
    async [Symbol.asyncDispose]() {
      await readback.settle();
      for (const memory of [words, locks, readback]) memory.destroy();
    },
  };
}

async function prepareDispatch(
  device: GPUDevice,
  parts: { readonly code: string; readonly buffers: readonly GPUBuffer[] },
): Promise<(encoder: GPUCommandEncoder, groupCount: number) => void> {
  const layout = device.createBindGroupLayout({
    entries: parts.buffers.map((_, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: "storage" },
    })),
  });
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: device.createShaderModule({ code: parts.code }) },
  });
  const entries = parts.buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
  const bindGroup = device.createBindGroup({ layout, entries });
  return (encoder, groupCount) => {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(groupCount);
    pass.end();
  };
}
