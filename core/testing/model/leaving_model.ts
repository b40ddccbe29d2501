import type * as Core from "../../mod.ts";
import { lockOwner } from "../../toggle/mailbox.ts";
import type { CoreModule } from "../explorer/changed_core.ts";
import type { MemoryRules, Model, Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { sleepModel } from "./sleep_model.ts";

/** A model in which one client or server is asked to leave, at any step of everybody else. */
export interface LeavingPlan {
  readonly core: CoreModule;
  readonly clientCount: number;
  readonly serverCount: number;
  /** Whose side the one is on that is asked: the first of its side. */
  readonly asked: Core.Side;
}

const OPCODE = 40_000;

/**
 * Builds the model on that of sleeping threads. Who asks takes whatever time the schedule gives it
 * before it gives up, so that every answer comes in time in some schedules and too late in others. A
 * call ends with its own answer or with an error that says so; everybody comes to an end. There are
 * no boundaries, since what a side remembers of the channel's state is its own.
 */
export function leavingModel(plan: LeavingPlan): Model {
  const { core, clientCount, serverCount } = plan;
  const layout = core.channelLayout({ portCount: 1, laneCount: 1 });
  const base = sleepModel({ core, clientCount, serverCount, portCount: 1, callsPerClient: 1 });
  const setting = { plan, layout, doneWord: layout.totalBytes / 4 };
  return {
    ...base,
    programs: [
      ...Array.from({ length: clientCount }, (_, client) => clientProgram(setting, client)),
      ...Array.from({ length: serverCount }, () => serverProgram(setting)),
      askingProgram(setting),
    ],
    stateWords: [...base.stateWords, layout.leaveWord],
    rulesOf: (memory) => limited(base.rulesOf(memory), setting),
  };
}

/**
 * The rules of the channel, less what does not hold here: both sides look at both locks, so that no
 * lock is one side's own; and who asks is on no side, so that nothing is its own.
 */
function limited(rules: MemoryRules, { plan, layout }: LeavingSetting): MemoryRules {
  const holds = (thread: number, word: number) =>
    thread < plan.clientCount + plan.serverCount && word !== layout.clientLockWord &&
    word !== layout.serverLockWord;
  return {
    objection: (thread, word, next) => rules.objection(thread, word, next),
    isSettled: (thread, word) => holds(thread, word) && rules.isSettled(thread, word),
    isPrivate: (thread, word) => holds(thread, word) && rules.isPrivate(thread, word),
  };
}

interface LeavingSetting {
  readonly plan: LeavingPlan;
  readonly layout: Core.ChannelLayout;
  readonly doneWord: number;
}

function clientProgram({ plan, layout, doneWord }: LeavingSetting, client: number): Program {
  const { core, clientCount } = plan;
  return (words) => {
    const channel = new core.Channel(layout, words);
    const self = words.setUp(() => new core.Client(channel, { waiter: "park" }));
    try {
      callOnce(words, self, { dataWord: doneWord + 1, value: client * 100 });
    } catch (error) {
      if (!(error instanceof core.CallError)) throw error;
    }
    if (words.add(doneWord, 1) + 1 === clientCount) channel.shutDown();
  };
}

function callOnce(
  words: ScheduledWords,
  client: Core.Client,
  { dataWord, value }: { readonly dataWord: number; readonly value: number },
): void {
  client.call(OPCODE, {
    fill: () => words.plain[dataWord] = value,
    use: () => {
      if (words.plain[dataWord] !== value + 1) words.violate("A reply is not the call's");
    },
  });
}

function serverProgram({ plan: { core }, layout, doneWord }: LeavingSetting): Program {
  return (words) => {
    const channel = new core.Channel(layout, words);
    const server = words.setUp(() => {
      const one = new core.Server(channel, { waiter: "park" });
      one.announce();
      return one;
    });
    server.operate(OPCODE, () => words.plain[doneWord + 1] = words.plain[doneWord + 1]! + 1);
    while (server.serve());
  };
}

/** The steps of `evictServer()` and `evictClient()`, with the schedule in place of a clock. */
function askingProgram({ plan, layout }: LeavingSetting): Program {
  const { core, clientCount, asked } = plan;
  const id = asked === "client" ? 1 : clientCount + 1;
  const lockWord = asked === "client" ? layout.clientLockWord : layout.serverLockWord;
  return (words) => {
    const channel = new core.Channel(layout, words);
    const { leaveRequests } = channel;
    const slot = leaveRequests.ask(id);
    channel.announceLeaving();
    const isGivenUp = leaveRequests.giveUp(slot, id);
    if (!isGivenUp && lockOwner(words.load(lockWord)) === id) {
      words.violate("Who has left holds a port");
    }
    const isGone = isGivenUp || leaveRequests.settle(slot, id);
    if (isGone && asked === "server") channel.abandonServing();
    if (isGivenUp) channel.announceLeaving();
  };
}
