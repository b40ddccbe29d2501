import { checkChoice } from "../../text/choice.ts";
import {
  AwaitedReadback,
  EagerReadback,
  type Readback,
  READBACK_NAMES,
  type ReadbackName,
} from "./readback.ts";
import { ReadbackBuffer } from "./readback_buffer.ts";
import { probeEagerReadback, type ReadbackProbe } from "./readback_probe.ts";

/** What a readback is made of. */
export interface ReadbackOptions {
  /** The most that one read copies out; a multiple of 4, of at least 4. */
  readonly bytes: number;
  /** The fastest way that may be trusted when absent: `eager` where its probe passes. */
  readonly readback?: ReadbackName | undefined;
}

/**
 * Allocates a buffer to read back through, and chooses how it is read. A device is probed once.
 *
 * @throws {TypeError} when there is no such way of reading back
 * @throws {RangeError} when the device has no room for the buffer
 * @throws {DOMException} `NotSupportedError` when eager readback is wanted and failed its probe
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * import type { DeviceTask } from "./readback.ts";
 * import { createReadback } from "./create_readback.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const { device } = gpu;
 *   const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
 *   const buffer = device.createBuffer({ size: 256, usage });
 *   const readback = await createReadback(device, { bytes: 256 });
 *   const firstWord = function* (): DeviceTask<number> {
 *     let word = -1;
 *     yield {
 *       what: "read the first word",
 *       encode: (_, copyOut) => {
 *         device.queue.writeBuffer(buffer, 0, Int32Array.of(42));
 *         copyOut(buffer, 0, 0, 256);
 *       },
 *       use: (words) => word = words[0]!,
 *     };
 *     return word;
 *   };
 *   if (await readback.run(firstWord()) !== 42) throw new Error("what was written");
 *   readback.destroy();
 *   buffer.destroy();
 * }
 * ```
 */
export async function createReadback(
  device: GPUDevice,
  { bytes, readback }: ReadbackOptions,
): Promise<Readback> {
  checkChoice("read back", { readback }, READBACK_NAMES);
  const isEager = readback !== "awaited" && await mayReadEagerly(device, readback);
  const buffer = await ReadbackBuffer.allocate(device, bytes);
  return isEager ? new EagerReadback(device, buffer) : new AwaitedReadback(device, buffer);
}

const probes = new WeakMap<GPUDevice, Promise<ReadbackProbe>>();

async function mayReadEagerly(device: GPUDevice, wanted?: "eager"): Promise<boolean> {
  const probing = probes.get(device) ?? probeEagerReadback(device);
  probes.set(device, probing);
  const { passed, detail } = await probing;
  if (passed || wanted === undefined) return passed;
  throw new DOMException(
    `Cannot read back eagerly as the device failed its probe: ${detail}; use awaited readback`,
    "NotSupportedError",
  );
}
