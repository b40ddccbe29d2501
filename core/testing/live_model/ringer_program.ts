import { LiveWord } from "../../gpu/live/kernel/live_source.ts";
import type { Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { finish } from "../model/channel_program.ts";
import type { LiveSetting } from "./live_model.ts";
import { waveServedBits } from "./wave_program.ts";

/**
 * Who accompanies a run, as `LiveKernel` does: wakes everybody whenever the ring word has changed, and once
 * more when the waves have ended. Then it waits until what they cast is served, which nobody hurries.
 */
export function ringerProgram(setting: LiveSetting): Program {
  const { plan, at, layout } = setting;
  const ringWord = at.liveWord + LiveWord.ring;
  const endsEarly = plan.ringer === "ends early";
  const reasonIn = (memory: Int32Array) => {
    const isDone = memory[at.waveDoneWord] !== 0;
    if (memory[ringWord] === 0 || (endsEarly && isDone)) return isDone ? 2 : 0;
    return 1;
  };
  return (words) => {
    const channel = new plan.core.Channel(layout, words) as unknown as { wakeAll(): void };
    for (let isOver = false; !isOver;) {
      words.boundary("accompanies");
      isOver = words.until({
        text: "the ring has changed, or the waves have ended",
        words: [ringWord, at.waveDoneWord],
        outcome: reasonIn,
      }) === 2;
      if (isOver && endsEarly) break;
      words.boundary(`rings ${isOver}`);
      ringIfAsked(setting, words, { ringWord, channel });
    }
    words.boundary("waits");
    const bits = waveServedBits(plan);
    words.until({
      text: "what the wave asked for was served",
      words: [at.servedWord],
      outcome: (memory) => (memory[at.servedWord]! & bits) === bits ? 1 : 0,
    });
    words.boundary("over");
    finish(setting, words, 0);
  };
}

/** Mirrors LiveKernel.#ringIfAsked(): what it saw last is 0 here. */
function ringIfAsked(
  { plan }: LiveSetting,
  words: ScheduledWords,
  { ringWord, channel }: { readonly ringWord: number; readonly channel: { wakeAll(): void } },
): void {
  if (plan.ringer === "looks late") {
    if (words.load(ringWord) === 0) return;
    channel.wakeAll();
    words.store(ringWord, 0);
    return;
  }
  if (words.exchange(ringWord, 0) === 0) return;
  channel.wakeAll();
}

/** What makes a late store of the wave's seen, at any time. */
export function lateStoreProgram({ at }: LiveSetting): Program {
  return (words) => {
    for (;;) {
      words.boundary("buffer");
      const isLast = words.until({
        text: "a store is late",
        words: [at.lateWord, at.waveDoneWord],
        isLoad: true,
        outcome: (memory) => memory[at.lateWord] !== 0 ? 1 : memory[at.waveDoneWord] !== 0 ? 2 : 0,
      }) === 2;
      if (isLast) return;
      const word = words.load(at.lateWord);
      words.store(word, words.load(at.lateValueWord));
      words.store(at.lateWord, 0);
    }
  };
}
