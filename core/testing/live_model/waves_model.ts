import { LIVE_WORDS } from "../../gpu/live/kernel/live_source.ts";
import type { CoreModule } from "../explorer/changed_core.ts";
import type { Model, Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { plainAtomics, portFunctions, ROUNDS_MAX } from "./wave_program.ts";

/** What a wave leaves out, or does besides, that is wrong. */
export type WaveFault =
  | "lanes do not meet before the flip"
  | "lanes run on when the first has seen the reply"
  | "lanes do not meet before the port is dropped"
  | "a wave waits for all others with its port"
  | "a wave waits for all others";

/** Waves of lanes on one channel, of which some at a time are resident. */
export interface WavesPlan {
  readonly core: CoreModule;
  readonly waveCount: number;
  readonly laneCount: number;
  readonly portCount: number;
  /** How many waves have begun and not ended, at most. */
  readonly residentCount: number;
  /** How many calls each wave makes. */
  readonly callCount: number;
  readonly fault?: WaveFault;
}

const OPCODE = 40_000;

interface Setting {
  readonly plan: WavesPlan;
  readonly layout: ReturnType<CoreModule["channelLayout"]>;
  readonly at: {
    readonly liveWord: number;
    /** How many more waves may begin. */
    readonly slotsWord: number;
    /** How many waves have had their answers. */
    readonly answeredWord: number;
    readonly doneWord: number;
    /** Of each wave: how often a lane came to a barrier, and its port. */
    readonly waveWord: number;
    /** Of each port, a word for each lane. */
    readonly laneWord: number;
  };
}

/**
 * Builds the model of lanes: each lane of each wave is a thread, which calls by the WGSL of the waves' port
 * where it is the first of its wave, and meets the others at barriers where `live_wave.wgsl` does. A
 * lane gets its own answer, whoever runs on when; and all waves end, however few are resident at a time.
 */
export function wavesModel(plan: WavesPlan): Model {
  const { core, waveCount, laneCount, portCount, residentCount } = plan;
  const layout = core.channelLayout({ portCount, laneCount: 1 });
  const end = layout.totalBytes / 4;
  const at = {
    liveWord: end,
    slotsWord: end + LIVE_WORDS,
    answeredWord: end + LIVE_WORDS + 1,
    doneWord: end + LIVE_WORDS + 2,
    waveWord: end + LIVE_WORDS + 3,
    laneWord: end + LIVE_WORDS + 3 + 2 * waveCount,
  };
  const setting = { plan, layout, at };
  const initialMemory = new Int32Array(at.laneWord + portCount * laneCount);
  initialMemory[layout.controlWord + core.ControlWord.nextOwnerId] = 1;
  initialMemory[at.slotsWord] = residentCount;
  const waves = Array.from({ length: waveCount }, (_, wave) => wave);
  const lanes = Array.from({ length: laneCount }, (_, lane) => lane);
  return {
    initialMemory,
    programs: [
      ...waves.flatMap((wave) => lanes.map((lane) => laneProgram(setting, { wave, lane }))),
      serverProgram(setting),
    ],
    stateWords: initialMemory.keys().toArray(),
    rulesOf: () => ({
      objection: () => undefined,
      isSettled: () => false,
      isPrivate: () => false,
    }),
    faultAtEnd: (memory) => memory[at.doneWord] === waveCount ? undefined : "A wave has not ended",
  };
}

interface Lane {
  readonly wave: number;
  readonly lane: number;
}

function laneProgram(setting: Setting, self: Lane): Program {
  const { plan, layout, at } = setting;
  const makeKernel = portFunctions({ layout, plan: {} });
  return (words) => {
    const buffers = { channel: 0, payload: 0, live: at.liveWord };
    const { functions, privates } = makeKernel({ words, buffers, atomics: plainAtomics(words) });
    Object.assign(privates, { owner_id: 1, rounds_max: ROUNDS_MAX });
    const meet = barrierOf(setting, words, self);
    if (self.lane === 0) takeSlot(words, at.slotsWord);
    meet();
    for (let call = 0; call < plan.callCount; call++) {
      words.boundary(`call ${call}`);
      laneCall(setting, self, { words, meet, functions, call });
    }
    words.boundary("over");
    if (self.lane === 0) leave(setting, words);
  };
}

/** A barrier of a wave, each of whose turns has more arrivals. */
function barrierOf({ plan, at }: Setting, words: ScheduledWords, { wave }: Lane): () => void {
  const word = at.waveWord + 2 * wave;
  let arrivals = 0;
  return () => {
    arrivals += plan.laneCount;
    const wanted = arrivals;
    words.add(word, 1);
    words.until({
      text: "all lanes have come",
      words: [word],
      outcome: (memory) => memory[word]! >= wanted ? 1 : 0,
    });
  };
}

/** Begins when there is room on the device. */
function takeSlot(words: ScheduledWords, slotsWord: number): void {
  for (let isTaken = false; !isTaken;) {
    const count = words.until({
      text: "a wave may begin",
      words: [slotsWord],
      outcome: (memory) => memory[slotsWord]!,
    });
    isTaken = words.compareExchange(slotsWord, count, count - 1) === count;
  }
}

function leave({ plan, layout, at }: Setting, words: ScheduledWords): void {
  words.add(at.slotsWord, 1);
  const isLast = words.add(at.doneWord, 1) === plan.waveCount - 1;
  if (isLast) new plan.core.Channel(layout, words).shutDown();
}

interface LaneWork {
  readonly words: ScheduledWords;
  readonly meet: () => void;
  readonly functions: Readonly<Record<string, (...values: (number | boolean)[]) => number>>;
  readonly call: number;
}

/** Mirrors wave_operate(), wave_give(), wave_await() and wave_close() of one lane. */
function laneCall(setting: Setting, { wave, lane }: Lane, work: LaneWork): void {
  const { plan: { fault, laneCount }, at } = setting;
  const { words, meet, functions, call } = work;
  const isFirst = lane === 0;
  const portWord = at.waveWord + 2 * wave + 1;
  if (isFirst) {
    const found = functions.wave_find_port!(true) as unknown as { readonly x: number };
    words.store(portWord, found.x);
  }
  meet();
  const port = words.load(portWord);
  const word = at.laneWord + port * laneCount + lane;
  const nonce = 1000 * wave + 100 * lane + 10 * call + 1;
  words.plain[word] = nonce;
  if (fault !== "lanes do not meet before the flip") meet();
  if (isFirst) {
    functions.port_write_header!(port, { x: 1, y: 0 } as unknown as number, OPCODE);
    functions.port_send!(port);
    functions.port_await!(port);
  }
  if (fault !== "lanes run on when the first has seen the reply") meet();
  if (words.plain[word] !== nonce + 1) words.violate("A lane has another answer than its own");
  if (fault !== "lanes do not meet before the port is dropped") meet();
  if (!isFirst) return;
  if (fault === "a wave waits for all others with its port") awaitOthers(setting, words);
  functions.port_unlock!(port);
  if (fault === "a wave waits for all others") awaitOthers(setting, words);
}

function awaitOthers({ plan: { waveCount }, at }: Setting, words: ScheduledWords): void {
  words.add(at.answeredWord, 1);
  words.until({
    text: "every wave has its answer",
    words: [at.answeredWord],
    outcome: (memory) => memory[at.answeredWord] === waveCount ? 1 : 0,
  });
}

/** Adds 1 to the word of each lane. */
function serverProgram({ plan: { core, laneCount }, layout, at }: Setting): Program {
  return (words) => {
    const channel = new core.Channel(layout, words);
    const server = words.setUp(() => new core.Server(channel, { waiter: "spin-pause" }));
    server.operate(OPCODE, ({ index }) => {
      for (let lane = 0; lane < laneCount; lane++) {
        const word = at.laneWord + index * laneCount + lane;
        words.plain[word] = words.plain[word]! + 1;
      }
    });
    words.boundary("serves");
    server.run();
  };
}
