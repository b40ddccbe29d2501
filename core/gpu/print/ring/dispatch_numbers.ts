/** Numbers of dispatches and draws in a record; the last one stands for all that are beyond. */
export const DISPATCH_COUNT = 1024;

/** Bindings of uniforms begin at a multiple of this on every device. */
const STRIDE_BYTES = 256;
const CHUNK_COUNT = 64;

const ofDevice = new WeakMap<GPUDevice, GPUBuffer[]>();

/**
 * The binding of a number, from 0: by it, a shader knows its dispatch. All rings of a device use the
 * same small buffers, which never change.
 */
export function dispatchNumber(device: GPUDevice, number: number): GPUBufferBinding {
  const chunks = ofDevice.get(device) ?? [];
  ofDevice.set(device, chunks);
  const chunk = Math.floor(number / CHUNK_COUNT);
  const buffer = chunks[chunk] ??= createChunk(device, chunk * CHUNK_COUNT);
  return { buffer, offset: (number % CHUNK_COUNT) * STRIDE_BYTES, size: 16 };
}

function createChunk(device: GPUDevice, first: number): GPUBuffer {
  const buffer = device.createBuffer({
    size: CHUNK_COUNT * STRIDE_BYTES,
    usage: GPUBufferUsage.UNIFORM,
    label: "printf dispatches",
    mappedAtCreation: true,
  });
  const words = new Uint32Array(buffer.getMappedRange());
  for (let at = 0; at < CHUNK_COUNT; at++) words[at * STRIDE_BYTES / 4] = first + at;
  buffer.unmap();
  return buffer;
}
