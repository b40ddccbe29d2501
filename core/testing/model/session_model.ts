import { ChannelOrdering } from "./channel_ordering.ts";
import {
  areSettled,
  holderWord,
  isBalanced,
  isUnlocked,
  outboxPlace,
  turnWordOf,
} from "./channel_places.ts";
import { ChannelRules, channelWords } from "./channel_rules.ts";
import type { Model } from "../explorer/model.ts";
import { areAllDone } from "./session_conditions.ts";
import { clientProgram, serverProgram } from "./session_program.ts";
import type { SessionPlan, SessionSetting } from "./session_setting.ts";

/**
 * Builds the model. Nobody sleeps and nothing is shut down in it: the channel's state, the bell and
 * the parked words are not among its words, and who writes them violates it.
 */
export function sessionModel(plan: SessionPlan): Model {
  const { core, portCount, clientCount, serverCount, isTidied = false } = plan;
  const layout = core.channelLayout({ portCount, laneCount: 1, ...plan.design });
  const endWord = layout.totalBytes / 4;
  const dataWord = endWord + 1;
  const monitors = { doneWord: endWord, dataWord, holdersWord: dataWord + portCount };
  const setting = { plan, layout, monitors };
  const channel = channelSetting(setting, !isTidied);
  const stateWords = channelWords(channel, [core.ControlWord.nextOwnerId]);
  return {
    initialMemory: initialMemory(setting),
    programs: [
      ...Array.from({ length: clientCount }, (_, client) => clientProgram(setting, client)),
      ...Array.from({ length: serverCount }, () => serverProgram(setting)),
    ],
    stateWords,
    rulesOf: (memory) => new ChannelRules(memory, channel),
    orderingOf: (memory) => new ChannelOrdering(memory, channel, stateWords),
    symmetry: alikeServers(setting),
    faultAtEnd: (memory) => faultAtEnd(setting, memory),
  };
}

function channelSetting({ plan, layout, monitors }: SessionSetting, areHintsKept: boolean) {
  const actors = [
    ...Array.from({ length: plan.clientCount }, () => "client" as const),
    ...Array.from({ length: plan.serverCount }, () => "server" as const),
  ].map((side, thread) => ({ side, ownerId: thread + 1 }));
  const { clientCount } = plan;
  return { layout, actors, clientCount, ...monitors, areHintsKept, areLocksApart: true };
}

/** Servers are alike: which of them stands where makes no difference. */
function alikeServers({ layout, plan: { clientCount, serverCount }, monitors }: SessionSetting) {
  const { holdersWord } = monitors;
  return {
    threads: Array.from({ length: serverCount }, (_, server) => clientCount + server),
    ownerWords: Array.from(
      { length: layout.portCount },
      (_, index) => holderWord(layout, "server", { index, holdersWord }),
    ),
  };
}

function initialMemory({ plan, layout, monitors }: SessionSetting): Int32Array {
  const memory = new Int32Array(monitors.holdersWord + 2 * plan.portCount);
  memory[layout.controlWord + plan.core.ControlWord.nextOwnerId] = 1;
  for (let index = 0; index < plan.portCount; index++) {
    for (const side of ["client", "server"] as const) {
      const { word } = outboxPlace(layout, side, index);
      const bit = layout.mailboxWidth === "bit" ? 1 << (index & 31) : 1;
      memory[word]! |= plan.parity * bit;
      memory[turnWordOf(layout, side, index)] = memory[word]!;
    }
  }
  return memory;
}

function faultAtEnd(setting: SessionSetting, memory: Int32Array): string | undefined {
  const { plan, layout } = setting;
  for (let index = 0; index < plan.portCount; index++) {
    const isFree = isBalanced(memory, layout, index) && areSettled(memory, layout, index) &&
      (["client", "server"] as const).every((side) => isUnlocked(memory, { layout, side, index }));
    if (!isFree) return `Port ${index} is not free at the end`;
  }
  return areAllDone(setting, memory) ? undefined : "A call did not end";
}
