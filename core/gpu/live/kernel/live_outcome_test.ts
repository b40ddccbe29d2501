import { assertEquals, assertStringIncludes } from "@std/assert";
import { Status } from "../../../memory/status.ts";
import { SharedWords } from "../../../memory/words.ts";
import { channelLayout } from "../../../toggle/layout.ts";

import { ErrorWord, KernelErrorCode } from "../../wgsl/kernel_error.ts";
import { liveOutcome } from "./live_outcome.ts";
import { LIVE_WORDS, LiveEnd, liveSource, LiveWord } from "./live_source.ts";

const layout = channelLayout({ portCount: 1, laneCount: 1 });
const source = liveSource("@service(40000) fn ask(); fn kernel() { ask(); }", { layout });

/** What the words of a run of three waves say. */
function told(
  words: Partial<Record<keyof typeof LiveWord, number>>,
  more: { readonly mayLeave?: boolean; readonly deadlock?: string } = {},
) {
  const memory = new SharedWords(new SharedArrayBuffer(4 * LIVE_WORDS));
  for (const [name, value] of Object.entries(words)) {
    memory.store(LiveWord[name as keyof typeof LiveWord], value);
  }
  let reclaimCount = 0;
  const outcome = liveOutcome(memory, {
    ...{ source, waveCount: 3, fault: undefined, deadlock: undefined, mayLeave: false, ...more },
    reclaim: () => (reclaimCount++, 2),
  });
  return { ...outcome, reclaimCount };
}

Deno.test("liveOutcome() says nothing of a run whose waves have finished, or were to leave", () => {
  for (const outcome of [told({}), told({ ended: LiveEnd.left }, { mayLeave: true })]) {
    const { refusal, refusedCount, broken, unfinished, reclaimCount } = outcome;
    assertEquals([refusal, refusedCount, broken, unfinished, reclaimCount], [
      ...[undefined, 0, undefined, undefined, 0],
    ]);
  }
});

Deno.test("liveOutcome() says why waves have not finished, and takes back their ports", () => {
  const waves = { left: 2, started: 3, finished: 1 };
  const rows = [
    [LiveEnd.left, "AbortError", "disposed of while it ran", 0],
    [
      LiveEnd.late,
      "TimeoutError",
      "2 of 3 waves waited for longer than roundsMax: does a server",
      1,
    ],
    [LiveEnd.cutOff, "NotSupportedError", "loops of 2 of 3 waves early, with 2 ports", 1],
    [LiveEnd.split, "NotSupportedError", 'of several subgroups: leave out wave: "subgroup"', 1],
    [LiveEnd.stopped | 40_000 << 16, "CallError", "2 of 3 waves ended with the channel", 1],
  ] as const;
  for (const [ended, name, text, count] of rows) {
    const { unfinished, reclaimCount } = told({ ...waves, ended });
    assertEquals([unfinished?.name, reclaimCount], [name, count], text);
    assertStringIncludes(unfinished!.message, text);
  }
  const { unfinished } = told({ ended: LiveEnd.left }, { deadlock: "wave 0 waits for wave 1" });
  assertStringIncludes(unfinished!.message, "wave 0 waits for wave 1: make no more waves");
});

Deno.test("liveOutcome() has the first refused call, and the first rule that was broken", () => {
  const refusal = Status.handlerFailed << 16 | 40_000;
  const error = KernelErrorCode.noPortOpen << ErrorWord.codeShift | 2;
  const outcome = told({ refused: 5, refusal, error });
  assertEquals(outcome.refusedCount, 5);
  assertEquals([outcome.refusal?.opcode, outcome.refusal?.status], [40_000, Status.handlerFailed]);
  assertEquals([outcome.broken?.waveIndex, outcome.broken?.code], [2, KernelErrorCode.noPortOpen]);
});
