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
