import { assert, assertEquals, assertThrows } from "@std/assert";
import { onLiveDevice } from "./on_live_device_test.ts";
import { chooseDevice, type LiveDeviceInfo, type PhysicalDevice } from "./physical_device.ts";

function device(index: number, name: string, kind: LiveDeviceInfo["kind"]): PhysicalDevice {
  return { info: { index, name, kind } } as unknown as PhysicalDevice;
}

const DEVICES: readonly PhysicalDevice[] = [
  device(0, "llvmpipe", "software"),
  device(1, "Iris", "integrated"),
  device(2, "H200", "discrete"),
  device(3, "SwiftShader Device", "software"),
  device(4, "A100", "discrete"),
];

Deno.test("chooseDevice() takes hardware before software, and otherwise the first that fits", () => {
  const cases = [
    [{}, "H200"],
    [{ name: "swiftshader" }, "SwiftShader Device"],
    [{ name: "i" }, "Iris"],
    [{ index: 0 }, "llvmpipe"],
    [{ index: 3, name: "Swift" }, "SwiftShader Device"],
  ] as const;
  for (const [choice, name] of cases) assertEquals(chooseDevice(DEVICES, choice).info.name, name);
  const software = DEVICES.filter(({ info }) => info.kind === "software");
  assertEquals(chooseDevice(software, {}).info.name, "llvmpipe");
});

Deno.test("chooseDevice() says what there is where nothing fits", () => {
  const none = assertThrows(() => chooseDevice([], {}), DOMException, "no driver has a device");
  assertEquals(none.name, "NotSupportedError");
  for (
    const [choice, text] of [
      [{ name: "Arc" }, "there is no device named Arc: there are 0 llvmpipe, 1 Iris, 2 H200"],
      [{ index: 9 }, "there is no device of index 9:"],
      [{ name: "Iris", index: 0 }, "there is no device named Iris and of index 0:"],
    ] as const
  ) {
    assertThrows(() => chooseDevice(DEVICES, choice), DOMException, text);
  }
});

onLiveDevice("a device says what it is", ({ info }) => {
  assert(info.name.length > 0 && info.driver.length > 0);
  assert(info.memoryTypes.some(({ properties }) => properties.includes("hostCoherent")));
  assert(info.memoryTypes.every(({ heapBytes }) => heapBytes > 0));
  assert(info.subgroupLaneCount > 0 && info.subgroupOperations.includes("basic"));
  assert(info.storageBytesMax >= 2 ** 27 && info.invocationsMax >= 128);
  if (!info.name.startsWith("SwiftShader")) return;
  assertEquals([info.kind, info.version, info.importAlignmentBytes], ["software", "1.3", 4096]);
  assertEquals([info.subgroupLaneCount, info.timestampBits], [4, 64]);
  assertEquals(info.subgroupOperations, ["basic", "vote", "arithmetic", "ballot", "shuffle"]);
  assertEquals(info.features.includes("robustBufferAccess"), true);
  assertEquals(info.features.includes("computeFullSubgroups"), true);
  assertEquals(info.features.includes("shaderDeviceClock"), false);
});
