import { assertEquals, assertRejects } from "@std/assert";
import { SharedWords } from "../../../memory/words.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { LiveBed } from "./live_bed_test.ts";
import { LiveResidency } from "./live_residency.ts";
import { LIVE_WORDS, LiveWord, WaveState } from "./live_source.ts";

Deno.test("LiveResidency.deadlock() is told when all resident waves wait, and some have not begun", () => {
  const words = new SharedWords(new SharedArrayBuffer(4 * (LIVE_WORDS + 4)));
  const residency = new LiveResidency(words, 4);
  const { runs, ended, waits, notBegun } = WaveState;
  let looks = 0;
  /** What is found after these states for 99 and for 100 ms; waves look again meanwhile, or do not. */
  const found = (states: readonly number[], { looksAgain = true } = {}) =>
    [0, 99, 100].map((after) => {
      if (looksAgain || after === 0) looks++;
      states.forEach((state, wave) =>
        words.store(LiveWord.states + wave, state < waits ? state : looks << 17 | state)
      );
      return residency.deadlock(1000 * looks + after) ?? "";
    }).join("|");
  const chain = [waits + 1, waits + 2, notBegun, notBegun];
  assertEquals(found(chain), "||", "nobody has said that it waits");
  words.store(LiveWord.waits, 1);
  assertEquals(found([runs, waits + 2, notBegun, notBegun]), "||");
  assertEquals(found([waits + 1, ended, notBegun, notBegun]), "||");
  assertEquals(found([waits + 1, waits + 0, ended, ended]), "||", "all have begun");
  assertEquals(found(chain, { looksAgain: false }), "||", "what it told is old");
  const told = "wave 1 waits for wave 2, not begun; 2 of 4 resident";
  assertEquals(found([runs, waits + 2, notBegun, notBegun]), "||");
  const now = 1e6;
  const at = (milliseconds: number) => {
    looks++;
    chain.forEach((state, wave) =>
      state >= waits &&
      words.store(LiveWord.states + wave, looks << 17 | state)
    );
    return residency.deadlock(now + milliseconds);
  };
  assertEquals([at(0), at(99)], [undefined, undefined]);
  assertEquals(at(100), told);
});

/** Each wave waits until another was here. */
function waiting(next: string): string {
  return `
    @group(1) @binding(0) var<storage, read_write> ends: array<atomic<u32>>;
    const WAVES = 64u;
    fn kernel() {
      let other = ${next};
      while other < WAVES && atomicLoad(&ends[other]) == 0u && waits_for(other) {}
      atomicStore(&ends[wave_index], 1u);
    }`;
}

onLiveDevice("waves that wait for waves which cannot begin are named and ended", async (device) => {
  const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
  const source = waiting("wave_index + 1u");
  const { kernel } = await bed.kernel({ source, waveCount: 64, resultWords: 64 });
  const error = await assertRejects(() => kernel.runAsync(), DOMException);
  assertEquals(error.name, "NotSupportedError");
  const named = /as wave (\d+) waits for wave (\d+), not begun; (\d+) of 64 resident:/.exec(
    error.message,
  )!.slice(1).map(Number);
  assertEquals(named[1], named[0]! + 1);
});

onLiveDevice("waves that wait for one that goes on finish", async (device) => {
  const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
  const source = waiting("select(0u, WAVES, wave_index == 0u)");
  const { kernel, results } = await bed.kernel({ source, waveCount: 64, resultWords: 64 });
  await kernel.runAsync();
  assertEquals([...results], new Array(64).fill(1));
});
