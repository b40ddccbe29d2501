import { assertEquals, assertThrows } from "@std/assert";
import { importBuffer } from "./live_buffer.ts";
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

onLiveDevice("buffers have sizes that the device allows", (device) => {
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
