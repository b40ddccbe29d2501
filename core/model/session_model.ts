import type * as Core from "../mod.ts";
import type { Packet } from "../packet.ts";
import type { Model, Program } from "./explorer.ts";
import { type MemoryRules, type ScheduledWords, Violation } from "./scheduled_words.ts";

/** The core, as it is or with a fault planted. */
export type CoreModule = typeof Core;

/** A model of clients that each make one call of a given shape, and of servers that mirror it. */
export interface SessionPlan {
  readonly core: CoreModule;
  /** The client's sends and receives, such as `srsr`; starts with `s`. */
  readonly operations: string;
  readonly clientCount: number;
  readonly serverCount: number;
  readonly portCount: number;
  /** What both mailboxes of every port hold at the start: the two parities of a free port. */
  readonly parity: 0 | 1;
  /** Whether the servers know the opcode. */
  readonly isHandled?: boolean;
}

const OPCODE = 40_000;
/** Apart enough that no count of operations leads from one client's values to another's. */
const CLIENT_VALUES = 100;

const CONSUMED = -1;

/** Words behind the channel, in which the monitors keep what no thread may see. */
interface Monitors {
  /** Calls that ended. */
  readonly doneWord: number;
  /** What a packet holds: one word a port. */
  readonly dataWord: number;
}

/** Builds the model. */
export function sessionModel(plan: SessionPlan): Model {
  const { core, portCount, clientCount, serverCount } = plan;
  const layout = core.channelLayout({ portCount, laneCount: 1 });
  const endWord = layout.totalBytes / 4;
  const monitors = {
    doneWord: endWord,
    dataWord: endWord + 1,
  };
  const scene = { plan, layout, monitors };
  return {
    initialMemory: initialMemory(scene),
    programs: [
      ...Array.from({ length: clientCount }, (_, client) => clientProgram(scene, client)),
      ...Array.from({ length: serverCount }, () => serverProgram(scene)),
    ],
    checkEnd: (memory) => checkEnd(scene, memory),
    rules: memoryRules(scene),
    keyOf: (memory, threadKeys) => keyOf(scene, memory, threadKeys),
  };
}

interface Scene {
  readonly plan: SessionPlan;
  readonly layout: Core.ChannelLayout;
  readonly monitors: Monitors;
}

function initialMemory({ plan, layout, monitors }: Scene): Int32Array {
  const memory = new Int32Array(monitors.dataWord + plan.portCount);
  memory[layout.controlWord + plan.core.ControlWord.nextOwnerId] = 1;
  for (let index = 0; index < plan.portCount; index++) {
    memory[layout.clientOutboxWord + index] = plan.parity;
    memory[layout.serverOutboxWord + index] = plan.parity;
  }
  return memory;
}

/** Nobody sleeps and nothing is shut down in this model; each outbox is under its side's lock. */
function memoryRules({ plan: { core, portCount }, layout }: Scene): MemoryRules {
  const controls = [core.ControlWord.state, core.ControlWord.sleepers, core.ControlWord.bell];
  const constants = new Set(controls.map((word) => layout.controlWord + word));
  const locks = new Map<number, number>();
  for (let index = 0; index < portCount; index++) {
    constants.add(layout.clientParkedWord + index).add(layout.serverParkedWord + index);
    locks.set(layout.clientOutboxWord + index, layout.clientLockWord + index);
    locks.set(layout.serverOutboxWord + index, layout.serverLockWord + index);
  }
  return { isConstant: (word) => constants.has(word), lockOf: (word) => locks.get(word) };
}

/** Servers are alike: which of them stands where makes no difference. */
function keyOf(scene: Scene, memory: Int32Array, threadKeys: readonly string[]): string {
  const { plan: { core, portCount, clientCount }, layout, monitors } = scene;
  const servers = threadKeys.map((key, thread) => ({ key, ownerId: thread + 1 }))
    .slice(clientCount).sort((left, right) => left.key < right.key ? -1 : 1);
  const words = [memory[monitors.doneWord]!, memory[layout.hintWord]!];
  for (let index = 0; index < portCount; index++) {
    const headerWord = layout.headersWord + index * core.HEADER_WORDS;
    const serverLock = memory[layout.serverLockWord + index]!;
    words.push(
      memory[layout.clientOutboxWord + index]!,
      memory[layout.serverOutboxWord + index]!,
      memory[layout.clientLockWord + index]!,
      servers.findIndex(({ ownerId }) => ownerId === serverLock),
      memory[headerWord + 2]!,
      memory[headerWord + 3]!,
      memory[monitors.dataWord + index]!,
    );
  }
  const keys = [...threadKeys.slice(0, clientCount), ...servers.map(({ key }) => key)];
  return `${words}|${keys.join("|")}`;
}

function checkEnd({ plan, layout, monitors }: Scene, memory: Int32Array): void {
  for (let index = 0; index < plan.portCount; index++) {
    const isFree =
      memory[layout.clientOutboxWord + index] === memory[layout.serverOutboxWord + index] &&
      memory[layout.clientLockWord + index] === 0 && memory[layout.serverLockWord + index] === 0;
    if (!isFree) throw new Violation(`Port ${index} is not free at the end`);
  }
  if (memory[monitors.doneWord] !== plan.clientCount) throw new Violation("A call did not end");
}

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

function clientProgram(scene: Scene, client: number): Program {
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

function serverProgram(scene: Scene): Program {
  const { plan: { core, clientCount, isHandled = true }, layout, monitors } = scene;
  return (words) => {
    const channel = new core.Channel(layout, words);
    const portWaiter = untilWaiter(words, layout.clientOutboxWord);
    // What a handler throws is a reply to the client for the server, but a finding here.
    const onFault = ({ cause }: Core.ServerFault) => {
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
