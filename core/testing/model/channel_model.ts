import { isAnonymous } from "../../toggle/design/channel_design.ts";
import type { Model } from "../explorer/model.ts";
import { ChannelOrdering } from "./channel_ordering.ts";
import {
  actorsOf,
  CALLS_MAX,
  type ChannelPlan,
  isStreaming,
  mortalOf,
  PART_WINDOW,
  type PlanSetting,
} from "./channel_plan.ts";
import { areSettled, isBalanced, isUnlocked } from "./channel_places.ts";
import { clientProgram, serverProgram } from "./channel_program.ts";
import { ChannelRules, type ChannelSetting, channelWords } from "./channel_rules.ts";
import { disturber } from "./disturber.ts";

/**
 * Builds the model: clients make calls and servers run `run()`, in their own code and with their own
 * waiters, and a sleep ends by a notify or by the model's clock. Nothing is left out but what a packet
 * holds, which stands behind the channel, one word a port. If the plan has a disturbance, it comes
 * at every step. A call ends with its own answer or with an error that fits; everybody comes to an end.
 */
export function channelModel(plan: ChannelPlan): Model {
  const { core, portCount, laneCount = 1, clients, serverCount } = plan;
  const layout = core.channelLayout({ portCount, laneCount, ...plan.design });
  const end = layout.totalBytes / 4;
  const at = {
    doneWord: end,
    servedWord: end + 1,
    timeWord: end + 2,
    dataWord: end + 3,
    holdersWord: end + 3 + portCount,
    partWord: end + 3 + 3 * portCount,
  };
  const setting: PlanSetting = { plan, layout, at };
  const channel: ChannelSetting = {
    layout,
    actors: actorsOf(plan),
    clientCount: clients.length,
    doneWord: at.doneWord,
    dataWord: at.dataWord,
    holdersWord: at.holdersWord,
    partWords: isStreaming(plan) ? range(at.partWord, portCount * PART_WINDOW) : [],
    areHintsKept: false,
    areLocksApart: false,
  };
  const stateWords = stateWordsOf(setting, channel);
  const mortal = mortalOf(plan);
  return {
    initialMemory: initialMemory(setting),
    programs: [
      ...clients.map((_, client) => clientProgram(setting, client)),
      ...Array.from({ length: serverCount }, (_, place) => serverProgram(setting, place)),
      ...plan.disturbance === undefined ? [] : [disturber(setting)],
    ],
    stateWords,
    timeWord: at.timeWord,
    mortals: mortal === undefined ? [] : [mortal],
    areProcesses: plan.areProcesses ?? false,
    rulesOf: (memory) => new ChannelRules(memory, channel),
    orderingOf: (memory) => new ChannelOrdering(memory, channel, stateWords),
    faultAtEnd: (memory) => faultAtEnd(setting, memory),
  };
}

function stateWordsOf({ plan, layout, at }: PlanSetting, channel: ChannelSetting): number[] {
  const { nextOwnerId, state, liveServers, sleepers, bell, freeBell } = plan.core.ControlWord;
  const { clientCount, serverCount } = plan.core.ControlWord;
  const controls: number[] = [nextOwnerId, state, liveServers, sleepers, bell, freeBell];
  if (layout.portLock === "held") controls.push(clientCount, serverCount);
  const { clientParkedWord, serverParkedWord, clientMarksWord, serverMarksWord } = layout;
  const regions = [clientParkedWord, serverParkedWord];
  if (isAnonymous(layout.portLock)) regions.push(clientMarksWord, serverMarksWord);
  if (plan.disturbance) regions.push(layout.serverLateWord);
  if (isStreaming(plan)) regions.push(layout.clientPartsWord, layout.serverPartsWord);
  const portWords = range(0, layout.portCount)
    .flatMap((index) => regions.map((word) => word + index));
  const words = [...channelWords(channel, controls), ...portWords, at.servedWord, at.timeWord];
  if (plan.disturbance?.endsWith("asked")) words.push(layout.leaveWord);
  return [...words, ...channel.partWords!];
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, offset) => first + offset);
}

function initialMemory({ plan, layout, at }: PlanSetting): Int32Array {
  const memory = new Int32Array(at.partWord + plan.portCount * PART_WINDOW);
  memory[layout.controlWord + plan.core.ControlWord.nextOwnerId] = 1;
  return memory;
}

function faultAtEnd(setting: PlanSetting, memory: Int32Array): string | undefined {
  const { plan, layout, at } = setting;
  const { clients, disturbance, core } = plan;
  const memberCount = clients.length + Number(disturbance !== undefined);
  if (memory[at.doneWord] !== 2 ** memberCount - 1) return "Somebody did not end";
  if (memory[layout.controlWord + core.ControlWord.sleepers] !== 0 && disturbance === undefined) {
    return "A server that ended counts as asleep";
  }
  const isCut = plan.serverCount === 0 || disturbance === "stopped" ||
    disturbance === "shut down" ||
    disturbance === "server asked" || disturbance === "server dies";
  return portFault(setting, memory, isCut) ?? servedFault(setting, memory);
}

/** A port is free at the end; where calls were cut off, its packet may be with the server. */
function portFault({ layout }: PlanSetting, memory: Int32Array, isCut: boolean) {
  for (let index = 0; index < layout.portCount; index++) {
    const isFree = (["client", "server"] as const)
      .every((side) => isUnlocked(memory, { layout, side, index }));
    const isAway = !isBalanced(memory, layout, index);
    if (!isFree || (isAway && !isCut)) return `Port ${index} is not free at the end`;
    if (!areSettled(memory, layout, index)) return `A turn of port ${index} is not its outbox`;
  }
}

function servedFault({ plan: { clients, disturbance }, at }: PlanSetting, memory: Int32Array) {
  if (disturbance !== undefined) return undefined;
  const served = memory[at.servedWord]! >>> 0;
  const wanted = clients.map((calls, client) =>
    (2 ** calls.length - 1) * 2 ** (CALLS_MAX * client)
  );
  const isWrong = served !== wanted.reduce((sum, bits) => sum + bits, 0);
  return isWrong ? `Not every call was served: ${served.toString(2)}` : undefined;
}
