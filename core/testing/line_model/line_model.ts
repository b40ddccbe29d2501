import { CloneEncoder } from "../../call/clone/clone_encoder.ts";
import type * as LineModule from "../../connect/line/line.ts";
import type { LineSide } from "../../connect/line/line.ts";
import type * as EndModule from "../../connect/line/line_end.ts";
import type { Frame } from "../../connect/line/line_end.ts";
import type { RingPlace } from "../../connect/line/ring.ts";
import type { Doorbell } from "../../wait/doorbell.ts";
import type * as WaiterModule from "../../wait/bell_waiter.ts";
import {
  changedModule,
  type CoreChanges,
  type Look,
  type SourceFault,
} from "../explorer/changed_core.ts";
import type { MemoryRules, Model, Ordering, Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { packetLooks } from "../packet_model/packet_model.ts";

/** Who talks about what over a line. */
export interface LinePlan {
  /** At least 32: a header takes 16, whose room is not given back before some of the message has come. */
  readonly ringBytes: number;
  /** After so many bytes the reader is told to begin; the first is more than a message that is small. */
  readonly chunkBytes: number;
  /** The messages of each side, by how many bytes are in the buffer of each; -1: there is no buffer. */
  readonly client: readonly number[];
  readonly server: readonly number[];
  /**
   * Who ends the line: a side, once it has said and heard everything, or a third thread at any time.
   * The others go on until then. When absent each stops when it has said and heard everything.
   */
  readonly ender?: LineSide | "third";
  /** Whether a side looks once behind arming its bell and no time before, as a nap of `serve` may. */
  readonly naps?: boolean;
  /** Where the counts of both rings begin; 0 when absent. */
  readonly firstCount?: number;
}

/** The product's modules that a model runs. */
export interface LineCore {
  readonly line: typeof LineModule;
  readonly end: typeof EndModule;
  readonly waiter: typeof WaiterModule;
}

const RING = "connect/line/ring.ts";
const SIDES: readonly LineSide[] = ["client", "server"];
/** Bytes that are one place to the detector of races: nothing shorter is put or taken as a whole. */
const PLACE_BYTES = 8;
const LIMIT_BYTES = 1000;
/** Behind its number: head, call, and a small value. */
const LETTER_WORDS_USED = 3;
const KIND = 16;

/** What the objects of a side keep from one turn to the next; all else follows from the counts. */
const LOOKS: readonly Look[] = [
  ...packetLooks({ sleeps: true }),
  ...["RingWriter.count", "RingWriter.#room", "RingReader.count", "RingReader.#available"]
    .map((field) => ({ field: `${RING} ${field}` })),
  {
    place: "connect/line/line_end.ts LineEnd.flush",
    at: "const written =",
    call: "turn(`writes ${hasWritten} ${this.#unpublishedBytes} ${one.piece} ${one.offset}`)",
  },
  {
    place: "connect/line/line_end.ts LineEnd.pump",
    at: "const hasWritten =",
    call: "turn(`reads ${hasWritten}`)",
    isBehind: true,
  },
  {
    place: `${RING} RingEnd.constructor`,
    at: "this.bytes =",
    call: "useBytes(this)",
    isBehind: true,
  },
];

/** The product's own code, but for the sizes of a plan, and with a fault where there is one. */
export function lineChanges(plan: LinePlan, faults: readonly SourceFault[] = []): CoreChanges {
  const { ringBytes, chunkBytes, firstCount = 0 } = plan;
  const sizes: readonly SourceFault[] = [
    { place: "connect/line/line.ts RING_BYTES", from: "1 << 21", to: `${ringBytes}` },
    { place: "connect/line/line_end.ts CHUNK_BYTES", from: "1 << 16", to: `${chunkBytes}` },
    { place: `${RING} RingEnd.count`, from: "= 0", to: `= ${firstCount}` },
  ];
  return { faults: [...sizes, ...faults], looks: LOOKS };
}

const cores = new Map<string, Promise<LineCore>>();

/** Loads the modules for a plan, once for all plans of the same sizes. */
export function lineCore(
  plan: LinePlan,
  faults: readonly SourceFault[] = [],
): Promise<LineCore> {
  const changes = lineChanges(plan, faults);
  const key = JSON.stringify(changes.faults);
  const core = cores.get(key) ?? load(changes);
  cores.set(key, core);
  return core;
}

async function load(changes: CoreChanges): Promise<LineCore> {
  // No plan changes it.
  waiter ??= changedModule("wait/bell_waiter.ts", { looks: LOOKS });
  const line = await changedModule<typeof LineModule>("connect/line/line.ts", changes);
  const end = await changedModule<typeof EndModule>("connect/line/line_end.ts", changes);
  return { line, end, waiter: await waiter };
}

let waiter: Promise<typeof WaiterModule> | undefined;

interface Setting {
  readonly plan: LinePlan;
  readonly core: Pick<LineCore, "line">;
}

/** Behind the line stand the bytes of its rings, a word each. */
function bytesWordsOf(
  layout: typeof LineModule.LAYOUT,
  ringBytes: number,
): Readonly<Record<LineSide, number>> {
  const end = layout.totalBytes / 4;
  return { client: end, server: end + ringBytes };
}

/**
 * Builds the model: both sides post their messages and wait, as `connect` and `serve` do, until they have
 * said and heard everything or the line is ended. A sleep ends by a notify alone. Every byte of the rings
 * is a plain access of its own.
 */
export function lineModel(core: LineCore, plan: LinePlan): Model {
  const setting = { plan, core };
  return memoryModel({
    ...setting,
    programs: [
      ...SIDES.map((side) => sideProgram(setting, side)),
      ...plan.ender === "third" ? [enderProgram(setting)] : [],
    ],
  });
}

/** @internal The memory of a line with the bytes of its rings behind it, a word each, and its rules. */
export function memoryModel(
  { plan, core, programs }: {
    readonly plan: LinePlan;
    readonly core: Pick<LineCore, "line">;
    readonly programs: readonly Program[];
  },
): Model {
  const { ringBytes, firstCount = 0, ender } = plan;
  const { LAYOUT } = core.line;
  const end = LAYOUT.totalBytes / 4;
  const setting = { plan, core };
  const initialMemory = new Int32Array(end + 2 * ringBytes);
  for (const side of SIDES) {
    const { writtenWord, readWord } = LAYOUT.rings[side];
    initialMemory[writtenWord] = initialMemory[readWord] = firstCount;
  }
  const atomicWords = SIDES.flatMap((side) => {
    const { writtenWord, readWord, wantsRoomWord } = LAYOUT.rings[side];
    const sleepersWord = LAYOUT.bells[side];
    const letterWord = LAYOUT.letters[side];
    return [writtenWord, readWord, wantsRoomWord, sleepersWord, sleepersWord + 1, letterWord];
  });
  if (ender) atomicWords.push(LAYOUT.endWord);
  const byteWords = Array.from({ length: 2 * ringBytes }, (_, byte) => end + byte);
  const letterWords = SIDES.flatMap((side) =>
    Array.from({ length: LETTER_WORDS_USED }, (_, word) => LAYOUT.letters[side] + 1 + word)
  );
  return {
    initialMemory,
    programs,
    stateWords: [...atomicWords, ...letterWords, ...byteWords],
    rulesOf: () => rulesOf(setting),
    orderingOf: () => orderingOf(setting, atomicWords),
    faultAtEnd: (memory) => faultAtEnd(setting, memory),
  };
}

function lineOf({ core }: Setting, words: ScheduledWords): LineModule.Line {
  return Reflect.construct(core.line.Line, [words]);
}

function enderProgram(setting: Setting): Program {
  return (words) => lineOf(setting, words).end();
}

function sideProgram(
  setting: { readonly plan: LinePlan; readonly core: LineCore },
  side: LineSide,
): Program {
  const { plan, core } = setting;
  const other = side === "client" ? "server" : "client";
  return (words) => {
    useModelBytes(core.line.LAYOUT, plan.ringBytes, words);
    const line = lineOf(setting, words);
    let heardCount = 0;
    const receive = (frame: Frame) => {
      const wrong = wrongFrame(plan[other], frame, heardCount++);
      if (wrong) words.violate(`The ${side} heard ${wrong}`);
    };
    const end = new core.end.LineEnd(line, side, { receive, limitBytes: LIMIT_BYTES });
    const encoder = new CloneEncoder();
    plan[side].forEach((_, id) => {
      end.post(KIND, id, encoder.encode(valueOf(plan[side], id)));
      end.keep();
    });
    const isOver = () => plan.ender !== undefined && line.isEnded;
    const isDone = () => heardCount === plan[other].length && !end.hasOutgoing;
    const attempt = () => isOver() || end.pump() || undefined;
    const staysOn = plan.ender !== undefined && plan.ender !== side;
    const waiter = new core.waiter.BellWaiter(end.bell, "park");
    const wait = plan.naps
      ? () => nap(words, end.bell, attempt)
      : () => waiter.wait(attempt, NO_LIMIT);
    words.boundary("talks");
    while (!(isDone() && !staysOn) && !isOver()) wait();
    if (plan.ender === side) line.end();
  };
}

function nap(words: ScheduledWords, bell: Doorbell, attempt: () => true | undefined): void {
  words.boundary("naps");
  const armed = words.remember("armed", bell.arm());
  if (!attempt()) bell.sleep(armed);
  words.remember("armed", "");
  bell.disarm();
}

const NO_LIMIT = { check: () => {}, leftMilliseconds: Infinity };

/** @internal The rings' bytes in the memory of the model, in the place of views of the program's own. */
export function useModelBytes(
  layout: typeof LineModule.LAYOUT,
  ringBytes: number,
  words: ScheduledWords,
): void {
  const { rings } = layout;
  const bytesWords = bytesWordsOf(layout, ringBytes);
  const useBytes = (end: { readonly place: RingPlace; bytes: unknown }) => {
    const first = bytesWords[end.place === rings.client ? "client" : "server"];
    end.bytes = new Proxy({}, {
      get: (_, index) => words.plain[first + Number(index)],
      set: (_, index, value) => {
        words.plain[first + Number(index)] = value;
        return true;
      },
    });
  };
  Object.assign(words, { useBytes });
}

/** What a message says: no two bytes of a plan's are alike, nor one that a ring begins with. */
function valueOf(lengths: readonly number[], id: number): unknown {
  const length = lengths[id]!;
  if (length < 0) return id;
  return Uint8Array.from({ length }, (_, index) => 1 + id * 64 + index);
}

function wrongFrame(
  lengths: readonly number[],
  { kind, id, value, error }: Frame,
  expectedId: number,
): string | undefined {
  if (error) return `what cannot be read: ${error.message}`;
  if (kind !== KIND || id !== expectedId) return `message ${kind} ${id} instead of ${expectedId}`;
  const expected = valueOf(lengths, id);
  return String(value) === String(expected) ? undefined : `${value} instead of ${expected}`;
}

/** Who may write what, by the threads' numbers: those of `SIDES`, and the third. */
function rulesOf({ core, plan }: Setting): MemoryRules {
  const { LAYOUT } = core.line;
  const bytesWords = bytesWordsOf(LAYOUT, plan.ringBytes);
  const writers = new Map<number, number>();
  SIDES.forEach((side, thread) => {
    writers.set(LAYOUT.rings[side].writtenWord, thread);
    writers.set(LAYOUT.rings[side].readWord, 1 - thread);
    writers.set(LAYOUT.bells[side], thread);
    for (let word = 0; word <= LETTER_WORDS_USED; word++) {
      writers.set(LAYOUT.letters[side] + word, thread);
    }
    for (let byte = 0; byte < plan.ringBytes; byte++) writers.set(bytesWords[side] + byte, thread);
  });
  return {
    objection: (thread, word, next) => {
      const writer = writers.get(word) ?? thread;
      if (next === undefined || writer === thread) return undefined;
      return `Word ${word} is written by ${thread} and not by ${writer}`;
    },
    isSettled: (thread, word) => writers.get(word) === thread,
    isPrivate: () => false,
  };
}

function orderingOf(
  { core, plan }: Setting,
  atomicWords: readonly number[],
): Ordering {
  const { LAYOUT } = core.line;
  const first = bytesWordsOf(LAYOUT, plan.ringBytes).client;
  const ringPlaces = 2 * plan.ringBytes / PLACE_BYTES;
  /** All of a letter but its number. */
  const letterPlaces = new Map(
    SIDES.flatMap((side, at) =>
      Array.from(
        { length: LETTER_WORDS_USED },
        (_, word) => [LAYOUT.letters[side] + 1 + word, ringPlaces + at] as const,
      )
    ),
  );
  const placeOf = (word: number) =>
    word >= first ? Math.floor((word - first) / PLACE_BYTES) : letterPlaces.get(word);
  return {
    placeCount: ringPlaces + SIDES.length,
    atomicWords,
    arePlainFree: true,
    placeOf,
    isPlain: (word) => placeOf(word) !== undefined,
    mayBeStale: () => false,
  };
}

function faultAtEnd({ core, plan }: Setting, memory: Int32Array): string | undefined {
  const { rings, bells } = core.line.LAYOUT;
  if (SIDES.some((side) => memory[bells[side]] !== 0)) return "Somebody who ended counts as asleep";
  if (plan.ender) return undefined;
  const isEmpty = SIDES.every((side) =>
    memory[rings[side].writtenWord] === memory[rings[side].readWord]
  );
  return isEmpty ? undefined : "Something was written and not read";
}
