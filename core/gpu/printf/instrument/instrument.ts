import type { PrintfFilter } from "../ring/printf_filter.ts";
import { DeviceFollower } from "./device_follower.ts";
import { checkedOptions, type InstrumentOptions } from "./instrument_options.ts";

/** A device whose shaders print. */
export interface Instrumented {
  /**
   * Sets what is printed from the next submit on, without compiling anything.
   *
   * @throws {TypeError} when the filter asks for something else
   * @throws {RangeError} when a number is none of a lane, workgroup or pixel
   */
  readonly setFilter: (filter: PrintfFilter) => void;
  /** Waits until the lines of everything submitted so far are written. */
  readonly settled: () => Promise<void>;
  /** Gives the device its own methods back. What was made in between works on, and prints nothing. */
  readonly uninstall: () => void;
}

const instrumented = new WeakSet<GPUDevice>();

/**
 * Lets every shader of a device print: `printf("x = %f\n", x)` in the code of a module that is made from
 * now on writes a line to the console, in compute and fragment stages, whatever the layouts. A module
 * without `printf` is not touched.
 *
 * A pipeline that prints is made twice, once without its `printf`: the author's objects are those, and
 * the other takes their place in passes while printing is installed.
 *
 * @throws {TypeError} when the device is instrumented already, or an option is no such thing
 * @throws {RangeError} when a number is out of bounds
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../../device/device.ts";
 * import { instrument } from "./instrument.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const { device } = gpu;
 *   const lines: string[] = [];
 *   const printing = instrument(device, { write: ({ message }) => lines.push(message) });
 *
 *   const module = device.createShaderModule({
 *     label: "roots.wgsl",
 *     code: `@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lane: u32) {
 *       printf("%v\\n", sqrt(f32(lane) + 2));
 *     }`,
 *   });
 *   const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
 *   const encoder = device.createCommandEncoder();
 *   const pass = encoder.beginComputePass({ label: "try" });
 *   pass.setPipeline(pipeline);
 *   pass.dispatchWorkgroups(1);
 *   pass.end();
 *   device.queue.submit([encoder.finish()]);
 *
 *   await printing.settled();
 *   printing.uninstall();
 *   const wanted = ["roots.wgsl:2 [try 0:0] 1.41421", "roots.wgsl:2 [try 0:1] 1.73205"];
 *   if (lines.join() !== wanted.join()) throw new Error(lines.join("\n"));
 * }
 * ```
 */
export function instrument(device: GPUDevice, options: InstrumentOptions = {}): Instrumented {
  if (instrumented.has(device)) {
    throw new TypeError("Cannot instrument a device twice: call uninstall() of the first");
  }
  const largest = device.limits.maxStorageBufferBindingSize;
  const follower = new DeviceFollower(device, checkedOptions(options, largest));
  instrumented.add(device);
  return {
    setFilter: (filter) => follower.setFilter(filter),
    settled: () => follower.settled(),
    uninstall: () => {
      if (follower.uninstall()) instrumented.delete(device);
    },
  };
}
