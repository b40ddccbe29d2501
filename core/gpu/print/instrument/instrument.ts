import { filterWords, type PrintfFilter } from "../ring/printf_filter.ts";
import { DeviceFollower } from "./device_follower.ts";
import { Hooks } from "./hooks.ts";
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
 * Of `navigator.gpu`, it is every device that is requested from now on, as by an engine.
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
export function instrument(
  target: GPUDevice | GPU,
  options: InstrumentOptions = {},
): Instrumented {
  if (!target || !("requestAdapter" in target || "createShaderModule" in target)) {
    throw new TypeError(
      `Cannot instrument as it takes a GPUDevice, or navigator.gpu: current value is ${target}`,
    );
  }
  return "requestAdapter" in target
    ? instrumentAll(target, options)
    : instrumentDevice(target, options);
}

function instrumentDevice(device: GPUDevice, options: InstrumentOptions): Instrumented {
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

/** Follows the devices that are requested from now on, for programs that request them out of sight. */
function instrumentAll(gpu: GPU, options: InstrumentOptions): Instrumented {
  checkedOptions(options, Number.MAX_SAFE_INTEGER);
  const hooks = new Hooks();
  const devices: Instrumented[] = [];
  let own = options;
  hooks.replace(gpu, "requestAdapter", (real) => async (...args) => {
    const adapter = await real.apply(gpu, args) as GPUAdapter | null;
    if (!adapter) return adapter;
    hooks.replace(adapter, "requestDevice", (real) => async (...args) => {
      const device = await real.apply(adapter, args) as GPUDevice;
      devices.push(instrumentDevice(device, own));
      return device;
    });
    return adapter;
  });
  return {
    setFilter: (filter) => {
      filterWords(filter);
      own = { ...own, filter };
      devices.forEach((one) => one.setFilter(filter));
    },
    settled: async () => {
      await Promise.all(devices.map((one) => one.settled()));
    },
    uninstall: () => {
      hooks.undo();
      devices.forEach((one) => one.uninstall());
    },
  };
}
