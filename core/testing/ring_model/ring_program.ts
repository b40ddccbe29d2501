import type { Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { noteFault } from "../model/channel_program.ts";
import type { RingClient } from "../../command_ring/mod.ts";
import { SlotState } from "../../command_ring/return_slots.ts";
import { ControlWord } from "../../one_packet/packet_channel.ts";
import { waiterOf } from "../packet_model/packet_plan.ts";
import { CALLS_MAX, COMMAND, type RingSetting, WIDE_BYTES } from "./ring_plan.ts";
import { hasRoom, hasSlot, hasWork, isAtRest, orderedWords } from "./ring_state.ts";

const ANSWER = 1000n;

/** A client: makes its calls one after another, each with its own number of bytes. */
export function clientProgram(setting: RingSetting, client: number): Program {
  const { core, layout, at, plan } = setting;
  return (words) => {
    setWaits(words, setting, "client");
    const self = new core.RingClient(new core.PacketChannel("", layout, words), waiterOf(plan));
    plan.clients[client]!.forEach((act, place) => {
      const value = client * CALLS_MAX + place + 1;
      words.boundary(`at ${value}`);
      if (act !== "call") cast(setting, { words, self, value, isWide: act === "wide" });
      else if (self.call(COMMAND, new Uint8Array(value)) !== ANSWER + BigInt(value)) {
        words.violate(`Wrong answer to ${value}`);
      }
    });
    words.boundary("done");
    words.or(at.doneWord, 1 << client);
  };
}

interface Cast {
  readonly words: ScheduledWords;
  readonly self: RingClient;
  readonly value: number;
  readonly isWide: boolean;
}

function cast(
  { layout }: RingSetting,
  { words, self, value, isWide }: Cast,
): void {
  const bytes = new Uint8Array(isWide ? value + WIDE_BYTES : value);
  const cellCount = isWide ? 2 : 1;
  const room = {
    text: "room",
    words: [layout.topWord],
    outcome: (memory: Int32Array) => Number(hasRoom(layout, memory, cellCount)),
  };
  while (self.tryCast(COMMAND, bytes) !== "sent") {
    words.boundary(`room for ${value}`);
    words.until(room);
    words.boundary(`again ${value}`);
  }
}

/** The host: serves until the ring is stopped. */
export function hostProgram(setting: RingSetting): Program {
  const { core, layout, at, plan } = setting;
  return (words) => {
    setWaits(words, setting, "host");
    const onFault = ({ cause }: { readonly cause?: unknown }) =>
      noteFault(words, `Refused: ${String(cause)}`);
    const server = new core.RingServer(new core.PacketChannel("", layout, words), {
      ...waiterOf(plan),
      onFault,
    });
    server.register(COMMAND, ({ length }) => {
      const value = length % WIDE_BYTES;
      const bit = 1 << (value - 1);
      if (value === 0) words.violate("A command is served that nobody wrote");
      if (words.or(at.servedWord, bit) & bit) words.violate(`Call ${value} was served twice`);
      return ANSWER + BigInt(value);
    });
    words.boundary("begins");
    if (!plan.tears) return server.run();
    let mayTear = true;
    const condition = hostCondition(setting);
    for (;;) {
      words.boundary(`tears ${mayTear}`);
      if (server.runOnce()) continue;
      if (mayTear && words.load(at.tearWord) !== 0) {
        server.tear();
        mayTear = false;
        continue;
      }
      words.boundary(`waits, tears ${mayTear}`);
      if (words.until(condition(mayTear)) === 2) return;
    }
  };
}

/** 1 while there is work, or it is time to tear; 2 when the ring was stopped. */
function hostCondition({ layout, at }: RingSetting) {
  const stateWord = layout.controlWord + ControlWord.state;
  return (mayTear: boolean) => ({
    text: `there is work, ${mayTear}`,
    words: [...orderedWords(layout), stateWord, at.tearWord],
    outcome: (memory: Int32Array) => {
      if (memory[stateWord] !== 0) return 2;
      return Number(hasWork(layout, memory) || (mayTear && memory[at.tearWord] !== 0));
    },
  });
}

/** Tells the host to give up writers, at any time. */
export function tearerProgram({ at }: RingSetting): Program {
  return (words) => words.store(at.tearWord, 1);
}

/** Stops the ring when all clients have ended, all calls were served, and nothing is under way. */
export function closerProgram({ core, layout, at, plan }: RingSetting): Program {
  const allServed = plan.clients.reduce(
    (bits, acts, client) => bits | (2 ** acts.length - 1) << (client * CALLS_MAX),
    0,
  );
  return (words) => {
    words.until({
      text: "all is over and at rest",
      words: [...orderedWords(layout), at.doneWord, at.servedWord],
      outcome: (memory) =>
        Number(
          memory[at.doneWord] === 2 ** plan.clients.length - 1 &&
            memory[at.servedWord] === allServed && isAtRest(layout, memory),
        ),
    });
    new core.PacketChannel("", layout, words).stop();
  };
}

/** The waits of a program that does not sleep; see `setWaits` of the packet model. */
function setWaits(words: ScheduledWords, setting: RingSetting, side: "client" | "host"): void {
  const { layout } = setting;
  const until = (text: string, outcome: (memory: Int32Array) => boolean) =>
    void words.until({
      text,
      words: orderedWords(layout),
      outcome: (memory) => Number(outcome(memory)),
    });
  Object.assign(words, {
    waits: {
      bell: () =>
        side === "host"
          ? void words.until(hostCondition(setting)(false))
          : until("room", (memory) => hasRoom(layout, memory, 1) && hasSlot(layout, memory)),
      answer: (slot: number) =>
        until(
          `answer ${slot}`,
          (memory) => memory[layout.slotStateWord + slot] !== SlotState.pending,
        ),
    },
  });
}
