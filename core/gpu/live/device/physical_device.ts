import { type HostAtomics, hostAtomicsOf } from "./host_atomics.ts";
import type { Read, StructName } from "../vulkan/arena.ts";
import { notSupported, resultName, type Vulkan } from "../vulkan/vulkan.ts";
import { CONSTANTS } from "../vulkan/vulkan_tables.ts";

/** What a device is, in words and numbers. */
export interface LiveDeviceInfo {
  /** Its place in the driver's list, from 0. */
  readonly index: number;
  /** As the driver names it: `"SwiftShader Device (Subzero)"`. */
  readonly name: string;
  /** What it is made of. */
  readonly kind: "discrete" | "integrated" | "virtual" | "software" | "other";
  /** The driver's name and version. */
  readonly driver: string;
  /** The version of Vulkan that it implements: `"1.3"`. */
  readonly version: string;
  /** Its kinds of memory, in the driver's order. */
  readonly memoryTypes: readonly LiveMemoryType[];
  /** What the address and the bytes of imported memory are multiples of; absent where none can be imported. */
  readonly importAlignmentBytes?: number;
  /** Lanes of a subgroup. */
  readonly subgroupLaneCount: number;
  /** What subgroups of compute shaders can do: `basic`, `ballot`, … */
  readonly subgroupOperations: readonly string[];
  /** Features that are switched on, as Vulkan names them: `robustBufferAccess`, `shaderDeviceClock`. */
  readonly features: readonly string[];
  /** The bits of the queue's timestamps that mean something; 0 where it has none. */
  readonly timestampBits: number;
  /** How long one step of a timestamp takes. */
  readonly timestampNanoseconds: number;
  /** The most bytes that a storage buffer may have. */
  readonly storageBytesMax: number;
  /** The most invocations of a workgroup. */
  readonly invocationsMax: number;
  /** What is atomic between its waves and threads of the host, on the host's memory. */
  readonly hostAtomics: HostAtomics;
}

/** One kind of memory that a device has. */
export interface LiveMemoryType {
  /** The bytes of the heap that it is part of. */
  readonly heapBytes: number;
  /** `deviceLocal`, `hostVisible`, `hostCoherent`, `hostCached`. */
  readonly properties: readonly string[];
}

/** A device that can be opened. */
export interface PhysicalDevice {
  readonly handle: bigint;
  readonly info: LiveDeviceInfo;
  /** Extensions to switch on. */
  readonly extensions: readonly string[];
  /** The first family of queues that computes. */
  readonly queueFamily: number;
}

/** What a device switches on where it is there, with the extension for versions before `sinceMinor`. */
const FEATURES: readonly {
  readonly extension?: string;
  readonly sinceMinor: number;
  readonly struct: StructName;
  readonly names: readonly string[];
}[] = [
  {
    extension: "VK_KHR_vulkan_memory_model",
    sinceMinor: 2,
    struct: "VkPhysicalDeviceVulkanMemoryModelFeatures",
    names: ["vulkanMemoryModel", "vulkanMemoryModelDeviceScope"],
  },
  {
    extension: "VK_EXT_subgroup_size_control",
    sinceMinor: 3,
    struct: "VkPhysicalDeviceSubgroupSizeControlFeatures",
    names: ["subgroupSizeControl", "computeFullSubgroups"],
  },
  {
    extension: "VK_KHR_shader_clock",
    sinceMinor: Infinity,
    struct: "VkPhysicalDeviceShaderClockFeaturesKHR",
    names: ["shaderSubgroupClock", "shaderDeviceClock"],
  },
];
const BUS_EXTENSION = "VK_EXT_pci_bus_info";
const IMPORT_EXTENSION = "VK_EXT_external_memory_host";
const KINDS: Readonly<Record<number, LiveDeviceInfo["kind"]>> = {
  [CONSTANTS.VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU]: "discrete",
  [CONSTANTS.VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU]: "integrated",
  [CONSTANTS.VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU]: "virtual",
  [CONSTANTS.VK_PHYSICAL_DEVICE_TYPE_CPU]: "software",
};
const OPERATIONS: Readonly<Record<string, number>> = {
  basic: CONSTANTS.VK_SUBGROUP_FEATURE_BASIC_BIT,
  vote: CONSTANTS.VK_SUBGROUP_FEATURE_VOTE_BIT,
  arithmetic: CONSTANTS.VK_SUBGROUP_FEATURE_ARITHMETIC_BIT,
  ballot: CONSTANTS.VK_SUBGROUP_FEATURE_BALLOT_BIT,
  shuffle: CONSTANTS.VK_SUBGROUP_FEATURE_SHUFFLE_BIT,
};
const MEMORY_PROPERTIES: Readonly<Record<string, number>> = {
  deviceLocal: CONSTANTS.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
  hostVisible: CONSTANTS.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
  hostCoherent: CONSTANTS.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
  hostCached: CONSTANTS.VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
};

/** The devices of an instance, in the order of the driver's list. */
export function physicalDevices(vulkan: Vulkan, instance: bigint): PhysicalDevice[] {
  const { arena } = vulkan;
  return arena.scope(() => {
    const count = arena.take(4);
    const result = vulkan.symbols.vkEnumeratePhysicalDevices(instance, count, 0n);
    // What a driver says that finds none of its hardware.
    if (resultName(result) === "VK_ERROR_INITIALIZATION_FAILED") return [];
    vulkan.check("vkEnumeratePhysicalDevices", result);
    const handles = arena.take(8 * arena.u32(count));
    vulkan.call("vkEnumeratePhysicalDevices", instance, count, handles);
    return Array.from({ length: arena.u32(count) }, (_, index) => {
      const handle = arena.u64(handles + 8n * BigInt(index));
      return arena.scope(() => describe(vulkan, handle, index));
    }).filter((found) => found !== undefined);
  });
}

/** @returns undefined for a device that computes nothing, or whose Vulkan is older than 1.1 */
function describe(vulkan: Vulkan, handle: bigint, index: number): PhysicalDevice | undefined {
  const { arena, symbols } = vulkan;
  const offered = extensionsOf(vulkan, handle);
  const driver = arena.struct("VkPhysicalDeviceDriverProperties");
  const hostMemory = arena.struct("VkPhysicalDeviceExternalMemoryHostPropertiesEXT", {
    pNext: driver,
  });
  const bus = arena.struct("VkPhysicalDevicePCIBusInfoPropertiesEXT", { pNext: hostMemory });
  const subgroup = arena.struct("VkPhysicalDeviceSubgroupProperties", {
    pNext: offered.has(BUS_EXTENSION) ? bus : hostMemory,
  });
  const all = arena.struct("VkPhysicalDeviceProperties2", { pNext: subgroup });
  symbols.vkGetPhysicalDeviceProperties2(handle, all);
  const { properties } = arena.read("VkPhysicalDeviceProperties2", all);
  const minor = (properties.apiVersion >>> 12) & 0x3ff;
  const family = queueFamilyOf(vulkan, handle);
  if (minor < 1 || !family) return undefined;
  const { features, extensions } = featuresOf(vulkan, handle, { minor, offered });
  const { driverName, driverInfo } = arena.read("VkPhysicalDeviceDriverProperties", driver);
  const { subgroupSize, supportedOperations, supportedStages } = arena.read(
    "VkPhysicalDeviceSubgroupProperties",
    subgroup,
  );
  const canImport = offered.has(IMPORT_EXTENSION);
  const alignment = arena.read("VkPhysicalDeviceExternalMemoryHostPropertiesEXT", hostMemory)
    .minImportedHostPointerAlignment;
  const { limits } = properties;
  const info: LiveDeviceInfo = {
    index,
    name: properties.deviceName,
    kind: KINDS[properties.deviceType] ?? "other",
    driver: `${driverName} ${driverInfo}`.trim(),
    version: `1.${minor}`,
    memoryTypes: memoryTypesOf(vulkan, handle),
    ...canImport && { importAlignmentBytes: Number(alignment) },
    subgroupLaneCount: subgroupSize,
    subgroupOperations: supportedStages & CONSTANTS.VK_SHADER_STAGE_COMPUTE_BIT
      ? namesOf(OPERATIONS, supportedOperations)
      : [],
    features,
    timestampBits: family.timestampBits,
    timestampNanoseconds: limits.timestampPeriod,
    storageBytesMax: limits.maxStorageBufferRange,
    invocationsMax: limits.maxComputeWorkGroupInvocations,
    hostAtomics: hostAtomicsOf(
      properties.deviceType === CONSTANTS.VK_PHYSICAL_DEVICE_TYPE_CPU,
      offered.has(BUS_EXTENSION)
        ? arena.read("VkPhysicalDevicePCIBusInfoPropertiesEXT", bus)
        : undefined,
    ),
  };
  const imports = canImport ? [IMPORT_EXTENSION] : [];
  return { handle, info, extensions: [...extensions, ...imports], queueFamily: family.index };
}

function extensionsOf(vulkan: Vulkan, device: bigint): ReadonlySet<string> {
  const { arena } = vulkan;
  return arena.scope(() => {
    const count = arena.take(4);
    vulkan.call("vkEnumerateDeviceExtensionProperties", device, 0n, count, 0n);
    const all = arena.structs("VkExtensionProperties", Array(arena.u32(count)).fill({}));
    vulkan.call("vkEnumerateDeviceExtensionProperties", device, 0n, count, all);
    const found = arena.readAll("VkExtensionProperties", all, arena.u32(count));
    return new Set(found.map(({ extensionName }) => extensionName));
  });
}

function queueFamilyOf({ arena, symbols }: Vulkan, device: bigint) {
  return arena.scope(() => {
    const count = arena.take(4);
    symbols.vkGetPhysicalDeviceQueueFamilyProperties(device, count, 0n);
    const all = arena.structs("VkQueueFamilyProperties", Array(arena.u32(count)).fill({}));
    symbols.vkGetPhysicalDeviceQueueFamilyProperties(device, count, all);
    return arena.readAll("VkQueueFamilyProperties", all, arena.u32(count))
      .map(({ queueFlags, timestampValidBits: timestampBits }, index) => ({
        queueFlags,
        timestampBits,
        index,
      }))
      .find(({ queueFlags }) => queueFlags & CONSTANTS.VK_QUEUE_COMPUTE_BIT);
  });
}

function featuresOf(
  { arena, symbols }: Vulkan,
  device: bigint,
  has: { readonly minor: number; readonly offered: ReadonlySet<string> },
) {
  const known = FEATURES.filter(({ extension, sinceMinor }) =>
    has.minor >= sinceMinor || has.offered.has(extension!)
  );
  let pNext = 0n;
  const places = known.map(({ struct }) => pNext = arena.struct(struct, { pNext } as never));
  const all = arena.struct("VkPhysicalDeviceFeatures2", { pNext });
  symbols.vkGetPhysicalDeviceFeatures2(device, all);
  const core = arena.read("VkPhysicalDeviceFeatures2", all).features;
  const found = known.map(({ struct, names }, index) => {
    const values = arena.read(struct, places[index]!) as Readonly<Record<string, unknown>>;
    return names.filter((name) => values[name] === 1);
  });
  const extensions = known.filter(({ sinceMinor }, index) =>
    sinceMinor > has.minor && found[index]!.length > 0
  ).map(({ extension }) => extension!);
  const ofCore = Object.keys(core).filter((name) => core[name as keyof typeof core] === 1);
  return { features: [...ofCore, ...found.flat()], extensions };
}

/** Structures that switch the features on: the address of the first, each of which leads to the next. */
export function enabledFeatures({ arena }: Vulkan, names: readonly string[]): bigint {
  const valuesOf = (wanted: readonly string[]) =>
    Object.fromEntries(wanted.filter((name) => names.includes(name)).map((name) => [name, 1]));
  let pNext = 0n;
  for (const { struct, names: wanted } of FEATURES) {
    const values = valuesOf(wanted);
    if (Object.keys(values).length > 0) pNext = arena.struct(struct, { pNext, ...values } as never);
  }
  const features = valuesOf(["robustBufferAccess", "shaderInt64"]);
  return arena.struct("VkPhysicalDeviceFeatures2", { pNext, features });
}

function memoryTypesOf({ arena, symbols }: Vulkan, device: bigint): readonly LiveMemoryType[] {
  const place = arena.struct("VkPhysicalDeviceMemoryProperties");
  symbols.vkGetPhysicalDeviceMemoryProperties(device, place);
  const all: Read<"VkPhysicalDeviceMemoryProperties"> = arena.read(
    "VkPhysicalDeviceMemoryProperties",
    place,
  );
  return all.memoryTypes.slice(0, all.memoryTypeCount).map(({ propertyFlags, heapIndex }) => ({
    heapBytes: Number(all.memoryHeaps[heapIndex]!.size),
    properties: namesOf(MEMORY_PROPERTIES, propertyFlags),
  }));
}

function namesOf(bits: Readonly<Record<string, number>>, flags: number): string[] {
  return Object.keys(bits).filter((name) => flags & bits[name]!);
}

/** Which device is wanted. */
export interface DeviceChoice {
  /** Part of its name, in whatever case; any when absent. */
  readonly name?: string;
  /** Its place in the list, from 0; any when absent. */
  readonly index?: number;
}

const KINDS_BY_SPEED: readonly LiveDeviceInfo["kind"][] = [
  "discrete",
  "integrated",
  "virtual",
  "other",
  "software",
];

/**
 * Chooses a device: hardware before software, and otherwise the first.
 *
 * @throws {DOMException} `NotSupportedError` where no device fits, with those that there are
 */
export function chooseDevice(
  devices: readonly PhysicalDevice[],
  { name = "", index }: DeviceChoice,
): PhysicalDevice {
  const rankOf = ({ info }: PhysicalDevice) => KINDS_BY_SPEED.indexOf(info.kind);
  const [chosen] = devices
    .filter(({ info }) => info.name.toLowerCase().includes(name.toLowerCase()))
    .filter(({ info }) => index === undefined || info.index === index)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  if (chosen) return chosen;
  if (devices.length === 0) throw withoutDriver();
  const wanted = [name && `named ${name}`, index === undefined ? "" : `of index ${index}`]
    .filter((text) => text).join(" and ");
  const found = devices.map(({ info }) => `${info.index} ${info.name}`).join(", ");
  throw notSupported(`there is no device ${wanted}: there are ${found}`);
}

/** The error where no driver has a device that computes. */
export function withoutDriver(): DOMException {
  return notSupported(
    "no driver has a device that computes: install one, such as the Debian package " +
      "mesa-vulkan-drivers, or name the file that describes it in VK_DRIVER_FILES",
  );
}
