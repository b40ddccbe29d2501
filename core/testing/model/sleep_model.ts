import { ChannelOrdering } from "./channel_ordering.ts";
import { ChannelRules, channelWords } from "./channel_rules.ts";
import type { CoreModule } from "../explorer/changed_core.ts";
import type { Model, Program } from "../explorer/model.ts";

/** A model of clients and servers that sleep whenever they can, and of a shutdown at the end. */
export interface SleepPlan {
  readonly core: CoreModule;
  readonly clientCount: number;
  readonly serverCount: number;
  readonly portCount: number;
  readonly callsPerClient: number;
}

const OPCODE = 40_000;

/**
 * Builds the model: nothing is abbreviated here. Clients park in their own waiter, servers run
 * `serve()` and sleep at the doorbell, and a sleep ends by a notify alone, never by its time limit.
 * What a packet holds stands behind the channel, one word a port. The last client to finish shuts
 * the channel down, and everybody has to come to an end.
 */
export function sleepModel(plan: SleepPlan): Model {
  const { core, portCount, clientCount, serverCount } = plan;
  const layout = core.channelLayout({ portCount, laneCount: 1 });
  const doneWord = layout.totalBytes / 4;
  const channel = {
    layout,
    clientCount,
    serverCount,
    doneWord,
    dataWord: doneWord + 1,
    areHintsKept: false,
  };
  const initialMemory = new Int32Array(channel.dataWord + portCount);
  const { nextOwnerId, state, liveServers, sleepers, bell, freeBell } = core.ControlWord;
  initialMemory[layout.controlWord + nextOwnerId] = 1;
  const parkedWords = Array.from({ length: portCount }, (_, index) => index)
    .flatMap((index) => [layout.clientParkedWord + index, layout.serverParkedWord + index]);
  const stateWords = [
    ...channelWords(channel, [nextOwnerId, state, liveServers, sleepers, bell, freeBell]),
    ...parkedWords,
  ];
  return {
    initialMemory,
    programs: [
      ...Array.from({ length: clientCount }, (_, client) => clientProgram(plan, client, doneWord)),
      ...Array.from({ length: serverCount }, () => serverProgram(plan, doneWord)),
    ],
    stateWords,
    rulesOf: (memory) => new ChannelRules(memory, channel),
    orderingOf: (memory) => new ChannelOrdering(memory, channel, stateWords),
    faultAtEnd: (memory) => memory[doneWord] === clientCount ? undefined : "A client did not end",
  };
}

function clientProgram(plan: SleepPlan, client: number, doneWord: number): Program {
  const { core, clientCount, callsPerClient } = plan;
  const layout = core.channelLayout({ portCount: plan.portCount, laneCount: 1 });
  return (words) => {
    const channel = new core.Channel(layout, words);
    const self = words.setUp(() => new core.Client(channel, { waiter: "park" }));
    for (let call = 0; call < callsPerClient; call++) {
      words.boundary(`call ${call}`);
      const value = client * 100 + call;
      const port = self.open(OPCODE);
      const dataWord = doneWord + 1 + port.index;
      port.sendAndRecv({
        fill: () => words.plain[dataWord] = value,
        use: () => {
          if (words.plain[dataWord] !== value + 1) words.violate("A reply is not the call's");
        },
      }).close();
    }
    words.boundary("over");
    if (words.add(doneWord, 1) + 1 === clientCount) channel.shutDown();
  };
}

function serverProgram(plan: SleepPlan, doneWord: number): Program {
  const { core } = plan;
  const layout = core.channelLayout({ portCount: plan.portCount, laneCount: 1 });
  return (words) => {
    const channel = new core.Channel(layout, words);
    const server = words.setUp(() => new core.Server(channel, { waiter: "park" }));
    server.register(OPCODE, (port) => {
      const dataWord = doneWord + 1 + port.index;
      port.recvAndSend(() => words.plain[dataWord] = words.plain[dataWord]! + 1);
    });
    server.serve();
  };
}
