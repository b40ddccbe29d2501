import type * as AnswerModule from "../../connect/answer.ts";
import type * as CallModule from "../../connect/call_end.ts";
import type * as LineModule from "../../connect/line/line.ts";
import type * as WaiterModule from "../../wait/bell_waiter.ts";
import { changedModule, type Look, type SourceFault } from "../explorer/changed_core.ts";
import type { Model, Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { lineChanges, memoryModel, useModelBytes } from "./line_model.ts";

/**
 * How a call goes: there and back by letter; by letter, and back through the ring; both ways through the ring; or
 * by letter, and nobody blocks for it, so that the next call overtakes its answer.
 */
export type CallWay = "letter" | "long answer" | "ring" | "async";

/** Calls of the product's `CallEnd`, one behind the other, over a ring that is too small for a message. */
export interface LetterPlan {
  readonly calls: readonly CallWay[];
  /** Whether a third thread ends the line at any time; else the client does, behind its last call. */
  readonly endsAnytime?: boolean;
}

/** The product's modules that the model runs. */
export interface LetterCore {
  readonly answer: typeof AnswerModule;
  readonly calls: typeof CallModule;
  readonly line: typeof LineModule;
  readonly waiter: typeof WaiterModule;
}

const SIZES = { ringBytes: 64, chunkBytes: 64, client: [], server: [] } as const;
const LIMIT_BYTES = 1000;
const [CALLS, SERVER, MAIL] = [
  "connect/call_end.ts",
  "connect/call_server.ts",
  "connect/line/mail.ts",
];

/** What the objects of a side keep from one turn to the next. */
const LOOKS: readonly Look[] = [
  // It reads what is left as it did before.
  {
    place: `${CALLS} CallEnd.finish`,
    at: "if (this.#letters.pendingId",
    call: 'remember("ends", true)',
  },
  ...[
    `${MAIL} LetterCaller.#number`,
    `${MAIL} LetterCaller.pendingId`,
    `${CALLS} CallEnd.#nextId`,
    `${SERVER} CallServer.#nextLetter`,
    `${SERVER} CallServer.#letteredId`,
  ].map((field) => ({ field })),
];

/** Waits that end sooner: how long somebody looks makes no difference, and a model has no event loop. */
const SHORTER: readonly SourceFault[] = [
  { place: `${CALLS} LETTER_POLLS`, from: "250", to: "1" },
  {
    place: "connect/line/spin.ts Spin.until",
    from: "const longest",
    to: "return undefined; const longest",
  },
  { place: `${CALLS} CallEnd.#beginToListen`, from: "void this.#listen();", to: "return;" },
];

/** Loads the modules, with a fault where there is one. */
export async function letterCore(faults: readonly SourceFault[] = []): Promise<LetterCore> {
  const { looks = [], ...changes } = lineChanges(SIZES, [...SHORTER, ...faults]);
  const load = <Module>(path: string) =>
    changedModule<Module>(path, { ...changes, looks: [...looks, ...LOOKS] });
  return {
    answer: await load<typeof AnswerModule>("connect/answer.ts"),
    calls: await load<typeof CallModule>(CALLS),
    line: await load<typeof LineModule>("connect/line/line.ts"),
    waiter: await load<typeof WaiterModule>("wait/bell_waiter.ts"),
  };
}

/**
 * Builds the model: the client calls, and the server answers with what it was given, in the order of the calls.
 * Every word of a letter but its number is a plain access of its own.
 */
export function letterModel(core: LetterCore, plan: LetterPlan): Model {
  const programs = [clientProgram(core, plan), serverProgram(core, plan)];
  if (plan.endsAnytime) programs.push((words) => lineOf(core, words).end());
  return memoryModel({ plan: { ...SIZES, ender: "third" }, core, programs });
}

function lineOf({ line }: LetterCore, words: ScheduledWords): LineModule.Line {
  return Reflect.construct(line.Line, [words]);
}

const NO_LIMIT = { check: () => {}, leftMilliseconds: Infinity };

function argumentOf(plan: LetterPlan, index: number): number | Uint8Array {
  return plan.calls[index] === "ring" ? Uint8Array.of(index + 1) : index + 1;
}

function clientProgram(core: LetterCore, plan: LetterPlan): Program {
  return (words) => {
    useModelBytes(core.line.LAYOUT, SIZES.ringBytes, words);
    const line = lineOf(core, words);
    const calls = new core.calls.CallEnd(line, { side: "client", limitBytes: LIMIT_BYTES });
    try {
      for (let index = 0; index < plan.calls.length; index++) {
        words.boundary(`call ${index}`);
        const way = plan.calls[index]!;
        const target = { name: way, index: way === "long answer" ? 1 : 0 };
        const value = argumentOf(plan, index);
        if (way === "async") {
          // Its promise is nobody's: the model has no event loop that would settle it.
          void calls.callAsync(target, [value], {}).catch(() => {});
          continue;
        }
        const answer = calls.call(target, [value], {});
        if (String(answer) !== String(value)) words.violate(`${way} ${value} got ${answer}`);
      }
    } catch (error) {
      const isEnd = plan.endsAnytime && error instanceof core.answer.WorkerEndedError;
      if (!isEnd) throw error;
    }
    line.end();
  };
}

function serverProgram(core: LetterCore, plan: LetterPlan): Program {
  return (words) => {
    useModelBytes(core.line.LAYOUT, SIZES.ringBytes, words);
    const line = lineOf(core, words);
    let served = 0;
    const serve = (value: unknown) => {
      const expected = argumentOf(plan, served++);
      if (String(value) !== String(expected)) words.violate(`${value} was served, not ${expected}`);
      words.remember("served", served);
      return value;
    };
    const methods = [
      ["echo", serve],
      ["echoLong", (value: unknown) => Uint8Array.of(serve(value) as number)],
    ] as const;
    const end = new core.calls.CallEnd(line, { side: "server", limitBytes: LIMIT_BYTES, methods });
    const waiter = new core.waiter.BellWaiter(line.bellOf("server"), "park");
    words.boundary("serves");
    const attempt = () => line.isEnded || end.pump() || undefined;
    while (!line.isEnded) waiter.wait(attempt, NO_LIMIT);
  };
}
