import { Arena } from "./arena.ts";
import { EXTENSION_FUNCTIONS, FUNCTIONS, RESULT_NAMES } from "./vulkan_tables.ts";

type Symbols = Deno.DynamicLibrary<typeof FUNCTIONS>["symbols"];
/** Functions whose result says whether they succeeded. */
type Fallible = {
  [N in keyof typeof FUNCTIONS]: typeof FUNCTIONS[N]["result"] extends "i32" ? N : never;
}[keyof typeof FUNCTIONS];
/** Objects of a device that one call creates and another destroys. */
type ObjectKind =
  | "Buffer"
  | "CommandPool"
  | "DescriptorPool"
  | "DescriptorSetLayout"
  | "Fence"
  | "PipelineLayout"
  | "ShaderModule";

/** File names of Vulkan's loader by the operating system's name. */
const LOADERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["libvulkan.1.dylib", "libMoltenVK.dylib"],
  windows: ["vulkan-1.dll"],
};
const LOADERS_ELSEWHERE = ["libvulkan.so.1", "libvulkan.so"];

/** Ways out, by results. */
const HINTS: Readonly<Record<string, string>> = {
  VK_ERROR_DEVICE_LOST:
    "ask for a new device; drivers end kernels that run for longer than they allow, and those that fault",
  VK_ERROR_INVALID_EXTERNAL_HANDLE:
    "the driver does not take these pages: use a buffer of the device's own",
  VK_ERROR_OUT_OF_DEVICE_MEMORY: "dispose of buffers that are not needed, or make smaller ones",
  VK_ERROR_OUT_OF_HOST_MEMORY: "dispose of devices and buffers that are not needed",
  VK_ERROR_INVALID_SHADER_NV: "the driver does not understand the code: check it by spirv-val",
};

/** A function of Vulkan's that did not succeed. */
export class VulkanError extends Error {
  /** Its result by name: `VK_ERROR_OUT_OF_DEVICE_MEMORY`. */
  readonly result: string;

  /**
   * Names a result, with the way out where there is one.
   *
   * @param call what failed: the function's name
   * @param result its `VkResult`
   */
  constructor(call: string, result: number) {
    const name = resultName(result);
    super(`Cannot go on as ${call} failed: ${name}${HINTS[name] ? `; ${HINTS[name]}` : ""}`);
    this.name = "VulkanError";
    this.result = name;
  }
}

/** The name of a `VkResult`; one that no registry had when the tables were written keeps its number. */
export function resultName(result: number): string {
  return RESULT_NAMES[result] ?? `VkResult ${result}`;
}

/** The library, and the memory that its functions are passed. For one thread. */
export class Vulkan {
  readonly symbols: Symbols;
  readonly arena: Arena;
  readonly #library: Deno.DynamicLibrary<typeof FUNCTIONS>;

  /**
   * Opens the system's Vulkan loader.
   *
   * @param file the loader's path, where it is not the system's
   * @throws {DOMException} `NotSupportedError` when there is none, or the permission for FFI is missing
   */
  constructor(file?: string) {
    this.#library = open(file === undefined ? LOADERS[Deno.build.os] ?? LOADERS_ELSEWHERE : [file]);
    this.symbols = this.#library.symbols;
    this.arena = new Arena();
  }

  /** Calls a function and throws unless its result is 0. */
  call<N extends Fallible>(name: N, ...values: Parameters<Symbols[N]>): void {
    this.check(name, (this.symbols[name] as (...values: unknown[]) => number)(...values));
  }

  /** @throws {VulkanError} unless the result of a function is 0 */
  check(name: string, result: number): void {
    if (result !== 0) throw new VulkanError(name, result);
  }

  /** Calls a function that ends with an address for a handle, and returns that handle. */
  handle(make: (place: bigint) => void): bigint {
    return this.arena.scope(() => {
      const place = this.arena.take(8);
      make(place);
      return this.arena.u64(place);
    });
  }

  /**
   * Creates an object of a device, and has the stack destroy it.
   *
   * @param info the address of what describes it
   */
  create(kind: ObjectKind, { device, stack }: Owner, info: bigint): bigint {
    const handle = this.handle((place) => this.call(`vkCreate${kind}`, device, info, 0n, place));
    stack.defer(() => this.symbols[`vkDestroy${kind}`](device, handle, 0n));
    return handle;
  }

  /** A function of an extension, by a device that has enabled it. */
  extensionFunction<N extends keyof typeof EXTENSION_FUNCTIONS>(
    device: bigint,
    name: N,
  ): Deno.UnsafeFnPointer<typeof EXTENSION_FUNCTIONS[N]> {
    const { arena, symbols } = this;
    const pointer = arena.scope(() => symbols.vkGetDeviceProcAddr(device, arena.text(name)));
    if (!pointer) throw notSupported(`the device has no function ${name}`);
    return new Deno.UnsafeFnPointer(pointer as never, EXTENSION_FUNCTIONS[name]);
  }

  [Symbol.dispose](): void {
    this.#library.close();
  }
}

/** What an object of Vulkan's belongs to: a device, and the list of what ends with it. */
export interface Owner {
  readonly device: bigint;
  readonly stack: DisposableStack;
}

/** The error for what cannot be had on this machine. */
export function notSupported(reason: string, cause?: unknown): DOMException {
  const error = new DOMException(`Cannot use Vulkan as ${reason}`, "NotSupportedError");
  if (cause !== undefined) error.cause = cause;
  return error;
}

function open(files: readonly string[]): Deno.DynamicLibrary<typeof FUNCTIONS> {
  const reasons: string[] = [];
  for (const file of files) {
    try {
      return Deno.dlopen(file, FUNCTIONS);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) {
        throw notSupported("the permission for FFI is missing: run with --allow-ffi", error);
      }
      reasons.push((error as Error).message);
    }
  }
  throw notSupported(
    `no library of it can be opened (${reasons.join("; ")}): install a Vulkan loader and driver, ` +
      "such as the Debian packages libvulkan1 and mesa-vulkan-drivers, or name a file",
  );
}
