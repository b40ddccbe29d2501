import { LIVE_WORDS, LiveWord } from "../../gpu/live/kernel/live_source.ts";
import type { Model } from "../explorer/model.ts";
import { areSettled, isBalanced, isUnlocked } from "../model/channel_places.ts";
import {
  type Actor,
  actorsOf,
  CALLS_MAX,
  type ChannelPlan,
  type ModelWords,
  type PlanSetting,
} from "../model/channel_plan.ts";
import { ChannelOrdering } from "../model/channel_ordering.ts";
import { clientProgram, serverProgram } from "../model/channel_program.ts";
import { ChannelRules, type ChannelSetting, channelWords } from "../model/channel_rules.ts";
import type { PlantedLiveFault } from "./planted_live_faults.ts";
import { lateStoreProgram, ringerProgram } from "./ringer_program.ts";
import { waveProgram } from "./wave_program.ts";

/** A wave beside clients and servers of the library, and the host's thread that wakes for it. */
export interface LivePlan extends Pick<ChannelPlan, "core" | "portCount" | "serverCount"> {
  /** How servers wait; they park when absent, as the clients of `others` do. */
  readonly serverWaiter?: ChannelPlan["waiter"];
  /** What the wave does, one after the other: `call` or `cast`. */
  readonly waveCalls: readonly string[];
  /** The calls of clients in Workers; none when absent. */
  readonly others?: readonly (readonly string[])[];
  readonly fault?: PlantedLiveFault;
  /** A fault of who wakes. */
  readonly ringer?: "looks late" | "ends early";
}

/** Words behind those of the channel's model. */
interface LiveModelWords extends ModelWords {
  /** The words of the run. */
  readonly liveWord: number;
  /** Not 0 when the wave has ended. */
  readonly waveDoneWord: number;
  /** The word that a late store of the wave's is for, 0 for none, and its value. */
  readonly lateWord: number;
  readonly lateValueWord: number;
}

/** The wave's thread. */
const WAVE = 0;

interface BufferPlace extends Pick<LiveSetting, "at"> {
  readonly buffer: number;
}

export interface LiveSetting extends PlanSetting {
  readonly plan: LivePlan & ChannelPlan;
  readonly at: LiveModelWords;
}

/**
 * Builds the model of waves that run: a wave in its own WGSL, which cannot notify, beside clients and
 * servers in their own code, and the thread that wakes everybody when the ring has changed. Nobody sleeps
 * for ever with work there; else the end is not reached.
 */
export function liveModel(plan: LivePlan): Model {
  const setting = settingOf(plan);
  const { layout, at } = setting;
  const { clients, serverCount } = setting.plan;
  // The ringer, and the buffer of the wave's stores.
  const helpers: Actor[] = [1, 2].map((number) => ({
    side: undefined,
    ownerId: clients.length + serverCount + number,
  }));
  const channel: ChannelSetting = {
    layout,
    actors: [...actorsOf(setting.plan), ...helpers],
    clientCount: clients.length,
    ...{ doneWord: at.doneWord, dataWord: at.dataWord, holdersWord: at.holdersWord },
    ...{ areHintsKept: false, areLocksApart: false },
  };
  const stateWords = stateWordsOf(setting, channel);
  const served = { ...setting, plan: { ...setting.plan, waiter: plan.serverWaiter ?? "park" } };
  const buffer = clients.length + serverCount + 1;
  return {
    initialMemory: initialMemory(setting),
    programs: [
      waveProgram(setting),
      ...clients.slice(1).map((_, other) => clientProgram(setting, other + 1)),
      ...Array.from({ length: serverCount }, (_, place) => serverProgram(served, place)),
      ringerProgram(setting),
      lateStoreProgram(setting),
    ],
    stateWords,
    rulesOf: (memory) => new LiveRules(memory, channel, { at, buffer }),
    orderingOf: (memory) => {
      const ordering = new ChannelOrdering(memory, channel, stateWords);
      return Object.assign(ordering, {
        atomicWords: [...ordering.atomicWords, at.lateWord, at.lateValueWord, at.waveDoneWord],
      });
    },
    faultAtEnd: (memory) => faultAtEnd(setting, memory),
  };
}

function settingOf(plan: LivePlan): LiveSetting {
  const { core, portCount, waveCalls, others = [] } = plan;
  const layout = core.channelLayout({ portCount, laneCount: 1 });
  const end = layout.totalBytes / 4;
  const behind = end + 2 + 3 * portCount;
  return {
    plan: { ...plan, clients: [waveCalls, ...others] },
    layout,
    at: {
      doneWord: end,
      servedWord: end + 1,
      dataWord: end + 2,
      holdersWord: end + 2 + portCount,
      liveWord: behind,
      waveDoneWord: behind + LIVE_WORDS,
      lateWord: behind + LIVE_WORDS + 1,
      lateValueWord: behind + LIVE_WORDS + 2,
      timeWord: behind + LIVE_WORDS + 3,
      partWord: behind + LIVE_WORDS + 4,
    },
  };
}

function initialMemory({ plan, layout, at }: LiveSetting): Int32Array {
  const memory = new Int32Array(at.partWord);
  memory[layout.controlWord + plan.core.ControlWord.nextOwnerId] = 1;
  return memory;
}

function stateWordsOf({ plan, layout, at }: LiveSetting, channel: ChannelSetting): number[] {
  const { nextOwnerId, state, liveServers, sleepers, bell, freeBell } = plan.core.ControlWord;
  const ports = Array.from({ length: plan.portCount }, (_, index) => index);
  return [
    ...channelWords(channel, [nextOwnerId, state, liveServers, sleepers, bell, freeBell]),
    ...ports.flatMap((index) => [layout.clientParkedWord + index, layout.serverParkedWord + index]),
    ...[at.servedWord, at.liveWord + LiveWord.ring, at.waveDoneWord, at.lateWord, at.lateValueWord],
  ];
}

/** The rules, with the buffer of the wave's stores: it writes for the wave, and on its word nobody counts. */
class LiveRules extends ChannelRules {
  readonly #words: Int32Array;
  readonly #at: LiveModelWords;
  readonly #buffer: number;

  /** @param buffer the thread that makes late stores seen */
  constructor(memory: Int32Array, channel: ChannelSetting, { at, buffer }: BufferPlace) {
    super(memory, channel);
    this.#words = memory;
    this.#at = at;
    this.#buffer = buffer;
  }

  override objection(thread: number, word: number, next: number | undefined): string | undefined {
    return thread === this.#buffer ? undefined : super.objection(thread, word, next);
  }

  override isSettled(thread: number, word: number): boolean {
    const late = this.#words[this.#at.lateWord]!;
    if (word === this.#at.lateWord) return thread === WAVE && late === 0;
    return word !== late && super.isSettled(thread, word);
  }

  override isPrivate(thread: number, word: number): boolean {
    return word !== this.#words[this.#at.lateWord] && super.isPrivate(thread, word);
  }
}

function faultAtEnd({ plan, layout, at }: LiveSetting, memory: Int32Array): string | undefined {
  const { clients, portCount } = plan;
  if (memory[at.doneWord] !== 2 ** clients.length - 1) return "Somebody did not end";
  for (let index = 0; index < portCount; index++) {
    const isFree = (["client", "server"] as const)
      .every((side) => isUnlocked(memory, { layout, side, index }));
    if (!isFree || !isBalanced(memory, layout, index)) {
      return `Port ${index} is not free at the end`;
    }
    if (!areSettled(memory, layout, index)) return `A turn of port ${index} is not its outbox`;
  }
  const wanted = clients.reduce(
    (sum, calls, client) => sum + (2 ** calls.length - 1) * 2 ** (CALLS_MAX * client),
    0,
  );
  return memory[at.servedWord]! >>> 0 === wanted ? undefined : "Not every call was served";
}
