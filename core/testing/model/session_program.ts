import type * as Core from "../../mod.ts";
import type { Program } from "../explorer/model.ts";
import { ENDED, freePort, inboxChange, workOrEnd } from "./session_conditions.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import type { SessionSetting } from "./session_setting.ts";

const OPCODE = 40_000;
/** Apart enough that no count of operations leads from one client's values to another's. */
const CLIENT_VALUES = 100;

/** What a packet holds once its value was taken; finding it means that a packet came twice. */
const CONSUMED = -1;

/** A client: opens a port, makes its call, closes. */
export function clientProgram(setting: SessionSetting, client: number): Program {
  const { plan: { core, operations, isHandled = true }, layout, monitors } = setting;
  return (words) => {
    const channel = new core.Channel(layout, words);
    const waiter = untilWaiter(words, layout.serverOutboxWord);
    const self = words.setUp(() => new core.Client(channel, { waiter }));
    const port = open(setting, words, self);
    const dataWord = monitors.dataWord + port.index;
    let value = (client + 1) * CLIENT_VALUES;
    const give = () => void (words.plain[dataWord] = ++value);
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
    words.add(monitors.doneWord, 1);
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
  const { plan: { core, isHandled = true }, layout } = setting;
  const condition = workOrEnd(setting);
  return (words) => {
    const channel = new core.Channel(layout, words);
    const portWaiter = untilWaiter(words, layout.clientOutboxWord);
    // What a handler throws is a reply to the client for the server, but a finding here.
    const onFault = ({ cause }: Core.FaultReport) => {
      if (cause !== undefined) words.violate(String(cause));
    };
    const server = words.setUp(() => new core.Server(channel, { portWaiter, onFault }));
    if (isHandled) server.register(OPCODE, (port) => mirror(setting, words, port));
    for (let hasServed = false;;) {
      words.boundary(`${hasServed} ${server.nextIndex}`);
      hasServed = server.serveOnce();
      if (hasServed) continue;
      words.boundary(`idle ${server.nextIndex}`);
      if (words.until(condition) !== ENDED) continue;
      words.boundary("over");
      if (server.serveAll() === 0) return;
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
  const give = () => void (words.plain[dataWord] = ++value);
  const take = () => void (value = takeFollowing(words, dataWord, value));
  [...operations].forEach((operation, place) => {
    words.boundary(`at ${place} on ${index} with ${value}`);
    if (operation === "s") port.recv(take);
    else (port as unknown as Core.ServerPort<"mine">).send(give);
  });
  words.boundary(`at the end on ${index}`);
}

/**
 * Takes the value out of a packet. It must be the one behind the last that this side knows; a server
 * knows none, which is 0, when a call begins.
 */
function takeFollowing(words: ScheduledWords, dataWord: number, known: number): number {
  const held = words.plain[dataWord]!;
  if (held === CONSUMED) words.violate("A packet was received twice");
  if (known !== 0 && held !== known + 1) words.violate(`Lost data: ${held} follows ${known}`);
  words.plain[dataWord] = CONSUMED;
  return held;
}

/** Waits without polling: one step, which is possible once the inbox has changed. */
function untilWaiter(words: ScheduledWords, inboxWord: number): Core.PortWaiter {
  return {
    wait(index, foreign) {
      words.until(inboxChange(inboxWord, index, foreign));
    },
    waitAsync() {
      return words.violate("The model has no event loop");
    },
  };
}
