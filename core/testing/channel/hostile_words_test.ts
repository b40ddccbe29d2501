/**
 * Words of a channel that a client writes which keeps no rule, in every design: the server throws nothing,
 * goes on with the others, goes to sleep, and leaves when the channel ends.
 */
import { assert, assertEquals } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { placeWord, PORT_PLACES } from "../../memory/regions.ts";
import { SharedWords } from "../../memory/words.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import {
  type ChannelDesign,
  DESIGN_AXES,
  designFault,
  lockPlaces,
} from "../../toggle/design/channel_design.ts";
import {
  type ChannelLayout,
  channelLayout,
  ControlWord,
  mailboxPlaces,
} from "../../toggle/layout.ts";
import { Server } from "../../toggle/server/server.ts";
import { randomGenerator } from "../random.ts";

const [INCREMENT, BYTES, STREAM, FAILS] = [40_000, 40_001, 40_002, 40_003];
const SEEDS = 8;
/** More than any search, call or end takes on so few ports. */
const ACCESSES_MAX = 50_000;
function skip(): void {}

/** Every design, with each start and where mailboxes are read in turn. */
const DESIGNS: readonly ChannelDesign[] = DESIGN_AXES.portLock.flatMap((portLock) =>
  DESIGN_AXES.mailboxWidth.flatMap((mailboxWidth) =>
    DESIGN_AXES.mailboxUpdate.flatMap((mailboxUpdate) =>
      DESIGN_AXES.discovery.map((discovery) => ({
        portLock,
        mailboxWidth,
        mailboxUpdate,
        discovery,
      }))
    )
  )
).filter((design) => designFault(design) === undefined)
  .map((design, place) => {
    const mailboxRead = design.mailboxWidth === "bit" || place % 8 < 4 ? "outbox" : "turn";
    return { ...design, mailboxRead, start: DESIGN_AXES.start[place % 4]! };
  });

/** Words that notice an end that does not come. */
class CountedWords extends SharedWords {
  left = ACCESSES_MAX;
  onSleep: () => void = skip;

  override load(word: number): number {
    this.#count();
    return super.load(word);
  }

  override peek(word: number): number {
    this.#count();
    return super.peek(word);
  }

  override wait(word: number, value: number): void {
    if (super.load(word) === value) this.onSleep();
  }

  #count(): void {
    assert(--this.left > 0, "it comes to an end");
  }
}

function scene(design: ChannelDesign, portCount: number) {
  const layout = channelLayout({ portCount, laneCount: 2, ...design });
  const words = new CountedWords(new SharedArrayBuffer(layout.totalBytes));
  words.store(layout.controlWord + ControlWord.nextOwnerId, 1);
  const channel = new Channel(layout, words);
  const places: number[] = [];
  const server = new Server(channel, {
    waiter: "park",
    clientTimeoutSeconds: 0,
    onFault: ({ portIndex }) => places.push(portIndex),
  });
  server.operate(INCREMENT, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  server.operateMessage(BYTES, (bytes) => bytes, { limitBytes: 1000 });
  server.operatePort(STREAM, (port) => {
    places.push(port.index);
    sendStream(port, recvStream(port, { limitBytes: 1000 }), { window: 2 });
  });
  server.operate(FAILS, () => {
    throw new Error("longer than a packet ".repeat(20));
  });
  return { layout, words, channel, server, places };
}

/** Half of the time any number; else one that means something: a bit, all bits, or an id with or without marks. */
function hostileValue(random: () => number): number {
  const small = random() % 9;
  const values = [random() | 0, 1 << random() % 32, -1, 0, small, small | 1 << 29 + random() % 3];
  return values[random() % values.length]!;
}

/** Anything anywhere, with headers that come past the first checks now and then. */
function spoil({ words, layout }: ReturnType<typeof scene>, random: () => number): void {
  const { plain } = words;
  const port = random() % layout.portCount;
  const regions = Object.entries(layout).filter(([name]) => name.endsWith("Word"));
  for (let count = random() % 12; count >= 0; count--) {
    const first = regions[random() % regions.length]![1] as number;
    const word = random() % 4 === 0 ? random() % plain.length : first + random() % 40;
    if (word < plain.length) plain[word] = hostileValue(random);
  }
  const flags = random() % 8 << 29;
  const head = [3, 0, INCREMENT + random() % 5 | flags, 0];
  if (random() % 2 === 0) plain.set(head, layout.headersWord + port * 4);
  // Seldom at its end before its time: most of what follows would do nothing.
  const stateWord = layout.controlWord + ControlWord.state;
  if (random() % 8 > 0) plain[stateWord]! &= ~3;
}

/** Runs all designs, a few seeds each. */
function inEachDesign(run: (design: ChannelDesign, random: () => number, what: string) => void) {
  DESIGNS.forEach((design, place) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomGenerator((place * SEEDS + seed) * 0x9e3779b1);
      run(design, random, `${JSON.stringify(design)}, seed ${seed}`);
    }
  });
}

Deno.test("hostile words: the server serves ports of the channel only, throws nothing, and leaves at the end", () => {
  inEachDesign((design, random, what) => {
    const portCount = [1, 5, 37][random() % 3]!;
    const own = scene(design, portCount);
    const { words, channel, server, places } = own;
    const waiter = {
      wait: (_index: number, _foreign: number, guard: { check(): void }) =>
        server.runOnce() ? undefined : guard.check(),
      waitAsync: () => Promise.reject(),
    };
    const client = new Client(channel, { waiter });
    try {
      for (let round = 0; round < 6; round++) {
        words.left = ACCESSES_MAX;
        spoil(own, random);
        server.runOnce();
        server.runAll();
        unlessRefused(() =>
          client.call(INCREMENT, { fill: skip, use: skip }, { timeoutSeconds: 0 })
        );
        const works = Array(3).fill({ fill: skip, use: skip });
        unlessRefused(() => client.callMany(INCREMENT, works, { timeoutSeconds: 0 }));
      }
      words.left = ACCESSES_MAX;
      words.onSleep = () => channel.stop();
      server.run();
      channel.shutDown();
      assertEquals(server.run(), false, "it has left");
    } catch (error) {
      throw new Error(`${what}: ${error}`, { cause: error });
    }
    assert(places.every((index) => index < portCount), what);
    assert(server.nextIndex < portCount, what);
  });
});

function unlessRefused(call: () => void): void {
  try {
    call();
  } catch (error) {
    for (const one of error instanceof AggregateError ? error.errors : [error]) {
      const isExpected = one instanceof CallError || one instanceof DOMException;
      if (one !== undefined && !isExpected) throw one;
    }
  }
}

Deno.test("hostile words: whose port was not touched gets its answer, whatever stands in those of others", () => {
  inEachDesign((design, random, what) => {
    const portCount = [2, 5, 37][random() % 3]!;
    const { layout, words, channel, server } = scene(design, portCount);
    const client = new Client(channel);
    const ports = Array.from({ length: portCount }, () => client.tryOpen(INCREMENT)!);
    const port = ports.splice(random() % portCount, 1)[0]!;
    const sent = port.send((packet) => packet.setUint32(0, 0, 41));
    spoilOthers({ layout, words }, port.index, random);
    for (let look = 0; look <= portCount; look++) server.runOnce();
    sent.recv((packet) => assertEquals(packet.getUint32(0, 0), 42, what)).close();
  });
});

/** Everything of each other port, and the bits behind the last. */
function spoilOthers(
  { layout, words }: { readonly layout: ChannelLayout; readonly words: CountedWords },
  index: number,
  random: () => number,
): void {
  const mailboxes = mailboxPlaces(layout);
  const locks = lockPlaces(layout.portLock);
  const regions = [
    [layout.clientOutboxWord, mailboxes],
    [layout.serverOutboxWord, mailboxes],
    ...layout.mailboxRead === "turn"
      ? [[layout.clientTurnWord, PORT_PLACES.word], [
        layout.serverTurnWord,
        PORT_PLACES.word,
      ]] as const
      : [],
    [layout.clientLockWord, locks],
    [layout.serverLockWord, locks],
    [layout.clientParkedWord, PORT_PLACES.word],
    [layout.serverParkedWord, PORT_PLACES.word],
    [layout.serverLateWord, PORT_PLACES.word],
  ] as const;
  for (const [first, places] of regions) {
    const own = placeWord(places, index);
    const bit = places.shiftMask > 0 ? 1 << (index & 31) : -1;
    for (let port = 0; port < layout.portCount; port += 1 << places.down) {
      const word = placeWord(places, port);
      const kept = word === own ? bit : 0;
      const before = words.plain[first + word]!;
      words.plain[first + word] = before & kept | hostileValue(random) & ~kept;
    }
  }
  for (let port = 0; port < layout.portCount; port++) {
    if (port === index) continue;
    const header = layout.headersWord + port * layout.headerStride;
    for (let word = 0; word < 4; word++) words.plain[header + word] = hostileValue(random);
  }
}

Deno.test("hostile words: a server whose id stands in locks that it has not leaves when it is asked to", () => {
  for (const portLock of DESIGN_AXES.portLock) {
    const { layout, words, channel, server } = scene({ ...DESIGNS[0]!, portLock }, 3);
    server.announce();
    for (let port = 0; port < 3; port++) words.plain[layout.serverLockWord + port] = server.id;
    channel.leaveRequests.ask(server.id);
    channel.announceLeaving();
    assertEquals([server.run(), server.run()], [false, false], portLock);
  }
});
