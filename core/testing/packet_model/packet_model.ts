import type { SourceChange } from "../explorer/changed_core.ts";
import type { MemoryRules, Model, Ordering } from "../explorer/model.ts";
import { ControlWord, type PacketMemory } from "../../one_packet/packet_channel.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import {
  newMemory,
  type PacketPlan,
  type PacketProtocol,
  type PacketSetting,
  type ProtocolRules,
} from "./packet_plan.ts";
import { clientProgram, closerProgram, serverProgram } from "./packet_program.ts";

/**
 * Changes of what all protocols of packets stand on: the loops that wait say where a turn begins, so
 * that turns which differ only in how often they were taken are one.
 */
export const FOR_PACKET_MODEL: readonly SourceChange[] = [
  {
    file: "wait/bell_waiter.ts",
    from: "    for (;;) {\n      guard.check();\n      const result = attempt() ?? (idler",
    to:
      '    for (;;) {\n      globalThis.portlabModel.turn("bell");\n      guard.check();\n      const result = attempt() ?? (idler',
  },
  {
    file: "wait/bell_waiter.ts",
    from:
      "const armed = this.#bell.arm();\n    try {\n      guard.check();\n      const result = attempt();\n      if (result === undefined) this.#bell.sleep(",
    to:
      'const armed = this.#bell.arm();\n    globalThis.portlabModel.remember("armed", armed);\n    try {\n      guard.check();\n      const result = attempt();\n      if (result === undefined) this.#bell.sleep(',
  },
  {
    file: "wait/bell_waiter.ts",
    from: "      this.#bell.disarm();\n    }\n  }\n\n  /** As {@linkcode wait}",
    to:
      '      this.#bell.disarm();\n      globalThis.portlabModel.remember("armed", "");\n    }\n  }\n\n  /** As {@linkcode wait}',
  },
  {
    file: "wait/inbox_waiter.ts",
    from: "      if (parks) this.#park(",
    to: "      globalThis.portlabModel.turn(`wait ${index}`);\n      if (parks) this.#park(",
  },
];

/** Changes by which nobody sleeps: each wait is one step, and there is nobody to wake. */
export const WITHOUT_SLEEP: readonly SourceChange[] = [
  {
    file: "wait/bell_waiter.ts",
    from: "(idler.wantsSleep() ? this.#sleep(attempt, guard) : undefined)",
    to: "globalThis.portlabModel.waits.bell()",
  },
  {
    file: "wait/inbox_waiter.ts",
    from: "    for (let poll = this.#strategy.burstPolls; poll > 0; poll--) {",
    to:
      "    globalThis.portlabModel.waits.answer(index);\n    for (let poll = this.#strategy.burstPolls; poll > 0; poll--) {",
  },
  {
    file: "wait/doorbell.ts",
    from: "    if (this.#words.load(this.#sleepersWord) === 0) return;",
    to: "    if (this.#words) return;",
  },
  {
    file: "one_packet/packet_channel.ts",
    from: "    if (this.words.load(word) === 0) return;",
    to: "    if (word >= 0) return;",
  },
];

/**
 * Builds the model of a protocol of packets: clients call and servers run `serve()`, in their own code,
 * and a sleep ends by a notify alone. Nothing is left out but what a packet holds, which stands behind
 * the channel, one word each. At the end the channel is at rest, is stopped, and everybody ends.
 */
export function packetModel<Memory extends PacketMemory>(
  core: PacketProtocol<Memory>,
  rules: ProtocolRules<Memory>,
  plan: PacketPlan,
): Model {
  const { packetCount } = plan;
  const { layout, plain } = newMemory(core, { packetCount, laneCount: rules.laneCount });
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

function controlsOf({ controlWord }: PacketMemory): number[] {
  const { state, workSleepers, workBell, freeSleepers, freeBell } = ControlWord;
  return [state, workSleepers, workBell, freeSleepers, freeBell].map((word) => controlWord + word);
}

function stateWordsOf<Memory extends PacketMemory>(setting: PacketSetting<Memory>): number[] {
  const { layout, rules, at } = setting;
  const indexes = indexesOf(setting);
  const headers = Array.from(
    { length: indexes.length * HEADER_WORDS },
    (_, word) => layout.headersWord + word,
  );
  return [
    ...controlsOf(layout),
    ...indexes.map((index) => layout.parkedWord + index),
    ...headers,
    ...rules.protocolWords(layout),
    ...indexes.map((index) => at.dataWord + index),
    at.doneWord,
    at.servedWord,
  ];
}

/** The protocol's own table; of who touches what when, little is known but for plain accesses. */
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

/** Packets and headers are plain data, a place each; all else is atomic. */
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
