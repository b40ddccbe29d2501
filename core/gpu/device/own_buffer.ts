import { awaitAlive, checkAlive, type GpuDevice } from "./device.ts";
import { noRoomError, type Scoped, underScopes } from "./error_scopes.ts";
import { createReadback } from "./create_readback.ts";
import type { DeviceTask } from "./readback.ts";

/** The part of a buffer to read. */
export interface BufferPart {
  /** Where it begins, a multiple of 4; 0 when absent. */
  readonly startByte?: number;
  /** How long it is, a multiple of 4; up to the buffer's end when absent. */
  readonly bytes?: number;
}

/**
 * Creates a buffer that can be bound, written and read back, for the option `buffers` of `Kernel`,
 * `OneDispatch` and `GpuServer`.
 *
 * @param content the initial content, or a number of zero bytes; a multiple of 4 bytes
 * @throws {RangeError} when the size is not a positive multiple of 4, or more than the device can bind.
 * If the device runs out of memory, the first use of the buffer throws.
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
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const usage = STORAGE | UNIFORM | COPY_SRC | COPY_DST;
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

/** A device reports only later whether it had memory for a buffer. */
const refusals = new WeakMap<GPUBuffer, Scoped<GPUBuffer>["refusal"]>();

/** @throws {RangeError} when the device had no memory for the buffer */
export async function checkMade(buffer: GPUBuffer): Promise<void> {
  const error = await refusals.get(buffer)?.();
  if (error) throw noRoomError("make a buffer", error);
}

/**
 * Reads a buffer after everything submitted so far.
 *
 * @param buffer with the usage `COPY_SRC`, as {@linkcode createOwnBuffer} makes it
 * @returns a copy: `new Float32Array(await readOwnBuffer(gpu, buffer))`
 * @throws {RangeError} when the part is not inside the buffer, or the device had no memory for it
 * @throws {DOMException} `OperationError` when the device rejects the copy, for example of a destroyed
 * buffer, or was lost
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
    return await readback.runAsync(copy());
  } finally {
    await readback.settle();
    readback.destroy();
  }
}
