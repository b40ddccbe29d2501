/**
 * Every word that both sides look at is written in order: mailboxes, locks, marks, hints, requests and
 * control words. Only headers and packets are plain, which the mailboxes order, and turns, at which one
 * side looks.
 */
import { assertEquals, assertThrows } from "@std/assert";
import { fullMask } from "../../memory/lane_mask.ts";
import { SharedWords } from "../../memory/words.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { ClientSide } from "../../toggle/client/client_side.ts";
import { evictClient, evictServer } from "../../toggle/evict.ts";
import { channelLayout, ControlWord } from "../../toggle/layout.ts";
import { reclaimClient, reclaimServer } from "../../toggle/reclaim.ts";
import { Server } from "../../toggle/server/server.ts";
import { ServerSide } from "../../toggle/server/server_side.ts";
import { WorkSearch } from "../../toggle/server/work_search.ts";

const OPCODE = 40_000;
function skip(): void {}

/** Words that keep a copy of what was written in order. */
class OrderedWords extends SharedWords {
  readonly ordered: Int32Array;

  constructor(sizeBytes: number) {
    super(new SharedArrayBuffer(sizeBytes));
    this.ordered = new Int32Array(sizeBytes / 4);
  }
  override store(word: number, value: number): void {
    super.store(word, value);
    this.ordered[word] = value;
  }
  override exchange(word: number, value: number): number {
    const before = super.exchange(word, value);
    this.ordered[word] = value;
    return before;
  }
  override compareExchange(word: number, expected: number, next: number): number {
    const before = super.compareExchange(word, expected, next);
    if (before === expected) this.ordered[word] = next;
    return before;
  }
  override add(word: number, value: number): number {
    this.ordered[word]! += value;
    return super.add(word, value);
  }
  override or(word: number, bits: number): number {
    this.ordered[word]! |= bits;
    return super.or(word, bits);
  }
  override and(word: number, bits: number): number {
    this.ordered[word]! &= bits;
    return super.and(word, bits);
  }
  override xor(word: number, bits: number): number {
    this.ordered[word]! ^= bits;
    return super.xor(word, bits);
  }
  override wait(): void {
    throw new Error("nobody would wake it");
  }
  override waitAsync(): Promise<void> {
    return Promise.resolve();
  }
}

function scene() {
  const layout = channelLayout({ portCount: 3, laneCount: 1 });
  const words = new OrderedWords(layout.totalBytes);
  words.store(layout.controlWord + ControlWord.nextOwnerId, 1);
  const channel = new Channel(layout, words);
  const client = new ClientSide(channel, "park");
  const server = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 5 });
  /** A call on port 1 that the server holds, with marks of sleepers on it. */
  const hold = () => {
    for (const word of [layout.clientParkedWord, layout.serverParkedWord]) words.or(word + 1, 1);
    client.tryLockOwned(1);
    client.begin(1, OPCODE, fullMask(1));
    client.giveAway(1);
    server.tryLockOwned(1);
  };
  const check = () => {
    const { headersWord, clientTurnWord, clientLockWord } = layout;
    const written = [words.plain, words.ordered].map((all) =>
      all.slice(0, headersWord).fill(0, clientTurnWord, clientLockWord)
    );
    assertEquals(written[0], written[1]);
  };
  return { channel, words, layout, client, server, hold, check };
}
type Scene = ReturnType<typeof scene>;

const LIVES: Readonly<Record<string, (scene: Scene) => unknown>> = {
  "a call": ({ hold, server, client }) => {
    hold();
    server.handBack(1);
    client.unlock(1);
  },
  "a conversation": ({ hold, server, client }) => {
    hold();
    server.giveAway(1);
    client.giveAwayAgain(1);
    server.checkClient(1);
    client.checkReply(1, OPCODE);
    server.handBack(1);
    client.unlock(1);
  },
  "calls through the interface": ({ channel }) => {
    const [client, server] = [new Client(channel), new Server(channel)];
    server.operate(OPCODE, skip);
    for (let call = 0; call < 4; call++) {
      client.cast(OPCODE, skip);
      using port = client.open(OPCODE).send(skip);
      server.runAll();
      port.recv(skip);
    }
  },
  "a wait for a free port": ({ hold, client, channel }) => {
    hold();
    const waiting = new ClientSide(channel, "park");
    for (const index of [0, 2]) client.tryLockOwned(index);
    const look = { check: () => client.unlock(0), leftMilliseconds: 0 };
    return waiting.awaitFreeAsync(look);
  },
  "a wait that ends": ({ hold, client, channel }) => {
    hold();
    channel.stop();
    assertThrows(() => client.awaitBuffer(1, OPCODE, undefined));
  },
  "a search and a sleep": async ({ hold, server, channel }) => {
    const search = new WorkSearch(server);
    hold();
    for (let count = 0; count < 2048; count++) search.tryClaim();
    await search.sleepAsync(channel.stateWord);
  },
  "a shutdown": ({ hold, server, channel }) => {
    server.enterServing(false);
    hold();
    channel.shutDown();
    server.handBack(1);
    server.leaveServing();
  },
  "requests to leave": async ({ hold, client, server, channel }) => {
    hold();
    await evictServer(channel, server.ownerId);
    await evictClient(channel, client.ownerId);
    server.mayStay();
    server.handBack(1);
    client.mayStay();
    client.unlock(1);
  },
  "a client that died": ({ hold, client, channel }) => {
    hold();
    reclaimClient(channel, client.ownerId);
  },
  "a server that died": ({ hold, server, channel }) => {
    hold();
    reclaimServer(channel, server.ownerId);
  },
  "a server that died and had been given up on": async ({ hold, server, channel }) => {
    hold();
    await evictServer(channel, server.ownerId);
    reclaimServer(channel, server.ownerId);
  },
};

for (const [name, live] of Object.entries(LIVES)) {
  Deno.test(`${name} writes what both sides look at in order`, async () => {
    const parts = scene();
    await live(parts);
    parts.check();
  });
}
