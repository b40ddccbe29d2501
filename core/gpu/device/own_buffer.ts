import { awaitAlive, checkAlive, type GpuDevice } from "./device.ts";
import { noRoomError, type Scoped, underScopes } from "./error_scopes.ts";
import { createReadback } from "./create_readback.ts";
import type { DeviceTask } from "./readback.ts";

/** Which part of a buffer is read. */
export interface BufferPart {
  /** Where it begins, a multiple of 4; 0 when absent. */
  readonly startByte?: number;
  /** How long it is, a multiple of 4; up to the buffer's end when absent. */
  readonly bytes?: number;
}

/**
 * Makes a buffer for a kernel, which can be bound, written and read back: one of the option
 * `buffers` of `Kernel`, `Live` and `GpuServer`.
 *
 * @param content what is in it at first, or how many bytes of zeros; a multiple of 4
 * @throws {RangeError} when the size is no such number, or beyond what the device can bind; that it
 * has no room for it, a device tells those who use the buffer
 */
export function createOwnBuffer(gpu: GpuDevice, content: ArrayBufferView | number): GPUBuffer {
  checkAlive(gpu, "make a buffer");
  const size = typeof content === "number" ? content : content.byteLength;
  const { maxStorageBufferBindingSize } = gpu.device.limits;
  if (!(Number.isInteger(size / 4) && size >= 4 && size <= maxStorageBufferBindingSize)) {
    throw new RangeError(
      `Cannot make a buffer as its bytes must be a multiple of 4 up to ${maxStorageBufferBindingSize}: current value is ${size}`,
    );
  }
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const { result: buffer, refusal } = underScopes(gpu.device, () => {
    const buffer = gpu.device.createBuffer({ size, usage, label: "own" });
    if (typeof content !== "number") {
      gpu.device.queue.writeBuffer(buffer, 0, content as ArrayBufferView<ArrayBuffer>);
    }
    return buffer;
  });
  refusals.set(buffer, refusal);
  return buffer;
}

/** The device says later whether it had room for a buffer: to those who use it. */
const refusals = new WeakMap<GPUBuffer, Scoped<GPUBuffer>["refusal"]>();

/** @throws {RangeError} when the device had no room for an own buffer */
export async function checkMade(buffer: GPUBuffer): Promise<void> {
  const error = await refusals.get(buffer)?.();
  if (error) throw noRoomError("make a buffer", error);
}

/**
 * Copies what is in a buffer after all that was submitted before.
 *
 * @param buffer with the usage `COPY_SRC`, as {@linkcode createOwnBuffer} makes it
 * @returns bytes of its own: `new Float32Array(await readOwnBuffer(gpu, buffer))`
 * @throws {RangeError} when the part is not inside the buffer, or the device had no room for it
 * @throws {DOMException} `OperationError` when the device refuses the copy, as of a buffer that was
 * destroyed, or was lost
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * import { createOwnBuffer, readOwnBuffer } from "./own_buffer.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const buffer = createOwnBuffer(gpu, Float32Array.of(1.5, 2.5));
 *   const [, second] = new Float32Array(await readOwnBuffer(gpu, buffer));
 *   if (second !== 2.5) throw new Error("as it was written");
 *   buffer.destroy();
 * }
 * ```
 */
export async function readOwnBuffer(
  gpu: GpuDevice,
  buffer: GPUBuffer,
  { startByte = 0, bytes = buffer.size - startByte }: BufferPart = {},
): Promise<ArrayBuffer> {
  await awaitAlive(gpu, "read a buffer");
  const isInside = startByte >= 0 && bytes >= 4 && startByte + bytes <= buffer.size;
  if (!isInside || startByte % 4 !== 0 || bytes % 4 !== 0) {
    throw new RangeError(
      `Cannot read the buffer as the part must lie in its ${buffer.size} bytes, at multiples of 4: current part is ${bytes} from ${startByte}`,
    );
  }
  await checkMade(buffer);
  const readback = await createReadback(gpu.device, { bytes });
  const copy = function* (): DeviceTask<ArrayBuffer> {
    let words = new Int32Array();
    yield {
      what: "read the buffer",
      encode: (_, copyOut) => copyOut(buffer, startByte, 0, bytes),
      use: (mapped) => words = mapped.slice(),
    };
    return words.buffer;
  };
  try {
    return await readback.run(copy());
  } finally {
    await readback.settle();
    readback.destroy();
  }
}
