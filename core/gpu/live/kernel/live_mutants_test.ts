/** Faults that were real in other systems, planted in a live kernel's text: each is seen, and none hangs. */
import { assertEquals, assertRejects } from "@std/assert";
import { TestOpcode } from "../../../testing/conformance/services.ts";
import { until } from "../../../testing/conformance/test_bed.ts";
import { replacedOnce } from "../../../testing/live_model/wave_program.ts";
import { ControlWord } from "../../../toggle/layout.ts";
import { startServer } from "../../../worker/start_server.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import type { LiveDevice } from "../device/live_device.ts";
import { LiveBed, translate } from "./live_bed_test.ts";

interface Fault {
  readonly from: string;
  readonly to: string;
}

const SERVICES = new URL("../../../testing/gpu/services.ts", import.meta.url);
const LANES = 32;

/** Each lane counts the answers that are not its own. */
const COUNTS_WRONG = `
  @group(1) @binding(0) var<storage, read_write> wrong: array<atomic<u32>>;
  @service(${TestOpcode.increment}) fn increment(nonce: u32) -> u32;
  fn kernel() {
    for (var time = 0u; time < 50u; time++) {
      let nonce = time * 1000u + lane_index;
      if increment(nonce) != nonce + 1u { atomicAdd(&wrong[0], 1u); }
    }
  }`;

/** Makes a kernel whose module has a fault; `laneCount` lanes and one port. */
async function faultyKernel(
  device: LiveDevice,
  { fault, laneCount }: { readonly fault: Fault | undefined; readonly laneCount: number },
) {
  const bed = new LiveBed(device, { portCount: 1, laneCount });
  const { kernel, results: wrong } = await bed.kernel({
    ...{ source: COUNTS_WRONG, waveCount: 1 },
    translate: (text) => translate(fault ? replacedOnce(text, fault) : text),
  });
  return { bed, channel: bed.channel, kernel, wrong };
}

/**
 * Lanes that run on behind the poll are no such fault here: SwiftShader runs a workgroup's lanes up to
 * the next barrier, four by four, the first ones first. The explorer has them.
 */
const EARLY: readonly (readonly [text: string, fault: Fault | undefined])[] = [
  ["lanes that wait for each other get their own answers", undefined],
  ["a first lane that flips before the others have written asks for them", {
    from: "fn wave_meet() {",
    to: "fn wave_meet() {} fn wave_met_before() {",
  }],
];

/** Whether every lane got its own answers. Lanes that tell each other nothing may never agree again, too. */
async function areRight(device: LiveDevice, fault: Fault | undefined): Promise<boolean> {
  const { bed, kernel, wrong } = await faultyKernel(device, { fault, laneCount: LANES });
  const signal = AbortSignal.timeout(fault ? 2000 : 20_000);
  const run = kernel.runAsync(bed.server(), { signal });
  return await run.then(() => wrong[0] === 0, () => false);
}

for (const [text, fault] of EARLY) {
  onLiveDevice(`LiveKernel: ${text}`, async (device) => {
    let isRight = await areRight(device, fault);
    // On a machine that is busy with other things, the lanes may happen to keep step.
    for (let again = 0; fault && isRight && again < 200; again++) {
      isRight = await areRight(device, fault);
    }
    assertEquals(isRight, fault === undefined);
  });
}

onLiveDevice("LiveKernel: a server whose doorbell nobody rings sleeps on", async (device) => {
  const fault = {
    from: "fn ring() { atomicAdd(&live[LIVE_RING_WORD], 1u); }",
    to: "fn ring() {}",
  };
  const { channel, kernel } = await faultyKernel(device, { fault, laneCount: 1 });
  const server = await startServer(channel, { waiter: "park", services: [SERVICES] });
  const sleepersWord = channel.layout.controlWord + ControlWord.sleepers;
  await until(() => channel.words.load(sleepersWord) > 0);
  const error = await assertRejects(
    () => kernel.runAsync(undefined, { roundsMax: 1 << 20 }),
    DOMException,
    "waited for longer than roundsMax",
  );
  assertEquals(error.name, "TimeoutError");
  await server.terminate();
});
