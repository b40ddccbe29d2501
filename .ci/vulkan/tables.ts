import type { Registry, Structure } from "./registry.ts";

function namesIn(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Structures of which only some fields are used. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  VkPhysicalDeviceDriverProperties: ["pNext", "driverName", "driverInfo"],
  VkPhysicalDeviceFeatures: ["robustBufferAccess", "shaderInt64"],
  VkPhysicalDeviceLimits: [
    "maxStorageBufferRange",
    "maxComputeSharedMemorySize",
    "maxComputeWorkGroupCount",
    "maxComputeWorkGroupInvocations",
    "maxComputeWorkGroupSize",
    "timestampPeriod",
  ],
  VkPhysicalDeviceProperties: ["apiVersion", "deviceType", "deviceName", "limits"],
  VkQueueFamilyProperties: ["queueFlags", "queueCount", "timestampValidBits"],
};

/** Structures that the binding uses, with their fields; all of them where none is named. */
export const STRUCTURES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  namesIn(`
  VkApplicationInfo VkBufferCreateInfo VkCommandBufferAllocateInfo VkCommandBufferBeginInfo
  VkCommandPoolCreateInfo VkComputePipelineCreateInfo VkDescriptorBufferInfo
  VkDescriptorPoolCreateInfo VkDescriptorPoolSize VkDescriptorSetAllocateInfo
  VkDescriptorSetLayoutBinding VkDescriptorSetLayoutCreateInfo VkDeviceCreateInfo
  VkDeviceQueueCreateInfo VkExtensionProperties VkExternalMemoryBufferCreateInfo VkFenceCreateInfo
  VkImportMemoryHostPointerInfoEXT VkInstanceCreateInfo VkMemoryAllocateInfo VkMemoryBarrier
  VkMemoryHeap VkMemoryHostPointerPropertiesEXT VkMemoryRequirements VkMemoryType
  VkPhysicalDeviceDriverProperties VkPhysicalDeviceExternalMemoryHostPropertiesEXT
  VkPhysicalDeviceFeatures VkPhysicalDeviceFeatures2 VkPhysicalDeviceLimits
  VkPhysicalDeviceMemoryProperties VkPhysicalDevicePCIBusInfoPropertiesEXT
  VkPhysicalDeviceProperties VkPhysicalDeviceProperties2 VkPhysicalDeviceShaderClockFeaturesKHR
  VkPhysicalDeviceSubgroupProperties VkPhysicalDeviceSubgroupSizeControlFeatures
  VkPhysicalDeviceVulkanMemoryModelFeatures VkPipelineLayoutCreateInfo
  VkPipelineShaderStageCreateInfo VkQueueFamilyProperties VkShaderModuleCreateInfo VkSubmitInfo
  VkWriteDescriptorSet
`).map((name) => [name, FIELDS[name] ?? []]),
);

export const FUNCTIONS = namesIn(`
  vkAllocateCommandBuffers vkAllocateDescriptorSets vkAllocateMemory vkBeginCommandBuffer
  vkBindBufferMemory vkCmdBindDescriptorSets vkCmdBindPipeline vkCmdDispatch vkCmdPipelineBarrier
  vkCreateBuffer vkCreateCommandPool vkCreateComputePipelines vkCreateDescriptorPool
  vkCreateDescriptorSetLayout vkCreateDevice vkCreateFence vkCreateInstance vkCreatePipelineLayout
  vkCreateShaderModule vkDestroyBuffer vkDestroyCommandPool vkDestroyDescriptorPool
  vkDestroyDescriptorSetLayout vkDestroyDevice vkDestroyFence vkDestroyInstance vkDestroyPipeline
  vkDestroyPipelineLayout vkDestroyShaderModule vkEndCommandBuffer
  vkEnumerateDeviceExtensionProperties vkEnumeratePhysicalDevices vkFreeMemory
  vkGetBufferMemoryRequirements vkGetDeviceProcAddr vkGetDeviceQueue vkGetFenceStatus
  vkGetPhysicalDeviceFeatures2 vkGetPhysicalDeviceMemoryProperties vkGetPhysicalDeviceProperties2
  vkGetPhysicalDeviceQueueFamilyProperties vkMapMemory vkQueueSubmit vkUpdateDescriptorSets
  vkWaitForFences
`);

/** Functions of extensions, which a device is asked for by their names. */
export const EXTENSION_FUNCTIONS = namesIn("vkGetMemoryHostPointerPropertiesEXT");

export const CONSTANTS = namesIn(`
  VK_ACCESS_HOST_READ_BIT VK_ACCESS_HOST_WRITE_BIT VK_ACCESS_SHADER_READ_BIT
  VK_ACCESS_SHADER_WRITE_BIT VK_BUFFER_USAGE_STORAGE_BUFFER_BIT VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
  VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
  VK_MEMORY_PROPERTY_HOST_CACHED_BIT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT VK_PHYSICAL_DEVICE_TYPE_CPU
  VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU
  VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU VK_PIPELINE_BIND_POINT_COMPUTE
  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT VK_PIPELINE_STAGE_HOST_BIT VK_QUEUE_COMPUTE_BIT
  VK_SHADER_STAGE_COMPUTE_BIT VK_SUBGROUP_FEATURE_ARITHMETIC_BIT VK_SUBGROUP_FEATURE_BALLOT_BIT
  VK_SUBGROUP_FEATURE_BASIC_BIT VK_SUBGROUP_FEATURE_SHUFFLE_BIT VK_SUBGROUP_FEATURE_VOTE_BIT
`);

/** The module of the binding's data, from a registry. */
export function tablesOf(registry: Registry): string {
  const structures = Object.keys(STRUCTURES).map((name) => {
    const { bytes, typeName, fields } = neededOf(registry, name);
    const type = typeName ? ` type: ${registry.constant(typeName)},` : "";
    const places = fields.map(({ name, byte, kind, count }) =>
      `${name}: [${byte}, "${kind}"${count > 1 ? `, ${count}` : ""}]`
    );
    return `  ${name}: { bytes: ${bytes},${type} fields: { ${places.join(", ")} } },`;
  });
  const signatures = (names: readonly string[]) =>
    names.map((name) => {
      const { parameters, result } = registry.signature(name);
      const kinds = parameters.map((kind) => `"${kind}"`).join(", ");
      return `  ${name}: { parameters: [${kinds}], result: "${result}" },`;
    });
  const constants = (names: readonly string[]) =>
    names.map((name) => `  ${name}: ${registry.constant(name)},`);
  const results = registry.resultNames().map((name) => [registry.constant(name), name] as const)
    .toSorted(([one], [other]) => other - one)
    .map(([number, name]) => `  "${number}": "${name}",`);
  return [
    "// deno-fmt-ignore-file",
    "// Written by .ci/vulkan/main.ts from Vulkan's registry: change that program, and run it again.",
    "",
    "/** Structures of C: bytes, the number that says their type, and of fields offset, kind and count. */",
    table("STRUCTURES", structures),
    "/** Functions of the library. Pointers and handles are numbers of 64 bits. */",
    table("FUNCTIONS", signatures(FUNCTIONS)),
    "/** Functions of extensions, which a device is asked for. */",
    table("EXTENSION_FUNCTIONS", signatures(EXTENSION_FUNCTIONS)),
    table("CONSTANTS", constants(CONSTANTS)),
    "/** Names of `VkResult`. */",
    "export const RESULT_NAMES: Readonly<Record<string, string>> = {",
    ...results,
    "};",
    "",
  ].join("\n");
}

function neededOf(registry: Registry, name: string): Structure {
  const { fields, ...structure } = registry.structure(name);
  const needed = STRUCTURES[name]!;
  for (const one of needed) {
    if (!fields.some(({ name }) => name === one)) throw new Error(`${name} has no field ${one}`);
  }
  const kept = fields.filter(({ name }) =>
    needed.length > 0 ? needed.includes(name) : name !== "sType"
  );
  return { ...structure, fields: kept };
}

function table(name: string, lines: readonly string[]): string {
  return [`export const ${name} = {`, ...lines, "} as const;", ""].join("\n");
}
