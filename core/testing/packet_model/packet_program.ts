import type { Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { noteFault } from "../model/channel_program.ts";
import type { PacketClient } from "../../one_packet/packet_client.ts";
import { ControlWord, type PacketMemory } from "../../one_packet/packet_channel.ts";
import {
  callCount,
  CALLS_MAX,
  type ClientAct,
  type PacketSetting,
  waiterOf,
} from "./packet_plan.ts";

const OPCODE = 40_000;
/** A server adds this: more than there are calls. */
const ANSWER = 1000;
/** The content of a packet whose answer was read. Reading it means that a packet came twice. */
const CONSUMED = -1;

/** A client: makes its calls one after another, each with a value of its own. */
export function clientProgram<Memory extends PacketMemory>(
  setting: PacketSetting<Memory>,
  client: number,
): Program {
  const { core, layout, at, plan } = setting;
  return (words) => {
    setWaits(words, setting, "client");
    const channel = new core.PacketChannel("", layout, words);
    const caller = new Caller(
      setting,
      words,
      core.protocol.client(channel, waiterOf(plan)),
      client,
    );
    plan.clients[client]!.forEach((act) => caller.run(act));
    words.boundary("done");
    words.or(at.doneWord, 1 << client);
  };
}

class Caller<Memory extends PacketMemory> {
  readonly #setting: PacketSetting<Memory>;
  readonly #words: ScheduledWords;
  readonly #client: PacketClient;
  #value: number;
  /** The packets of its calls under way. */
  #held: readonly number[] = [];

  constructor(
    setting: PacketSetting<Memory>,
    words: ScheduledWords,
    ...[client, number]: readonly [client: PacketClient, number: number]
  ) {
    this.#setting = setting;
    this.#words = words;
    this.#client = client;
    this.#value = number * CALLS_MAX + 1;
  }

  run(act: ClientAct): void {
    this.#words.boundary(`at ${this.#value}`);
    const value = this.#value++;
    if (act === "call") {
      this.#client.call(OPCODE, { fill: this.#fill(value), use: this.#use(value) });
    } else if (act === "cast") this.#client.cast(OPCODE, this.#fill(value));
    else this.#overlap(value, this.#value++);
  }

  /** Makes two calls at once, if there are packets for both. The first ends first. */
  #overlap(first: number, second: number): void {
    const posted = [first, second].map((value) => {
      let index = -1;
      const fill = this.#fill(value);
      const call = this.#client.tryPost(OPCODE, (packet) => {
        fill(packet);
        index = packet.index;
      });
      this.#held = [...this.#held, index];
      this.#words.boundary(`posted ${value}, ${this.#held}`);
      return { value, call };
    });
    for (const { value, call } of posted) {
      this.#held = this.#held.slice(1);
      const use = this.#use(value);
      if (call) call.finish(use);
      else this.#client.call(OPCODE, { fill: this.#fill(value), use });
      this.#words.boundary(`finished ${value}, ${this.#held}`);
    }
  }

  #fill(value: number): (packet: { readonly index: number }) => void {
    const { dataWord } = this.#setting.at;
    return ({ index }) => {
      this.#words.boundary(`fills ${value} on ${index}, ${this.#held}`);
      this.#words.plain[dataWord + index] = value;
      this.#words.boundary(`filled ${value} on ${index}, ${this.#held}`);
    };
  }

  #use(value: number): (packet: { readonly index: number }) => void {
    const { dataWord } = this.#setting.at;
    return ({ index }) => {
      this.#words.boundary(`uses ${value} on ${index}, ${this.#held}`);
      const held = this.#words.plain[dataWord + index]!;
      if (held !== value + ANSWER) this.#words.violate(`Wrong answer: ${held} to ${value}`);
      this.#words.plain[dataWord + index] = CONSUMED;
    };
  }
}

/** A server: serves until the channel is stopped. */
export function serverProgram<Memory extends PacketMemory>(
  setting: PacketSetting<Memory>,
): Program {
  const { core, layout, at, plan } = setting;
  return (words) => {
    setWaits(words, setting, "server");
    const channel = new core.PacketChannel("", layout, words);
    const onFault = ({ cause }: { readonly cause?: unknown }) =>
      noteFault(words, `Refused: ${String(cause)}`);
    const server = core.protocol.server(channel, { ...waiterOf(plan), onFault });
    server.operate(OPCODE, ({ index }) => {
      words.boundary(`serves ${index}`);
      const value = words.plain[at.dataWord + index]!;
      if (!(value > 0 && value < ANSWER)) words.violate(`What is served is no request: ${value}`);
      const bit = 1 << (value - 1);
      if (words.or(at.servedWord, bit) & bit) words.violate(`Call ${value} was served twice`);
      words.plain[at.dataWord + index] = value + ANSWER;
      words.boundary(`answers ${index}`);
    });
    words.boundary("begins");
    server.run();
  };
}

/** Stops the channel when all clients have ended, all calls were served, and the channel is at rest. */
export function closerProgram<Memory extends PacketMemory>(
  { core, layout, at, plan, rules }: PacketSetting<Memory>,
): Program {
  const allServed = plan.clients.reduce(
    (bits, acts, client) => bits | (2 ** callCount(acts) - 1) << (client * CALLS_MAX),
    0,
  );
  const condition = {
    text: "all is over and at rest",
    words: [...rules.protocolWords(layout), at.doneWord, at.servedWord],
    outcome: (memory: Int32Array) =>
      Number(
        memory[at.doneWord] === 2 ** plan.clients.length - 1 &&
          memory[at.servedWord] === allServed && rules.isAtRest(layout, memory),
      ),
  };
  return (words) => {
    words.until(condition);
    new core.PacketChannel("", layout, words).stop();
  };
}

/** The waits of a program that does not sleep. Its looks find them at the words. */
interface ModelWaits {
  /** Waits for a packet or for work. */
  bell(): undefined;
  answer(index: number): void;
}

function setWaits<Memory extends PacketMemory>(
  words: ScheduledWords,
  { layout, rules }: PacketSetting<Memory>,
  side: "client" | "server",
): void {
  const stateWord = layout.controlWord + ControlWord.state;
  const protocolWords = rules.protocolWords(layout);
  const until = (text: string, outcome: (memory: Int32Array) => boolean) =>
    void words.until({
      text,
      words: side === "client" ? protocolWords : [...protocolWords, stateWord],
      outcome: (memory) => Number(outcome(memory)),
    });
  const waits: ModelWaits = {
    bell: () =>
      side === "client"
        ? until("a packet is free", (memory) => rules.mayClaim(layout, memory)) as undefined
        : until(
          "there is work",
          (memory) => memory[stateWord] !== 0 || rules.hasWork(layout, memory),
        ) as undefined,
    answer: (index) =>
      until(`answer ${index}`, (memory) => rules.isAnswered(layout, memory, index)),
  };
  Object.assign(words, { waits });
}
