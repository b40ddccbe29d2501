import { AsyncLocalStorage } from "node:async_hooks";
import type { AtomicAccess } from "../../../toggle/design/atomics_needed.ts";
import { resultName, Vulkan } from "../vulkan/vulkan.ts";
import { type BufferMaker, importBuffer, type LiveBuffer, ownBuffer } from "./live_buffer.ts";
import { LivePipeline, type LivePipelineOptions, type PipelineMaker } from "./live_pipeline.ts";
import {
  chooseDevice,
  type DeviceChoice,
  enabledFeatures,
  type LiveDeviceInfo,
  type PhysicalDevice,
  physicalDevices,
  withoutDriver,
} from "./physical_device.ts";

/** Which device is wanted, and by which library. */
export interface LiveDeviceOptions extends DeviceChoice {
  /** The path of a Vulkan loader; the system's when absent. Loaders read `VK_DRIVER_FILES` for drivers. */
  readonly library?: string;
  /**
   * What is atomic between the device's waves and the host, where the caller knows it: else what the system
   * tells, see {@linkcode LiveDeviceInfo.hostAtomics}.
   */
  readonly hostAtomics?: readonly AtomicAccess[];
}

/** Vulkan 1.3 is what this library knows; devices that have less are asked for less. */
const API_VERSION = (1 << 22) | (3 << 12);

/** The devices whose dispatches wait for the code that runs. */
const waitingDevices = new AsyncLocalStorage<readonly LiveDevice[]>();

/**
 * A device of Vulkan's on which kernels run beside this program, on the same memory: what a wave stores
 * is there for the host while the kernel still runs, and the other way round. For one thread; threads
 * that need the memory need no device.
 */
export class LiveDevice {
  /** What it is. */
  readonly info: LiveDeviceInfo;
  readonly #maker: BufferMaker & PipelineMaker & {
    readonly forget: (one: LiveBuffer | LivePipeline) => void;
  };
  readonly #stack: DisposableStack;
  /** In the order in which they were made. */
  readonly #children = new Set<LiveBuffer | LivePipeline>();

  /**
   * @internal For `requestLiveDevice`.
   * @param stack the device, and what it stands on
   */
  constructor(
    maker: Omit<BufferMaker & PipelineMaker, "forget">,
    info: LiveDeviceInfo,
    stack: DisposableStack,
  ) {
    this.#maker = { ...maker, forget: (one) => this.#children.delete(one) };
    this.info = info;
    this.#stack = stack;
  }

  /**
   * Makes a SharedArrayBuffer a storage buffer, as it lies in memory: without a copy, and with all
   * threads that have it. It must consist of whole pages, as that of a `WebAssembly.Memory` does. Its pages
   * are replaced by others with the same contents: nobody may write to it meanwhile.
   *
   * @throws {DOMException} `NotSupportedError` when the device or the system cannot do that
   * @throws {RangeError} when the buffer does not consist of whole pages
   * @throws {VulkanError} when the driver refuses it
   */
  importBuffer(words: SharedArrayBuffer): LiveBuffer {
    return this.#keep(() => importBuffer(this.#maker, words));
  }

  /**
   * Makes a storage buffer, whose contents are undefined.
   *
   * @param bytes a multiple of 4
   * @param place `host`: memory that this thread and the device both reach; `device`: the device's own
   * @throws {RangeError} when the device has no buffers of that size
   * @throws {VulkanError} when it has not so much memory left
   */
  createBuffer(bytes: number, place: "host" | "device"): LiveBuffer {
    return this.#keep(() => ownBuffer(this.#maker, bytes, place));
  }

  /**
   * Compiles a compute shader.
   *
   * @throws {TypeError} when the code is no SPIR-V or does not fit the options, or a buffer was disposed of
   * or is another device's
   * @throws {VulkanError} when the driver refuses it
   */
  createPipeline(options: LivePipelineOptions): LivePipeline {
    const foreign = options.groups.flat().find((one) =>
      !this.#children.has(one) && !one.isDisposed
    );
    if (foreign) {
      throw new TypeError(
        `Cannot make a pipeline as a buffer of ${foreign.bytes} bytes is another device's: import or make it on this one`,
      );
    }
    return this.#keep(() => new LivePipeline(this.#maker, options));
  }

  /**
   * @internal Serves a dispatch, which takes the device: what a function of the host that is served asks of it
   * would wait for ever.
   *
   * @throws {TypeError} when such a function asks for it
   */
  accompany<T>(serve: () => T): T {
    const devices = waitingDevices.getStore() ?? [];
    if (!devices.includes(this)) return waitingDevices.run([...devices, this], serve);
    throw new TypeError(
      "Cannot run the kernel as a function of the host asks for it while the device waits for that function: use another LiveDevice, if it has processors of its own",
    );
  }

  #keep<T extends LiveBuffer | LivePipeline>(make: () => T): T {
    if (this.#stack.disposed) throw new TypeError("Cannot use a device as it was disposed of");
    const made = make();
    this.#children.add(made);
    return made;
  }

  /**
   * Ends what runs, and frees all that was made with the device, the last first. Once.
   *
   * @throws {DOMException} `TimeoutError` when waves do not leave: then what they need is not freed
   */
  [Symbol.dispose](): void {
    for (const one of [...this.#children].reverse()) one[Symbol.dispose]();
    this.#stack.dispose();
  }
}

/**
 * Opens a device on which kernels call the host while they run: hardware before software.
 *
 * @throws {DOMException} `NotSupportedError` where there is no Vulkan, no such device, or no permission
 * for FFI
 * @throws {VulkanError} when the driver refuses
 */
export function requestLiveDevice(options: LiveDeviceOptions = {}): LiveDevice {
  using stack = new DisposableStack();
  const vulkan = stack.use(new Vulkan(options.library));
  return vulkan.arena.scope(() => {
    const instance = createInstance(vulkan, stack);
    const chosen = chooseDevice(physicalDevices(vulkan, instance), options);
    const { queueFamily } = chosen;
    const accesses = options.hostAtomics;
    const info = accesses
      ? { ...chosen.info, hostAtomics: { accesses, source: "the option hostAtomics" } }
      : chosen.info;
    const device = createDevice(vulkan, chosen, stack);
    const queue = vulkan.handle((place) =>
      vulkan.symbols.vkGetDeviceQueue(device, queueFamily, 0, place)
    );
    return new LiveDevice({ ...info, vulkan, device, queueFamily, queue }, info, stack.move());
  });
}

/**
 * What devices there are, in the order of their indices.
 *
 * @throws {DOMException} `NotSupportedError` where there is no Vulkan, or no permission for FFI
 */
export function listLiveDevices(
  { library }: Pick<LiveDeviceOptions, "library"> = {},
): readonly LiveDeviceInfo[] {
  using stack = new DisposableStack();
  const vulkan = stack.use(new Vulkan(library));
  return vulkan.arena.scope(() =>
    physicalDevices(vulkan, createInstance(vulkan, stack)).map(({ info }) => info)
  );
}

function createInstance(vulkan: Vulkan, stack: DisposableStack): bigint {
  const { arena, symbols } = vulkan;
  const pApplicationInfo = arena.struct("VkApplicationInfo", { apiVersion: API_VERSION });
  const info = arena.struct("VkInstanceCreateInfo", { pApplicationInfo });
  const instance = vulkan.handle((place) => {
    const result = symbols.vkCreateInstance(info, 0n, place);
    if (resultName(result) === "VK_ERROR_INCOMPATIBLE_DRIVER") throw withoutDriver();
    vulkan.check("vkCreateInstance", result);
  });
  stack.defer(() => symbols.vkDestroyInstance(instance, 0n));
  return instance;
}

function createDevice(vulkan: Vulkan, chosen: PhysicalDevice, stack: DisposableStack): bigint {
  const { arena, symbols } = vulkan;
  const { handle, info, extensions, queueFamily } = chosen;
  const queue = arena.struct("VkDeviceQueueCreateInfo", {
    queueFamilyIndex: queueFamily,
    queueCount: 1,
    pQueuePriorities: arena.copy(new Uint8Array(Float32Array.of(1).buffer)),
  });
  const wanted = arena.struct("VkDeviceCreateInfo", {
    pNext: enabledFeatures(vulkan, info.features),
    queueCreateInfoCount: 1,
    pQueueCreateInfos: queue,
    enabledExtensionCount: extensions.length,
    ppEnabledExtensionNames: arena.array(extensions.map((name) => arena.text(name))),
  });
  const device = vulkan.handle((place) => vulkan.call("vkCreateDevice", handle, wanted, 0n, place));
  stack.defer(() => symbols.vkDestroyDevice(device, 0n));
  return device;
}
