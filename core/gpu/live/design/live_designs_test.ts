import { assertEquals, assertRejects } from "@std/assert";
import { TestOpcode } from "../../../testing/conformance/services.ts";
import { PCIE_ACCESSES } from "../../../toggle/design/atomics_needed.ts";
import { DESIGN_AXES } from "../../../toggle/design/channel_design.ts";
import type { ChannelShape } from "../../../toggle/layout.ts";
import { startServer } from "../../../worker/start_server.ts";
import type { LiveDevice } from "../device/live_device.ts";
import { requestLiveDevice } from "../device/live_device.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { LiveBed } from "../kernel/live_bed_test.ts";
import { liveDesignFault } from "./side_text.ts";

const SERVICES = new URL("../../../testing/conformance/services.ts", import.meta.url);
const WAVES = 4;
const CALLS = 50;
const SOURCE = `
  @group(1) @binding(0) var<storage, read_write> sums: array<u32>;
  @service(${TestOpcode.increment}) fn increment(x: u32) -> u32;
  fn kernel() {
    var x = wave_index;
    for (var time = 0u; time < ${CALLS}u; time++) { x = increment(x); }
    sums[wave_index * LANE_COUNT + lane_index] = x;
  }`;

async function kernelOn(device: LiveDevice, shape: ChannelShape, locks: "channel" | "device") {
  const bed = new LiveBed(device, shape);
  const resultWords = WAVES * shape.laneCount;
  const { kernel, results } = await bed.kernel({
    source: SOURCE,
    waveCount: WAVES,
    locks,
    resultWords,
  });
  return { bed, kernel, sums: results };
}

const { portLock, mailboxUpdate, discovery } = DESIGN_AXES;
const DESIGNS = [
  ...portLock.map((name) => ({ portLock: name })),
  ...mailboxUpdate.flatMap((update) =>
    discovery.map((name) => ({ mailboxUpdate: update, discovery: name }))
  ),
  { mailboxWidth: "padded" },
] as const;

onLiveDevice("waves call on channels of each design that they can use", async (device) => {
  const usable = DESIGNS.filter((design) => liveDesignFault(design) === undefined);
  assertEquals(usable.length, 16);
  for (const design of usable) {
    const shape = { portCount: 2, laneCount: 1, ...design };
    const { bed, kernel, sums } = await kernelOn(device, shape, "channel");
    await kernel.runAsync(bed.server());
    assertEquals([...sums], [50, 51, 52, 53], JSON.stringify(design));
  }
});

onLiveDevice(
  "waves call by stores alone, with locks of the device, whoever serves",
  async (device) => {
    using apart = requestLiveDevice({ index: device.info.index, hostAtomics: [] });
    const shape = { portCount: 2, laneCount: 2, discovery: "scan" } as const;
    const { bed, kernel, sums } = await kernelOn(apart, shape, "device");
    // One sleeps when it finds nothing: waves ring for it, without a hint.
    await using server = await startServer(bed.channel, { services: [SERVICES], waiter: "park" });
    for (let time = 0; time < 2; time++) {
      await kernel.runAsync();
      assertEquals([...sums], [50, 50, 51, 51, 52, 52, 53, 53]);
    }
    void server;
  },
);

onLiveDevice(
  "designs that need more than a device offers are rejected with a way out",
  async (device) => {
    const { index } = device.info;
    const refusal = async (accesses: typeof PCIE_ACCESSES | [], design: object, reason: string) => {
      using apart = requestLiveDevice({ index, hostAtomics: accesses });
      const shape = { portCount: 1, laneCount: 1, ...design };
      const error = await assertRejects(
        () => kernelOn(apart, shape, "channel"),
        DOMException,
        reason,
      );
      assertEquals(error.name, "NotSupportedError");
    };
    await refusal(PCIE_ACCESSES, {}, "its design needs or on the host's memory");
    await refusal(PCIE_ACCESSES, {}, 'choose discovery: "scan" (the option hostAtomics)');
    await refusal([], {}, 'choose discovery: "scan", locks: "device"');
    using apart = requestLiveDevice({ index, hostAtomics: PCIE_ACCESSES });
    for (const name of ["owner", "fetch-add", "exchange", "cas"] as const) {
      const shape = { portCount: 1, laneCount: 1, portLock: name, discovery: "scan" } as const;
      (await kernelOn(apart, shape, "channel")).kernel[Symbol.dispose]();
    }
    const shape = { portCount: 1, laneCount: 1, portLock: "cas", discovery: "scan" } as const;
    await assertRejects(
      () => kernelOn(apart, shape, "device"),
      RangeError,
      "portLock must be owner",
    );
  },
);
