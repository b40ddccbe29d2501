import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Vulkan, VulkanError } from "../vulkan/vulkan.ts";
import { RESULT_NAMES } from "../vulkan/vulkan_tables.ts";
import { importBuffer, ownBuffer } from "./live_buffer.ts";
import { onLiveDevice, PING_PONG, Place, shaderOf, sharedPages } from "./on_live_device_test.ts";

const ADD = shaderOf(`
  @group(0) @binding(1) var<storage, read_write> more: array<u32>;
  @compute @workgroup_size(1) fn main() {
    more[0] += 5u;
    atomicStore(&words[1], atomicLoad(&words[0]) + more[0]);
  }`);

onLiveDevice(
  "a buffer of the host's is written by both, one of the device's by it alone",
  (device) => {
    using host = device.createBuffer(64, "host");
    using own = device.createBuffer(64, "device");
    assertEquals([host.bytes, own.bytes, own.words], [64, 64, undefined]);
    const words = new Uint32Array(host.words!);
    words[0] = 1000;
    using pipeline = device.createPipeline({ code: ADD, groups: [[host, own]] });
    // What a buffer begins with is undefined, so that only the difference counts.
    assertEquals(pipeline.dispatch({ groupCount: [1] }).wait(5), true);
    const first = words[1]!;
    assertEquals(pipeline.dispatch({ groupCount: [1] }).wait(5), true);
    assertEquals((words[1]! - first) >>> 0, 5);
  },
);

onLiveDevice("a buffer that is gone has no bytes, and no kernel runs on it", (device) => {
  const shared = sharedPages();
  const [host, imported] = [device.createBuffer(64, "host"), device.importBuffer(shared)];
  const words = new Uint32Array(host.words!);
  const pipeline = device.createPipeline({ code: ADD, groups: [[host, imported]] });
  for (const buffer of [host, imported, host]) buffer[Symbol.dispose]();
  assertEquals([host.isDisposed, words.length, shared.byteLength], [true, 0, 65_536]);
  const groups = [[host, imported]];
  const gone = "a buffer of it was disposed of";
  assertThrows(() => pipeline.dispatch({ groupCount: [1] }), TypeError, gone);
  assertThrows(() => device.createPipeline({ code: ADD, groups }), TypeError, gone);
});

onLiveDevice("a buffer stays while a kernel runs on it", (device) => {
  const words = new Int32Array(sharedPages());
  words[Place.turns] = 1;
  const buffer = device.importBuffer(words.buffer as SharedArrayBuffer);
  using pipeline = device.createPipeline({ code: shaderOf(PING_PONG), groups: [[buffer]] });
  const run = pipeline.dispatch({ groupCount: [1] });
  assertThrows(() => buffer[Symbol.dispose](), TypeError, "as 1 kernels run on it");
  words[Place.pong] = 1;
  assertEquals(run.wait(5), true);
  buffer[Symbol.dispose]();
  assertEquals(words[Place.done], 1);
});

onLiveDevice("buffers have sizes and places that the device allows", (device) => {
  assertThrows(() => device.createBuffer(4, "hots" as "host"), TypeError, "did you mean host");
  for (const bytes of [0, 3, 6, -4, 1.5, NaN, 2 ** 40]) {
    for (const place of ["host", "device"] as const) {
      assertThrows(
        () => device.createBuffer(bytes, place),
        RangeError,
        `current value is ${bytes}`,
      );
    }
  }
});

const ERRORS = Object.entries(RESULT_NAMES).filter(([code]) => Number(code) < 0);

onLiveDevice(
  "whatever a driver answers is told by its name, and what was made is freed",
  (device) => {
    const vulkan = new Vulkan();
    for (const [code, name] of ERRORS) {
      for (
        const refusing of ["vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory"] as const
      ) {
        const left: string[] = [];
        const { memoryTypes } = device.info;
        const symbols = drivingWith({
          vkCreateBuffer: () => left.push("buffer"),
          vkDestroyBuffer: () => left.splice(left.indexOf("buffer"), 1),
          vkGetBufferMemoryRequirements: (_: unknown, __: unknown, place: bigint) =>
            fillNeeds(vulkan, place),
          vkAllocateMemory: () => left.push("memory"),
          vkFreeMemory: () => left.splice(left.indexOf("memory"), 1),
          vkBindBufferMemory: () => {},
        }, { refusing, code: Number(code) });
        const refusingVulkan = Object.create(vulkan, { symbols: { value: symbols } }) as Vulkan;
        const maker = { vulkan: refusingVulkan, device: 1n, memoryTypes, storageBytesMax: 4096 };
        const forget = () => {};
        const error = assertThrows(
          () => ownBuffer({ ...maker, forget }, 64, "device"),
          VulkanError,
        );
        assertEquals([error.result, left], [name, []], refusing);
        assertStringIncludes(error.message, `Cannot go on as ${refusing} failed: ${name}`);
      }
    }
    vulkan[Symbol.dispose]();
  },
);

type DriverFunction = (...values: never[]) => unknown;

/** Functions of a driver that succeed, but for one. */
function drivingWith(
  functions: Readonly<Record<string, DriverFunction>>,
  { refusing, code }: { readonly refusing: string; readonly code: number },
) {
  return Object.fromEntries(
    Object.entries(functions).map(([name, work]) => [name, (...values: never[]) => {
      if (name === refusing) return code;
      work(...values);
      return 0;
    }]),
  );
}

/** Says that a buffer may be in any memory. */
function fillNeeds({ arena }: Vulkan, place: bigint): void {
  const bytes = new Uint32Array(
    Deno.UnsafePointerView.getArrayBuffer(Deno.UnsafePointer.create(place)!, 24),
  );
  bytes.set([64, 0, 16, 0, 0xffffffff, 0]);
  assertEquals(arena.read("VkMemoryRequirements", place).memoryTypeBits, 0xffffffff);
}

Deno.test("a device that cannot import names the extension and the way out", () => {
  const maker = {} as Parameters<typeof importBuffer>[0];
  const error = assertThrows(() => importBuffer(maker, sharedPages()), DOMException);
  assertEquals(error.name, "NotSupportedError");
  assertEquals(
    error.message,
    "Cannot use Vulkan as the device lacks the extension VK_EXT_external_memory_host, by which memory " +
      "is imported: make a buffer of the device's own, or choose another device",
  );
});
