import type * as Core from "../../mod.ts";
import type { Packet } from "../../memory/packet.ts";
import type { Program } from "./explorer.ts";
import { type ScheduledWords, Violation } from "./scheduled_words.ts";
import type { Scene } from "./session_scene.ts";

const OPCODE = 40_000;
/** Apart enough that no count of operations leads from one client's values to another's. */
const CLIENT_VALUES = 100;

const CONSUMED = -1;

/**
 * Works on a packet, and checks that it may: the side owns the buffer, and this thread has the side's
 * lock. A lock word holds one id and the mailboxes name one side, so no two can pass at one time.
 */
function work(
  scene: Scene,
  words: ScheduledWords,
  visit: { readonly side: Core.Side; readonly index: number; change(held: number): number },
): void {
  const { plan: { core }, layout, monitors } = scene;
  const { side, index } = visit;
  const clientBox = words.plain[layout.clientOutboxWord + index]!;
  const serverBox = words.plain[layout.serverOutboxWord + index]!;
  const isClient = side === "client";
  const mailboxes = isClient
    ? { inbox: serverBox, outbox: clientBox }
    : { inbox: clientBox, outbox: serverBox };
  const lockWord = (isClient ? layout.clientLockWord : layout.serverLockWord) + index;
  if (!core.ownsBuffer(side, mailboxes) || words.plain[lockWord] !== words.ownerId) {
    throw new Violation(`Packet ${index} is used by a ${side} that does not own it`);
  }
  const dataWord = monitors.dataWord + index;
  words.plain[dataWord] = visit.change(words.plain[dataWord]!);
}

/** A client: opens a port, makes its call, closes. */
export function clientProgram(scene: Scene, client: number): Program {
  const { plan: { core, operations, isHandled = true }, layout, monitors } = scene;
  return (words) => {
    const channel = new core.Channel(layout, words);
    const waiter = untilWaiter(words, layout.serverOutboxWord);
    const self = words.instantly(() => new core.Client(channel, { waiter }));
    words.boundary("closed");
    const port = open(scene, words, self);
    let value = (client + 1) * CLIENT_VALUES;
    const give = () =>
      void work(scene, words, { side: "client", index: port.index, change: () => ++value });
    const take = () => {
      const change = (held: number) => consume(value = following(held, value));
      work(scene, words, { side: "client", index: port.index, change });
    };
    try {
      [...operations].forEach((operation, place) => {
        words.boundary(`at ${place} on ${port.index}`);
        if (operation === "s") port.send(give);
        else (port as unknown as Core.ClientPort<"theirs">).recv(take);
      });
      if (!isHandled) throw new Violation("A call that nobody handles was answered");
    } catch (error) {
      if (isHandled || !(error instanceof core.CallError)) throw error;
    }
    port.close();
    words.instantly(() => words.add(monitors.doneWord, 1));
  };
}

function open(scene: Scene, words: ScheduledWords, client: Core.Client): Core.ClientPort<"fresh"> {
  const { plan: { portCount }, layout } = scene;
  const isFree = (memory: Int32Array, index: number) =>
    memory[layout.clientLockWord + index] === 0 &&
    memory[layout.clientOutboxWord + index] === memory[layout.serverOutboxWord + index];
  for (;;) {
    const port = client.tryOpen(OPCODE);
    if (port) return port;
    words.until("a port is free", (memory) => {
      return Array.from({ length: portCount }, (_, index) => isFree(memory, index)).includes(true);
    });
    words.boundary("closed");
  }
}

/** A server: serves until every client has ended. */
export function serverProgram(scene: Scene): Program {
  const { plan: { core, clientCount, isHandled = true }, layout, monitors } = scene;
  return (words) => {
    const channel = new core.Channel(layout, words);
    const portWaiter = untilWaiter(words, layout.clientOutboxWord);
    // What a handler throws is a reply to the client for the server, but a finding here.
    const onFault = ({ cause }: Core.FaultReport) => {
      if (cause !== undefined) throw cause;
    };
    const server = words.instantly(() => new core.Server(channel, { portWaiter, onFault }));
    if (isHandled) server.register(OPCODE, (port) => mirror(scene, words, port));
    for (let hasServed = false;;) {
      words.boundary(`${hasServed} ${server.nextIndex}`);
      hasServed = server.serveOnce();
      if (hasServed) continue;
      words.until("there is work, or no client", (memory) => {
        return memory[monitors.doneWord] === clientCount || hasWork(scene, memory);
      });
      const isOver = words.plain[monitors.doneWord] === clientCount;
      if (isOver && words.instantly(() => server.serveAll()) === 0) return;
    }
  };
}

/** Whether a search by hints would find something: a call whose hint was lost does not count. */
function hasWork({ plan: { portCount }, layout }: Scene, memory: Int32Array): boolean {
  for (let index = 0; index < portCount; index++) {
    const isReady =
      memory[layout.clientOutboxWord + index] !== memory[layout.serverOutboxWord + index];
    const isHinted = (memory[layout.hintWord]! >> index & 1) === 1;
    if (isReady && isHinted && memory[layout.serverLockWord + index] === 0) return true;
  }
  return false;
}

function mirror(scene: Scene, words: ScheduledWords, port: Core.ServerPort<"fresh">): void {
  let value = 0;
  const { index } = port;
  const take = (_packet: Packet) => {
    const change = (held: number) => consume(value = value === 0 ? held : following(held, value));
    work(scene, words, { side: "server", index, change });
  };
  const give = () => void work(scene, words, { side: "server", index, change: () => ++value });
  [...scene.plan.operations].forEach((operation, place) => {
    words.boundary(`at ${place} on ${index} with ${value}`);
    if (operation === "s") port.recv(take);
    else (port as unknown as Core.ServerPort<"mine">).send(give);
  });
  words.boundary(`at the end on ${index}`);
}

/** What a packet holds once its value was taken; finding it means that a packet came twice. */
function consume(value: number): number {
  if (value === CONSUMED) throw new Violation("A packet was received twice");
  return CONSUMED;
}

/** The value that was found, which must be the one behind the last that this side knows. */
function following(held: number, known: number): number {
  if (held === known + 1) return held;
  throw new Violation(`Lost data: ${held} follows ${known}`);
}

/** Waits without polling: one step, which is possible once the inbox has changed. */
function untilWaiter(words: ScheduledWords, inboxWord: number): Core.PortWaiter {
  return {
    wait(index, foreign) {
      words.until(`inbox of ${index}`, (memory) => memory[inboxWord + index] !== foreign);
    },
    waitAsync() {
      throw new Violation("The model has no event loop");
    },
  };
}
