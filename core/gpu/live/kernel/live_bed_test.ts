import { translate as naga } from "naga-wasm";
import { increment, TestOpcode } from "../../../testing/conformance/services.ts";
import { Channel } from "../../../toggle/channel.ts";
import type { ChannelShape } from "../../../toggle/layout.ts";
import { Server } from "../../../toggle/server/server.ts";
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

  constructor(device: LiveDevice, on: ChannelShape | Channel) {
    this.channel = on instanceof Channel ? on : Channel.create(on);
    this.#device = device;
    this.#memory = device.importBuffer(this.channel.handle.buffer);
  }

  /** A server of this thread that adds 1, to which others add what they serve. */
  server(): Server {
    const server = new Server(this.channel, { waiter: "spin" });
    server.operate(TestOpcode.increment, increment);
    return server;
  }

  /** Makes a kernel, with a buffer of zeros as `@group(1) @binding(0)`. */
  async kernel(
    { resultWords = 1, ...options }:
      & Pick<LiveKernelOptions, "source" | "waveCount">
      & Partial<LiveKernelOptions>
      & { readonly resultWords?: number },
  ): Promise<{ readonly kernel: LiveKernel; readonly results: Uint32Array }> {
    const buffer = this.#device.createBuffer(4 * resultWords, "host");
    const results = new Uint32Array(buffer.words!).fill(0);
    const { channel } = this;
    const made = { channel, memory: this.#memory, buffers: [buffer], translate, ...options };
    return { kernel: await LiveKernel.create(this.#device, made), results };
  }
}
