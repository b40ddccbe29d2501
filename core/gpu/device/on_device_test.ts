import { type GpuDevice, requestGpuDevice } from "./device.ts";

/** The device of this test file, or `undefined` on a machine without an adapter. */
export const gpu: GpuDevice | undefined = await requestGpuDevice().catch(() => undefined);

/** A test that needs a device; where there is none it is skipped, and its name says so. */
export function onDevice(name: string, test: (gpu: GpuDevice) => void | Promise<void>): void {
  Deno.test({
    name: gpu ? name : `${name} (skipped: no GPU adapter, see deno task doctor)`,
    ignore: gpu === undefined,
    fn: () => test(gpu!),
  });
}

/** The device, but for some of its members. */
export function deviceWith(device: GPUDevice, methods: Partial<GPUDevice>): GPUDevice {
  return new Proxy(device, {
    get: (_, name) => {
      if (name in methods) return Reflect.get(methods, name);
      const value = Reflect.get(device, name, device);
      return typeof value === "function" ? value.bind(device) : value;
    },
  });
}

/** The device, but for a compiler that makes another program of the code. */
export function compilingAs(device: GPUDevice, change: (code: string) => string): GPUDevice {
  return deviceWith(device, {
    createShaderModule: (descriptor) =>
      device.createShaderModule({ ...descriptor, code: change(descriptor.code) }),
  });
}

/** The device, but for what its readback buffers answer when they are read. */
export function tamperedDevice(device: GPUDevice, getMappedRange: () => ArrayBuffer): GPUDevice {
  return deviceWith(device, {
    createBuffer: (descriptor) => {
      const buffer = device.createBuffer(descriptor);
      const isReadback = (descriptor.usage & GPUBufferUsage.MAP_READ) !== 0;
      // Patched in place: the runtime takes nothing but its own buffers.
      return isReadback ? Object.assign(buffer, { getMappedRange }) : buffer;
    },
  });
}

/** Reads nothing, as where a buffer is not mapped before its promise has resolved. */
export function refuseToRead(): never {
  throw new DOMException("Buffer is not mapped", "OperationError");
}
