import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { checkLiveWith, describeLive, orderText } from "./live_check.ts";
import { PCIE_ACCESSES } from "../../core/toggle/design/atomics_needed.ts";
import { withoutOwnChoice } from "./software_gpu.ts";
import { swiftShaderObstacle } from "./swiftshader.ts";

const env = withoutOwnChoice(Deno.env.toObject());
const preload = import.meta.resolve("./software_gpu.ts");

Deno.test({
  name: "checkLiveWith() has a kernel of SwiftShader's call the host while it runs",
  ignore: swiftShaderObstacle() !== undefined,
  async fn() {
    const check = await checkLiveWith({ ...env, PORTLAB_SOFTWARE_GPU: "swiftshader" }, { preload });
    assert(check.kind === "devices", JSON.stringify(check));
    assertEquals(check.devices.map(({ info, trial }) => [info.kind, trial]), [
      ["software", "1000 of 1000 calls of a running kernel were answered"],
    ]);
    assertMatch(
      check.devices[0]!.order!,
      /^as calls need it, in 2048 .*; 0 flags .*; 0 lost updates/,
    );
    const text = describeLive("here", check).join("\n");
    assertStringIncludes(text, "    order: as calls need it");
    assertStringIncludes(text, "  here: SwiftShader Device (Subzero) [software], Vulkan 1.3");
    assertStringIncludes(text, "subgroups: 4 lanes, basic, vote, arithmetic, ballot, shuffle");
    const atomics =
      "compareExchange, exchange, add, or, and, xor (its waves are threads of the host)";
    assertStringIncludes(text, `atomics with the host: ${atomics}\n    memory`);
    assertStringIncludes(text, "memory: deviceLocal, hostVisible, hostCoherent");
    assertStringIncludes(text, "lacks shaderDeviceClock: a kernel cannot tell the time");
  },
});

Deno.test({
  name: "checkLiveWith() says why there is no device",
  ignore: swiftShaderObstacle() !== undefined,
  async fn() {
    const nowhere = { ...env, VK_DRIVER_FILES: "/nowhere.json", VK_ICD_FILENAMES: "/nowhere.json" };
    const check = await checkLiveWith(nowhere, { preload });
    assert(check.kind === "failed", JSON.stringify(check));
    assertStringIncludes(describeLive("none", check)[0]!, "  none: Cannot use Vulkan as no ");
  },
});

Deno.test("describeLive() names what a device lacks", () => {
  const info = {
    ...{ index: 0, name: "old", kind: "integrated", driver: "its driver", version: "1.1" } as const,
    ...{ memoryTypes: [], subgroupLaneCount: 32, subgroupOperations: ["basic"], features: [] },
    ...{ timestampBits: 0, timestampNanoseconds: 1, storageBytesMax: 1, invocationsMax: 1 },
    hostAtomics: { accesses: PCIE_ACCESSES, source: "PCIe" },
  };
  const lines = describeLive("here", { kind: "devices", devices: [{ info, trial: "no trial" }] });
  assertEquals(lines, [
    "  here: old [integrated], Vulkan 1.1, its driver; no trial",
    "    subgroups: 32 lanes, basic",
    "    atomics with the host: compareExchange, exchange, add (PCIe)",
    "    waves as clients: its design needs or on the host's memory, and there is compareExchange, " +
    'exchange, add: choose discovery: "scan"',
    "    lacks VK_EXT_external_memory_host: one thread serves, on memory of the device's",
    "    lacks robustBufferAccess: an index beyond a buffer may end the program",
    "    lacks computeFullSubgroups: a wave is a workgroup",
    "    lacks subgroup ballots: a wave is a workgroup",
    "    lacks timestamps: dispatches are timed by the host",
    "    lacks shaderDeviceClock: a kernel cannot tell the time",
  ]);
  assertEquals(describeLive("here", { kind: "devices", devices: [] }), ["  here: no device"]);
});

Deno.test("orderText() says when calls may be wrong", () => {
  const right = {
    ...{ instanceCount: 2048, messageFaultCount: 0, lostUpdateCount: 0 },
    ...{ storeBufferingCount: 3, exchangeBufferingCount: 0 },
  };
  assertEquals(
    orderText(right),
    "as calls need it, in 2048 instances of a test; 0 flags before their packets; 0 lost updates; " +
      "store buffering 3 times by stores, 0 by exchanges",
  );
  for (const fault of [{ messageFaultCount: 1 }, { lostUpdateCount: 1 }]) {
    assertMatch(orderText({ ...right, ...fault }), /^CALLS MAY BE WRONG, .*; 1 (flags|lost)/);
  }
});
