import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { resultName, Vulkan, VulkanError } from "./vulkan.ts";

Deno.test("results are told by their names, with the way out where there is one", () => {
  assertEquals(resultName(-4), "VK_ERROR_DEVICE_LOST");
  assertEquals(resultName(-1_000_072_003), "VK_ERROR_INVALID_EXTERNAL_HANDLE");
  assertEquals(resultName(-123), "VkResult -123");
  const lost = new VulkanError("vkQueueSubmit", -4);
  assertEquals(lost.result, "VK_ERROR_DEVICE_LOST");
  assertStringIncludes(lost.message, "vkQueueSubmit failed: VK_ERROR_DEVICE_LOST; ask for a new");
  assertEquals(
    new VulkanError("vkMapMemory", -5).message,
    "Cannot go on as vkMapMemory failed: VK_ERROR_MEMORY_MAP_FAILED",
  );
});

Deno.test("without a library the error says what to install", () => {
  const error = assertThrows(() => new Vulkan("/nowhere/libvulkan.so"), DOMException);
  assertEquals(error.name, "NotSupportedError");
  assertStringIncludes(error.message, "/nowhere/libvulkan.so");
  assertStringIncludes(error.message, "Debian packages libvulkan1 and mesa-vulkan-drivers");
});

Deno.test({
  name: "without the permission for FFI the error names it",
  permissions: { ffi: false },
  fn() {
    const error = assertThrows(() => new Vulkan(), DOMException, "run with --allow-ffi");
    assertEquals(error.name, "NotSupportedError");
  },
});
