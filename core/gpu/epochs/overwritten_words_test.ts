import { assertEquals } from "@std/assert";
import type { Server } from "../../toggle/server/server.ts";
import { increment } from "../../testing/conformance/services.ts";
import { onDevice } from "../device/on_device_test.ts";
import { INCREMENT, runKernel } from "./kernel_run_test.ts";

const WAVES = 5;
const LATER = 40_001;

/** Each wave calls three times in a row, and two of them write over mailboxes meanwhile. */
function source(opcode: number, word: string, value: string): string {
  return /* wgsl */ `
    const WAVES = ${WAVES}u;
    @group(1) @binding(0) var<storage, read_write> results: array<u32>;
    @service(${opcode}) fn increment(x: u32) -> u32;
    fn scribble() {
      for (var index = 0u; index < PORT_COUNT; index++) {
        let word = ${word} + index;
        atomicStore(&channel[word], ${value});
      }
    }
    fn kernel() {
      let first = increment(wave_index + 7u);
      if wave_index == WAVES - 1u { scribble(); }
      let second = increment(first + lane_index);
      if wave_index == 0u { scribble(); }
      results[wave_index * LANE_COUNT + lane_index] = second + increment(5u);
    }`;
}

/** Its calls are pending over several epochs. */
function registerLater(server: Server): void {
  server.operatePortAsync(LATER, async (port) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    await port.recvAndSend(increment);
  });
}

for (const word of ["CLIENT_OUTBOX_WORD", "SERVER_OUTBOX_WORD"]) {
  for (const value of ["0xdeadbeefu", "0u", "1u", "atomicLoad(&channel[word]) ^ 1u"]) {
    const [laneCount, opcode] = value === "0xdeadbeefu" ? [1, INCREMENT] : [3, LATER];
    onDevice(`calls are answered with ${value} over ${word}, ${laneCount} lanes`, async (gpu) => {
      const resultWords = WAVES * laneCount;
      const { results } = await runKernel(gpu, {
        source: source(opcode, word, value),
        portCount: WAVES,
        laneCount,
        waveCount: WAVES,
        wavesPerGroup: 1,
        resultWords,
        epochsMax: 3000,
        register: registerLater,
      });
      const expected = Array.from(
        { length: resultWords },
        (_, me) => Math.floor(me / laneCount) + 8 + me % laneCount + 1 + 6,
      );
      assertEquals([...results], expected);
    });
  }
}
