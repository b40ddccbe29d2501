import { clientPortText, liveConstants, LiveWord } from "../../gpu/live/kernel/live_source.ts";
import { roundsText } from "../../gpu/live/rounds/round_limit.ts";
import { channelConstants } from "../../gpu/wgsl/layout_constants.ts";
import type { Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { CALLS_MAX, opcodeOf } from "../model/channel_plan.ts";
import { giveNext, takeFollowing } from "../model/packet_values.ts";
import type { LiveSetting } from "./live_model.ts";
import { wgslFunctions, type WgslKernel, type WgslMemory } from "./wgsl_functions.ts";

/** How often a wave looks in a model: it does not give up. */
export const ROUNDS_MAX = 2 ** 32 - 256;
const CALL_VALUES = 100;

/** The text of the waves' port, with the places of a channel. */
export function portFunctions(
  { layout, plan: { fault } }: Pick<LiveSetting, "layout"> & {
    readonly plan: Pick<LiveSetting["plan"], "fault">;
  },
): (memory: WgslMemory) => WgslKernel {
  // Each round of a wait is one that looks.
  const text = `${roundsText(false, 0)}\n${clientPortText(layout, "channel")}`;
  const changed = fault && "wgsl" in fault ? replacedOnce(text, fault.wgsl) : text;
  return wgslFunctions(changed, { ...channelConstants(layout), ...liveConstants(layout) });
}

/**
 * A text with one change; blanks do not count.
 *
 * @throws {Error} when it does not say `from` exactly once
 */
export function replacedOnce(
  text: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  const escaped = from.trim().split(/\s+/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
  const found = [...text.matchAll(new RegExp(escaped, "g"))];
  if (found.length !== 1) {
    throw new Error(`Cannot change the text as it says ${found.length} times: ${from}`);
  }
  return text.replace(found[0]![0], () => to);
}

/** A wave of one lane, which calls and casts by its own WGSL. */
export function waveProgram(setting: LiveSetting): Program {
  const { plan, layout, at } = setting;
  const makeKernel = portFunctions(setting);
  return (words) => {
    const ownerId = words.setUp(() =>
      words.add(layout.controlWord + plan.core.ControlWord.nextOwnerId, 1)
    );
    const buffers = { channel: 0, payload: 0, live: at.liveWord };
    const { functions, privates } = makeKernel({
      words,
      buffers,
      atomics: atomicsOf(setting, words),
    });
    Object.assign(privates, { owner_id: ownerId, rounds_max: ROUNDS_MAX });
    const calls = plan.waveCalls;
    calls.forEach((shape, call) => {
      words.boundary(`call ${call}`);
      makeCall({ setting, words, functions }, shape, call);
    });
    words.boundary("over");
    words.store(at.waveDoneWord, 1);
  };
}

/** Mirrors wave_operate() of live_calls.wgsl. */
function makeCall(
  { setting: { plan, at }, words, functions }: {
    readonly setting: LiveSetting;
    readonly words: ScheduledWords;
    readonly functions: WgslKernel["functions"];
  },
  shape: string,
  call: number,
): void {
  const found = functions.wave_find_port!(true) as unknown as { readonly x: number };
  const dataWord = at.dataWord + found.x;
  const value = giveNext(words, dataWord, call * CALL_VALUES);
  const mask = { x: 1, y: 0 } as unknown as number;
  functions.port_write_header!(found.x, mask, opcodeOf(plan, shape));
  functions.port_send!(found.x);
  if (shape === "call") {
    words.boundary(`call ${call} on ${found.x}`);
    if (functions.port_await!(found.x) !== 0) words.violate("A wave leaves before its answer");
    if (functions.port_status!(found.x) !== 0) words.violate("A call of a wave was refused");
    takeFollowing(words, dataWord, value);
  }
  functions.port_unlock!(found.x);
}

/**
 * Atomics on the model's words. A store is not seen at once: it stands in a buffer until another thread
 * takes it, or an update of the wave's waits for that, as processors have it. The ring counts; whether it
 * is what the ringer saw last is all that matters, so here it is 1 when it is not.
 */
function atomicsOf({ at }: LiveSetting, words: ScheduledWords): WgslMemory["atomics"] {
  const ringWord = at.liveWord + LiveWord.ring;
  const settle = () => {
    words.until({
      text: "the wave's store is seen",
      words: [at.lateWord],
      outcome: (memory) => memory[at.lateWord] === 0 ? 1 : 0,
    });
  };
  const { atomicLoad, ...updates } = plainAtomics(words);
  const settled = Object.entries(updates).map(([name, update]) => [
    name,
    (word: number, ...values: number[]) => {
      settle();
      return name === "atomicAdd" && word === ringWord
        ? words.or(word, 1)
        : update(word, ...values);
    },
  ]);
  return {
    ...Object.fromEntries(settled),
    atomicLoad: atomicLoad!,
    atomicStore: (word, value) => {
      settle();
      words.store(at.lateValueWord, value! | 0);
      words.store(at.lateWord, word);
    },
  };
}

/** Atomics of WGSL on the model's words, each a step that everybody sees at once. */
export function plainAtomics(words: ScheduledWords): WgslMemory["atomics"] {
  return {
    atomicLoad: (word) => words.load(word) >>> 0,
    atomicStore: (word, value) => words.store(word, value! | 0),
    atomicExchange: (word, value) => words.exchange(word, value! | 0) >>> 0,
    atomicAdd: (word, value) => words.add(word, value! | 0) >>> 0,
    atomicOr: (word, value) => words.or(word, value! | 0) >>> 0,
    atomicCompareExchangeWeak: (word, expected, value) => {
      const held = words.compareExchange(word, expected! | 0, value! | 0);
      return { old_value: held >>> 0, exchanged: held === (expected! | 0) };
    },
  };
}

/** The last call of the wave, by its bit of the served word. */
export function waveServedBits({ waveCalls }: LiveSetting["plan"]): number {
  return 2 ** Math.min(waveCalls.length, CALLS_MAX) - 1;
}
