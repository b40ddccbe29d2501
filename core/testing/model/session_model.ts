import { ChannelOrdering } from "./channel_ordering.ts";
import { ChannelRules, type ChannelSetting, channelWords } from "./channel_rules.ts";
import type { Model } from "../explorer/model.ts";
import { clientProgram, serverProgram } from "./session_program.ts";
import type { SessionPlan, SessionSetting } from "./session_setting.ts";

/**
 * Builds the model. Nobody sleeps and nothing is shut down in it: the channel's state, the bell and
 * the parked words are not among its words, and who writes them violates it.
 */
export function sessionModel(plan: SessionPlan): Model {
  const { core, portCount, clientCount, serverCount, isTidied = false } = plan;
  const layout = core.channelLayout({ portCount, laneCount: 1 });
  const endWord = layout.totalBytes / 4;
  const monitors = { doneWord: endWord, dataWord: endWord + 1 };
  const setting = { plan, layout, monitors };
  const channel = { layout, clientCount, serverCount, ...monitors, areHintsKept: !isTidied };
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
    symmetry: alikeServers(channel),
    faultAtEnd: (memory) => faultAtEnd(setting, memory),
  };
}

/** Servers are alike: which of them stands where makes no difference. */
function alikeServers({ layout, clientCount, serverCount }: ChannelSetting) {
  return {
    threads: Array.from({ length: serverCount }, (_, server) => clientCount + server),
    ownerWords: Array.from({ length: layout.portCount }, (_, port) => layout.serverLockWord + port),
  };
}

function initialMemory({ plan, layout, monitors }: SessionSetting): Int32Array {
  const memory = new Int32Array(monitors.dataWord + plan.portCount);
  memory[layout.controlWord + plan.core.ControlWord.nextOwnerId] = 1;
  for (let index = 0; index < plan.portCount; index++) {
    memory[layout.clientOutboxWord + index] = plan.parity;
    memory[layout.serverOutboxWord + index] = plan.parity;
  }
  return memory;
}

function faultAtEnd(
  { plan, layout, monitors }: SessionSetting,
  memory: Int32Array,
): string | undefined {
  for (let index = 0; index < plan.portCount; index++) {
    const isFree =
      memory[layout.clientOutboxWord + index] === memory[layout.serverOutboxWord + index] &&
      memory[layout.clientLockWord + index] === 0 && memory[layout.serverLockWord + index] === 0;
    if (!isFree) return `Port ${index} is not free at the end`;
  }
  return memory[monitors.doneWord] === plan.clientCount ? undefined : "A call did not end";
}
