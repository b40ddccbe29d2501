import { noteFault } from "./channel_program.ts";
import type * as Core from "../explorer/whole_core.ts";
import type { Program } from "../explorer/model.ts";
import { ENDED, freePort, inboxChange, workOrEnd } from "./session_conditions.ts";
import { outboxPlace } from "./channel_places.ts";
import { giveNext, takeFollowing } from "./packet_values.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import type { SessionSetting } from "./session_setting.ts";

const OPCODE = 40_000;
/** Apart enough that no count of operations leads from one client's values to another's. */
const CLIENT_VALUES = 100;

/** A client: opens a port, makes its call, closes. */
export function clientProgram(setting: SessionSetting, client: number): Program {
  const { plan: { core, makeSteps, operations, isHandled = true }, layout, monitors } = setting;
  return (words) => {
    const channel = new core.Channel(layout, words, { makeSteps });
    const waiter = untilWaiter(words, { layout, side: "server" });
    const self = words.setUp(() => new core.Client(channel, { waiter }));
    const port = open(setting, words, self);
    const dataWord = monitors.dataWord + port.index;
    let value = (client + 1) * CLIENT_VALUES;
    const give = () => void (value = giveNext(words, dataWord, value));
    const take = () => void (value = takeFollowing(words, dataWord, value));
    try {
      [...operations].forEach((operation, place) => {
        words.boundary(`at ${place} on ${port.index}`);
        if (operation === "s") port.send(give);
        else (port as unknown as Core.ClientPort<"theirs">).recv(take);
      });
      if (!isHandled) words.violate("A call that nobody handles was answered");
    } catch (error) {
      if (isHandled || !(error instanceof core.CallError)) throw error;
    }
    port.close();
    words.boundary("done");
    words.or(monitors.doneWord, 1 << client);
  };
}

function open(
  setting: SessionSetting,
  words: ScheduledWords,
  client: Core.Client,
): Core.ClientPort<"fresh"> {
  const condition = freePort(setting);
  for (;;) {
    words.boundary("closed");
    const port = client.tryOpen(OPCODE);
    if (port) return port;
    words.boundary("waits for a port");
    words.until(condition);
  }
}

/** A server: serves until every client has ended. */
export function serverProgram(setting: SessionSetting): Program {
  const { plan: { core, makeSteps, isHandled = true }, layout } = setting;
  const condition = workOrEnd(setting);
  return (words) => {
    const channel = new core.Channel(layout, words, { makeSteps });
    const portWaiter = untilWaiter(words, { layout, side: "client" });
    // What a handler throws is a reply to the client for the server, but a finding here.
    const onFault = ({ cause }: Core.FaultReport) => {
      if (cause !== undefined) noteFault(words, String(cause));
    };
    const server = words.setUp(() => new core.Server(channel, { portWaiter, onFault }));
    if (isHandled) server.operatePort(OPCODE, (port) => mirror(setting, words, port));
    for (let hasServed = false;;) {
      words.boundary(`${hasServed} ${server.nextIndex}`);
      hasServed = server.runOnce();
      if (hasServed) continue;
      words.boundary(`idle ${server.nextIndex}`);
      if (words.until(condition) !== ENDED) continue;
      words.boundary("over");
      if (server.runAll() === 0) return;
    }
  };
}

function mirror(
  { plan: { operations }, monitors }: SessionSetting,
  words: ScheduledWords,
  port: Core.ServerPort<"fresh">,
): void {
  let value = 0;
  const { index } = port;
  const dataWord = monitors.dataWord + index;
  const give = () => void (value = giveNext(words, dataWord, value));
  const take = () => void (value = takeFollowing(words, dataWord, value));
  [...operations].forEach((operation, place) => {
    words.boundary(`at ${place} on ${index} with ${value}`);
    if (operation === "s") port.recv(take);
    else (port as unknown as Core.ServerPort<"mine">).send(give);
  });
  words.boundary(`at the end on ${index}`);
}

/** Waits without polling: one step, which is possible once the other side has flipped its outbox. */
function untilWaiter(
  words: ScheduledWords,
  { layout, side }: { readonly layout: Core.ChannelLayout; readonly side: Core.Side },
): Core.PortWaiter {
  return {
    wait(index, foreign) {
      words.until(inboxChange(outboxPlace(layout, side, index), index, foreign));
    },
    waitAsync() {
      return words.violate("The model has no event loop");
    },
  };
}
