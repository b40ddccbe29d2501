import { translate as naga } from "naga-wasm";
import { Channel } from "../../../toggle/channel.ts";
import type { ChannelShape } from "../../../toggle/layout.ts";
import type { LiveDevice } from "../device/live_device.ts";
import { LiveKernel } from "./live_kernel.ts";
import type { LiveKernelOptions } from "./live_options.ts";

/** The translator of these tests. */
export function translate(source: string): Uint32Array {
  return naga({ from: "wgsl", to: "spirv", source }) as Uint32Array;
}

/** A channel whose memory the device has, too, and kernels on it; ended with the device. */
export class LiveBed {
  readonly channel: Channel;
  readonly #device: LiveDevice;
  readonly #memory;

  constructor(device: LiveDevice, shape: ChannelShape) {
    this.channel = Channel.create(shape);
    this.#device = device;
    this.#memory = device.importBuffer(this.channel.handle.buffer);
  }

  /** Makes a kernel, with a buffer of zeros as `@group(1) @binding(0)`. */
  async kernel(
    options:
      & Pick<LiveKernelOptions, "source" | "waveCount" | "wave">
      & { readonly resultWords?: number },
  ): Promise<{ readonly kernel: LiveKernel; readonly results: Uint32Array }> {
    const { resultWords = 1, ...rest } = options;
    const buffer = this.#device.createBuffer(4 * resultWords, "host");
    const results = new Uint32Array(buffer.words!).fill(0);
    const { channel } = this;
    const memory = this.#memory;
    const kernel = await LiveKernel.create(this.#device, {
      ...rest,
      channel,
      memory,
      buffers: [buffer],
      translate,
    });
    return { kernel, results };
  }
}
