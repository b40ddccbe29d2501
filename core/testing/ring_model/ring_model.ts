import { COMMAND_RING, RingServer } from "../../command_ring/mod.ts";
import type * as Ring from "../../command_ring/mod.ts";
import { NAME_COUNT_MAX, NAME_WORDS } from "../../command_ring/layout.ts";
import { ControlWord } from "../../one_packet/packet_channel.ts";
import type { Look } from "../explorer/changed_core.ts";
import type { Model, Ordering } from "../explorer/model.ts";
import { COMMAND, type RingPlan, type RingSetting } from "./ring_plan.ts";
import { clientProgram, closerProgram, hostProgram, tearerProgram } from "./ring_program.ts";
import { isAtRest, orderedWords, plainPlaces, sleepWordsOf, stateObjection } from "./ring_state.ts";

/** Fields in which the objects of a ring remember something. */
export const RING_LOOKS: readonly Look[] = [
  ...["#buffer", "#at", "#end", "#hasTorn"]
    .map((field) => ({ field: `command_ring/command_reader.ts CommandReader.${field}` })),
  { field: "command_ring/return_slots.ts ReturnSlots.#next" },
  { field: "command_ring/ring_client.ts RingClient.#ids" },
];

/**
 * Builds the model: clients send commands and the host serves, with the product's code. Only the number of
 * a command's bytes is seen. At the end nothing is under way, the ring is stopped, and all programs end.
 */
export function ringModel(core: typeof Ring, plan: RingPlan): Model {
  const channel = COMMAND_RING.create(plan);
  new RingServer(channel).register(COMMAND, () => 0);
  const { plain } = channel.words;
  const end = plain.length;
  const at = { doneWord: end, servedWord: end + 1, tearWord: end + 2 };
  const setting: RingSetting = { plan, core, layout: channel.layout, at };
  const initialMemory = new Int32Array(end + 3);
  initialMemory.set(plain);
  const places = plainPlaces(setting.layout);
  const stateWord = setting.layout.controlWord + ControlWord.state;
  const sleepWords = sleepWordsOf(setting.layout, plan.sleeps);
  const ordered = [...orderedWords(setting.layout), stateWord, ...sleepWords];
  return {
    initialMemory,
    programs: [
      ...plan.clients.map((_, client) => clientProgram(setting, client)),
      hostProgram(setting),
      closerProgram(setting),
      ...plan.tears ? [tearerProgram(setting)] : [],
    ],
    stateWords: [...ordered, ...places.keys(), at.doneWord, at.servedWord, at.tearWord],
    rulesOf: (memory) => ({
      objection: (_thread, word, next) =>
        next === undefined ? undefined : stateObjection(setting.layout, memory, { word, next }),
      isSettled: (thread, word) => word === stateWord && thread < plan.clients.length,
      isPrivate: () => false,
    }),
    orderingOf: () => orderingOf(setting, places, ordered),
    faultAtEnd: (memory) =>
      isAtRest(setting.layout, memory) ? undefined : "The ring is not at rest at the end",
  };
}

/** Names are plain too, but never written: the host's name is there from the start. */
function orderingOf(
  { layout: { namesWord } }: RingSetting,
  places: ReadonlyMap<number, number>,
  atomicWords: readonly number[],
): Ordering {
  const namesEnd = namesWord + NAME_COUNT_MAX * NAME_WORDS;
  return {
    placeCount: Math.max(...places.values()) + 1,
    atomicWords,
    arePlainFree: true,
    placeOf: (word) => places.get(word),
    isPlain: (word) => places.has(word) || (word >= namesWord && word < namesEnd),
    mayBeStale: () => false,
  };
}
