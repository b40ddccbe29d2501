import type { Look } from "../explorer/changed_core.ts";
import type { MemoryRules, Model, Ordering } from "../explorer/model.ts";
import { ControlWord, type PacketMemory } from "../../one_packet/packet_channel.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import type { PacketCore, PacketPlan, PacketSetting, ProtocolRules } from "./packet_plan.ts";
import { clientProgram, closerProgram, serverProgram } from "./packet_program.ts";

const BELL = { place: "wait/bell_waiter.ts BellWaiter.wait" } as const;
const SLEEP = { place: "wait/bell_waiter.ts BellWaiter.#sleep", isBehind: true } as const;
const INBOX = "wait/inbox_waiter.ts";

/**
 * Looks at the code that all protocols of packets share. Loops that wait mark the start of a turn, so that
 * states which differ only in the number of turns are one.
 */
const LOOKS: readonly Look[] = [
  { ...BELL, at: "guard.check();", call: 'turn("bell")' },
  { ...SLEEP, at: "const armed =", call: 'remember("armed", armed)' },
  { ...SLEEP, at: "this.#bell.disarm();", call: 'remember("armed", "")' },
  {
    place: `${INBOX} InboxWaiter.#waitLong`,
    at: "if (parks) this.#park(",
    call: "turn(`wait ${index}`)",
  },
];

/** Looks by which a program without real waits waits in one step for what it would poll for. */
const WAITS: readonly Look[] = [
  { ...BELL, at: "if (result !== undefined)", call: "waits.bell()", isBehind: true },
  { place: `${INBOX} InboxWaiter.wait`, at: "for (let poll", call: "waits.answer(index)" },
];

/** The looks of a model of packets. */
export function packetLooks({ sleeps }: Pick<PacketPlan, "sleeps">): readonly Look[] {
  return sleeps ? LOOKS : [...LOOKS, ...WAITS];
}

/**
 * Builds the model of a protocol of packets. Clients call and servers run `run()` with the product's code,
 * and only a notify ends a sleep. Only the packets' contents are left out: one word each, after the
 * channel, stands for them. At the end the channel is at rest and is stopped, and all programs end.
 */
export function packetModel<Memory extends PacketMemory>(
  core: PacketCore<Memory>,
  rules: ProtocolRules<Memory>,
  plan: PacketPlan,
): Model {
  const { packetCount } = plan;
  const { layout, words: { plain } } = core.protocol.create({ packetCount, laneCount: 1 });
  const end = plain.length;
  const at = { doneWord: end, servedWord: end + 1, dataWord: end + 2 };
  const setting: PacketSetting<Memory> = { plan, core, rules, layout, at };
  const initialMemory = new Int32Array(end + 2 + packetCount);
  initialMemory.set(plain);
  const stateWords = stateWordsOf(setting);
  return {
    initialMemory,
    programs: [
      ...plan.clients.map((_, client) => clientProgram(setting, client)),
      ...Array.from({ length: plan.serverCount }, () => serverProgram(setting)),
      closerProgram(setting),
    ],
    stateWords,
    rulesOf: (memory) => rulesOf(setting, memory),
    orderingOf: () => orderingOf(setting, stateWords),
    faultAtEnd: (memory) => faultAtEnd(setting, memory),
  };
}

function indexesOf({ plan: { packetCount } }: Pick<PacketSetting<PacketMemory>, "plan">): number[] {
  return Array.from({ length: packetCount }, (_, index) => index);
}

/** The words with which clients and servers sleep and wake. A stop rings all bells. */
function sleepWordsOf({ controlWord, parkedWord, packetCount }: PacketMemory, sleeps = false) {
  const { workSleepers, workBell, freeSleepers, freeBell } = ControlWord;
  const bells = [controlWord + workBell, controlWord + freeBell];
  if (!sleeps) return bells;
  return [
    ...bells,
    controlWord + workSleepers,
    controlWord + freeSleepers,
    ...Array.from({ length: packetCount }, (_, index) => parkedWord + index),
  ];
}

function stateWordsOf<Memory extends PacketMemory>(setting: PacketSetting<Memory>): number[] {
  const { layout, rules, at } = setting;
  const indexes = indexesOf(setting);
  const headers = Array.from(
    { length: indexes.length * HEADER_WORDS },
    (_, word) => layout.headersWord + word,
  );
  return [
    layout.controlWord + ControlWord.state,
    ...sleepWordsOf(layout, setting.plan.sleeps),
    ...headers,
    ...rules.protocolWords(layout),
    ...indexes.map((index) => at.dataWord + index),
    at.doneWord,
    at.servedWord,
  ];
}

/** The rules of the protocol's own table, for writes of its words. */
function rulesOf<Memory extends PacketMemory>(
  { layout, rules, plan }: PacketSetting<Memory>,
  memory: Int32Array,
): MemoryRules {
  const protocolWords = new Set(rules.protocolWords(layout));
  const stateWord = layout.controlWord + ControlWord.state;
  return {
    objection: (_thread, word, next) =>
      next === undefined || !protocolWords.has(word)
        ? undefined
        : rules.objection(layout, memory, { word, next }),
    // The channel is stopped when every client has ended.
    isSettled: (thread, word) => word === stateWord && thread < plan.clients.length,
    isPrivate: () => false,
  };
}

/** Each packet with its header is one place of plain data; all other words are atomic. */
function orderingOf<Memory extends PacketMemory>(
  setting: PacketSetting<Memory>,
  stateWords: readonly number[],
): Ordering {
  const { layout, at } = setting;
  const places: (number | undefined)[] = [];
  for (const index of indexesOf(setting)) {
    places[at.dataWord + index] = index;
    for (let word = 0; word < HEADER_WORDS; word++) {
      places[layout.headersWord + index * HEADER_WORDS + word] = index;
    }
  }
  return {
    placeCount: setting.plan.packetCount,
    atomicWords: stateWords.filter((word) => places[word] === undefined && word < at.doneWord),
    arePlainFree: true,
    placeOf: (word) => places[word],
    isPlain: (word) => places[word] !== undefined,
    mayBeStale: () => false,
  };
}

function faultAtEnd<Memory extends PacketMemory>(
  setting: PacketSetting<Memory>,
  memory: Int32Array,
): string | undefined {
  const { layout, rules } = setting;
  const { workSleepers, freeSleepers } = ControlWord;
  const sleepers = [workSleepers, freeSleepers].map((word) => memory[layout.controlWord + word]);
  if (sleepers.some((count) => count !== 0)) return "Somebody who ended counts as asleep";
  if (indexesOf(setting).some((index) => memory[layout.parkedWord + index] !== 0)) {
    return "A client that ended counts as parked";
  }
  return rules.isAtRest(layout, memory) ? undefined : "The channel is not at rest at the end";
}
