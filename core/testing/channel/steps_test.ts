/**
 * The steps of the operations on shared memory, as PROTOCOL.md has them: which words of which port, by
 * which access, in which order. The port is not among the first, and its hint is in the second word.
 */
import { assertEquals } from "@std/assert";
import { ClientSide } from "../../toggle/client/client_side.ts";
import { doorbellPlace } from "../../toggle/layout.ts";
import { Mailboxes } from "../../toggle/mailbox.ts";
import { ServerSide } from "../../toggle/server/server_side.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { Hints } from "../../wait/hint.ts";
import { tracedChannel } from "../fixtures/traced_words.ts";

const PORT_COUNT = 40;
const PORT = 35;
const HINT_BIT = 1 << (PORT % 32);
const WAITED = 1 << 30;
const PEER_WAITS = 1 << 29;

function scene() {
  const { channel, words, put } = tracedChannel(PORT_COUNT, PORT);
  const { layout } = channel;
  const hints = new Hints(words, layout);
  const bell = new Doorbell(words, doorbellPlace(layout));
  const client = new Mailboxes(words, { layout, side: "client", ownerId: 7 });
  const server = new Mailboxes(words, { layout, side: "server", ownerId: 8 });
  const parts = {
    clientSide: new ClientSide(channel, "park"), // has the id 1
    serverSide: new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 5 }), // has the id 2
    client,
    server,
    clientLocks: client.locks,
    serverLocks: server.locks,
    hints: {
      mark: (index: number) => hints.mark(index),
      clearAll: () => hints.clearAll(),
      findFromStart: () => hints.find(1, { looksReady: () => true }),
      clearIdle: (index: number) =>
        hints.clearIdle(new Uint32Array(2), { owns: (one) => one === index }),
      keepActive: (index: number) => {
        const active = new Uint32Array(2);
        hints.noteActive(active, index);
        hints.clearIdle(active, { owns: () => true });
      },
    },
    bell: {
      ring: () => bell.ring(),
      arm: () => bell.arm(),
      disarm: () => bell.disarm(),
      sleep: () => bell.sleep(5),
      sleepAsync: () => void bell.sleepAsync(5),
    },
  };
  return { words, put, parts };
}

/** What is done on the port, which words are not 0 before, the steps, and what it returns. */
type Case = readonly [string, Readonly<Record<string, number>>, string, (number | boolean)?];

const CLIENT_OWNS = "load serverOutbox, peek clientTurn";
const SERVER_OWNS = "load clientOutbox, peek serverTurn";
const CLIENT_FLIPS = "peek clientTurn, store clientOutbox 1";
const SERVER_FLIPS = "peek serverTurn, store serverOutbox 1";
const WAKES_CLIENT = "exchange clientParked 0, notify clientParked";
const WAKES_SERVER = "exchange serverParked 0, notify serverParked";
const RINGS_FREE = "add freeBell 1, notify freeBell";
const MARKS = `load hint, or hint ${HINT_BIT}`;
const RINGS = "load sleepers, add bell 1, notify bell";

const MAILBOXES: readonly Case[] = [
  ["client.owns", {}, CLIENT_OWNS, true],
  ["client.owns", { serverOutbox: 1 }, CLIENT_OWNS, false],
  ["server.owns", {}, SERVER_OWNS, false],
  ["server.owns", { clientOutbox: 1 }, SERVER_OWNS, true],
  ["client.looksOwned", {}, "peek serverOutbox, peek clientTurn", true],
  ["server.looksOwned", {}, "peek clientOutbox, peek serverTurn", false],
  ["client.toggle", {}, CLIENT_FLIPS],
  ["client.toggle", { clientTurn: 1 }, "peek clientTurn, store clientOutbox 0"],
  ["server.toggle", {}, SERVER_FLIPS],
  ["client.foreignInbox", { clientTurn: 1 }, "peek clientTurn", 0],
  ["server.foreignInbox", { serverTurn: 1 }, "peek serverTurn", 1],
  ["client.outbox", { clientTurn: 1 }, "peek clientTurn", 1],
  ["server.outbox", { serverTurn: 1 }, "peek serverTurn", 1],
  ["client.settle", { clientOutbox: 1 }, "load clientOutbox"],
  ["client.wakePeer", {}, "load serverParked"],
  ["client.wakePeer", { serverParked: 1 }, `load serverParked, ${WAKES_SERVER}`],
  ["server.wakePeer", { clientParked: 1 }, `load clientParked, ${WAKES_CLIENT}`],
  [
    "server.wakePeer",
    { clientParked: 2 },
    `load clientParked, exchange clientParked 0, ${RINGS_FREE}`,
  ],
];

const LOCKS: readonly Case[] = [
  ["clientLocks.looksLocked", { clientLock: 9 }, "peek clientLock", true],
  ["serverLocks.looksLocked", { clientLock: 9 }, "peek serverLock", false],
  ["clientLocks.tryLock", {}, "compareExchange clientLock 0 7", true],
  ["serverLocks.tryLock", { serverLock: 9 }, "compareExchange serverLock 0 8", false],
  ["clientLocks.holder", { clientLock: 9 | WAITED }, "load clientLock", 9],
  ["serverLocks.holder", { serverLock: 9 | PEER_WAITS }, "load serverLock", 9],
  ["clientLocks.peerHolder", { serverLock: 9 | PEER_WAITS }, "load serverLock", 9],
  ["clientLocks.holds", { clientLock: 7 | WAITED | PEER_WAITS }, "peek clientLock", true],
  ["serverLocks.holds", { serverLock: 9 }, "peek serverLock", false],
  ["clientLocks.unlock", { clientLock: 7, serverParked: 1 }, "exchange clientLock 0"],
  ["clientLocks.unlock", { clientLock: 7 | WAITED }, `exchange clientLock 0, ${RINGS_FREE}`],
  [
    "clientLocks.unlock",
    { clientLock: 7 | PEER_WAITS, serverParked: 1 },
    `exchange clientLock 0, ${WAKES_SERVER}`,
  ],
  ["client.watchUntilFree", { clientLock: 9 | WAITED }, "load clientLock", true],
  [
    "client.watchUntilFree",
    { clientLock: 9 | PEER_WAITS },
    `load clientLock, compareExchange clientLock ${9 | PEER_WAITS} ${9 | PEER_WAITS | WAITED}`,
    true,
  ],
  [
    "client.watchUntilFree",
    { clientTurn: 1 },
    `load clientLock, or clientParked 2, ${CLIENT_OWNS}`,
    true,
  ],
  ["client.watchUntilFree", {}, `load clientLock, or clientParked 2, ${CLIENT_OWNS}`, false],
  ["serverLocks.watchPeer", {}, "load clientLock", false],
  ["serverLocks.watchPeer", { clientLock: 9 | PEER_WAITS }, "load clientLock", true],
  [
    "serverLocks.watchPeer",
    { clientLock: 9 | WAITED },
    `load clientLock, compareExchange clientLock ${9 | WAITED} ${9 | WAITED | PEER_WAITS}`,
    true,
  ],
];

const SEARCH: readonly Case[] = [
  ["hints.mark", {}, MARKS, true],
  ["hints.mark", { hint: HINT_BIT }, "load hint", false],
  ["hints.clearAll", { hint: HINT_BIT }, "store 832 0, store hint 0"],
  ["hints.findFromStart", { hint: HINT_BIT }, "peek 832, peek hint", PORT],
  ["hints.clearIdle", { hint: HINT_BIT }, `peek 832, peek hint, and hint ${~HINT_BIT}, ${MARKS}`],
  ["hints.clearIdle", { hint: 1 }, "peek 832, peek hint, and hint -2"],
  ["hints.keepActive", { hint: HINT_BIT }, "peek 832, peek hint"],
  ["bell.ring", {}, "load sleepers"],
  ["bell.ring", { sleepers: 1 }, RINGS],
  ["bell.arm", { bell: 5 }, "add sleepers 1, load bell", 5],
  ["bell.disarm", { sleepers: 1 }, "add sleepers -1"],
  ["bell.sleep", { bell: 5 }, "wait bell 5 Infinity"],
  ["bell.sleepAsync", { bell: 5 }, "waitAsync bell 5 Infinity"],
];

const SIDES: readonly Case[] = [
  ["clientSide.tryLockOwned", {}, `compareExchange clientLock 0 1, ${CLIENT_OWNS}`, true],
  [
    "clientSide.tryLockOwned",
    { clientTurn: 1 },
    `compareExchange clientLock 0 1, ${CLIENT_OWNS}, exchange clientLock 0`,
    false,
  ],
  [
    "serverSide.tryLockOwned",
    { clientOutbox: 1 },
    `compareExchange serverLock 0 2, ${SERVER_OWNS}`,
    true,
  ],
  ["clientSide.giveAway", { sleepers: 1 }, `${CLIENT_FLIPS}, ${MARKS}, ${RINGS}`],
  ["clientSide.giveAway", { sleepers: 1, hint: HINT_BIT }, `${CLIENT_FLIPS}, load hint`],
  ...["clientSide.giveAwayAwake", "clientSide.giveAwayAgain"].map((name): Case => [
    name,
    { serverParked: 1, hint: HINT_BIT },
    `${CLIENT_FLIPS}, load hint, load serverParked, ${WAKES_SERVER}`,
  ]),
  [
    "serverSide.giveAway",
    { clientParked: 1 },
    `${SERVER_FLIPS}, load clientParked, ${WAKES_CLIENT}`,
  ],
  [
    "serverSide.handBack",
    { clientParked: 1, serverLock: 2 },
    `${SERVER_FLIPS}, load clientParked, ${WAKES_CLIENT}, exchange serverLock 0`,
  ],
  ["serverSide.hasBuffer", { clientOutbox: 1 }, SERVER_OWNS, true],
];

for (const [name, before, steps, result] of [...MAILBOXES, ...LOCKS, ...SEARCH, ...SIDES]) {
  Deno.test(`steps of ${name}() where ${JSON.stringify(before)}`, () => {
    const { words, put, parts } = scene();
    put(before);
    words.takeTrace();
    const [part, method] = name.split(".") as [keyof typeof parts, string];
    const operations = parts[part] as unknown as Record<string, (index: number) => unknown>;
    const returned = operations[method]!(PORT);
    assertEquals([words.takeTrace(), returned], [steps, result]);
  });
}
