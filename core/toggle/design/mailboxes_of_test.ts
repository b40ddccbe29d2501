import { assert, assertEquals } from "@std/assert";
import { placeWord } from "../../memory/regions.ts";
import { Channel } from "../channel.ts";
import { mailboxPlaces } from "../layout.ts";
import { ownsBuffer, type Side } from "../side.ts";
import { type ChannelDesign, DESIGN_AXES, designFault } from "./channel_design.ts";
import { mailboxesOf } from "./mailboxes_of.ts";

const PORT_COUNT = 40;
/** The ends of words, and of the region. */
const PORTS = [0, 1, 31, 32, 39];

/** Each width with each update and place to read that it can have. */
const DESIGNS = DESIGN_AXES.mailboxWidth.flatMap((mailboxWidth) =>
  DESIGN_AXES.mailboxUpdate.flatMap((mailboxUpdate) =>
    DESIGN_AXES.mailboxRead.map((mailboxRead) => ({ mailboxWidth, mailboxUpdate, mailboxRead }))
  )
).filter((design) => designFault(design) === undefined);

function bothSides(design: Partial<ChannelDesign>) {
  const { words, layout } = Channel.create({ portCount: PORT_COUNT, laneCount: 1, ...design });
  const side = (name: Side, ownerId: number) => mailboxesOf(words, { layout, side: name, ownerId });
  return { words, layout, client: side("client", 1), server: side("server", 2) };
}

for (const design of DESIGNS) {
  const name =
    `${design.mailboxUpdate} of a ${design.mailboxWidth}, read from ${design.mailboxRead}`;

  Deno.test(`mailboxes by ${name} follow the rule through all states, on one port alone`, () => {
    const { client, server } = bothSides(design);
    for (const index of PORTS) {
      for (let flip = 0; flip < 5; flip++) {
        const inbox = client.inbox(index);
        const outbox = server.inbox(index);
        assertEquals([client.outbox(index), server.outbox(index)], [outbox, inbox]);
        const isClients = ownsBuffer("client", { inbox, outbox });
        assertEquals([client.owns(index), client.looksOwned(index)], [isClients, isClients]);
        assertEquals([server.owns(index), server.looksOwned(index)], [!isClients, !isClients]);
        (isClients ? client : server).toggle(index);
      }
      // The fifth flip was the client's: this port is with the server, and stays there.
      const clients = Array.from({ length: PORT_COUNT }, (_, port) => port)
        .filter((port) => client.owns(port));
      const before = PORTS.slice(0, PORTS.indexOf(index) + 1);
      assertEquals(clients.length, PORT_COUNT - before.length);
      assert(before.every((port) => server.owns(port)));
    }
  });

  Deno.test(`mailboxes by ${name} do of several ports what they do of each`, () => {
    const { words, client, server } = bothSides(design);
    const one = bothSides(design);
    server.toggle(3);
    one.server.toggle(3);
    for (const bits of [0, 1 << 31 | 1 << 4 | 1, 1 << 4, -1 << 28, 1]) {
      for (const [place, own] of [[0, bits], [1, bits & 0xff]] as const) {
        client.toggleBits(place, own);
        for (let bit = 0; bit < 32; bit++) {
          if (own >>> bit & 1) one.client.toggle(place * 32 + bit);
        }
      }
      assertEquals(words.plain, one.words.plain);
      for (const look of ["owns", "looksOwned"] as const) {
        const wanted = PORTS.filter((port) => port < 32).concat(3, 4, 28);
        const mask = wanted.reduce((sum, port) => sum | 1 << port, 0);
        const owned = wanted.filter((port) => client[look](port));
        const expected = owned.reduce((sum, port) => sum | 1 << port, 0);
        assertEquals(client[`${look === "owns" ? "owned" : look}Bits`](0, mask), expected);
      }
    }
  });

  Deno.test(`mailboxes by ${name} touch the outboxes and turns of their own side only`, () => {
    const { words, layout, client } = bothSides(design);
    const { clientOutboxWord, clientTurnWord } = layout;
    const before = words.plain.slice();
    for (const index of PORTS) client.toggle(index);
    const [boxes, turns] = [new Set<number>(), new Set<number>()];
    const places = mailboxPlaces(layout);
    for (let index = 0; index < layout.portCount; index++) {
      const word = clientOutboxWord + placeWord(places, index);
      boxes.add(word);
      if (layout.mailboxRead !== "turn") continue;
      turns.add(clientTurnWord + index);
      assertEquals(words.plain[clientTurnWord + index], words.plain[word], "what the outbox holds");
    }
    const written = [...words.plain.keys()].filter((word) => words.plain[word] !== before[word]);
    assertEquals(written.filter((word) => !boxes.has(word) && !turns.has(word)), []);
    assert(written.some((word) => boxes.has(word)));
  });

  Deno.test(`mailboxes by ${name}: foreignInbox() is what the inbox holds until the other side flips`, () => {
    const { client, server } = bothSides(design);
    for (const index of PORTS) {
      for (let round = 0; round < 2; round++) {
        client.toggle(index);
        assertEquals(client.inbox(index), client.foreignInbox(index));
        server.toggle(index);
        assert(client.inbox(index) !== client.foreignInbox(index));
      }
    }
  });
}

Deno.test("ownedBits() tells of 32 ports what owns() tells of each, on both sides", () => {
  const { client, server } = bothSides({ mailboxWidth: "bit", mailboxUpdate: "fetch-add" });
  for (const index of PORTS) client.toggle(index);
  for (const mailboxes of [client, server]) {
    for (let index = 0; index < PORT_COUNT; index++) {
      const bits = [mailboxes.ownedBits(index >> 5, -1), mailboxes.looksOwnedBits(index >> 5, -1)];
      const own = bits.map((word) => (word >>> (index & 31) & 1) === 1);
      assertEquals(own, [mailboxes.owns(index), mailboxes.owns(index)]);
    }
  }
});

for (const mailboxUpdate of ["fetch-add", "fetch-xor", "cas"] as const) {
  Deno.test(`a flip by ${mailboxUpdate} keeps what another port of the word does meanwhile`, () => {
    const { words, layout, client } = bothSides({ mailboxWidth: "bit", mailboxUpdate });
    const { compareExchange, peek } = words;
    let isMeddled = false;
    const meddle = () => {
      if (isMeddled) return;
      isMeddled = true;
      words.or(layout.clientOutboxWord, 1 << 9);
    };
    words.compareExchange = (...change) => (meddle(), compareExchange.apply(words, change));
    words.peek = (word) => {
      const value = peek.call(words, word);
      if (word === layout.clientOutboxWord) meddle();
      return value;
    };
    client.toggle(3);
    meddle();
    assertEquals(words.load(layout.clientOutboxWord), 1 << 9 | 1 << 3);
  });
}

Deno.test("settle() takes the turn from the outbox, of its own port alone", () => {
  for (const design of DESIGNS) {
    const { words, layout, client } = bothSides(design);
    for (const index of PORTS) client.toggle(index);
    const { clientTurnWord, serverTurnWord } = layout;
    const settled = words.plain.slice(clientTurnWord, serverTurnWord);
    words.plain.fill(7, clientTurnWord, serverTurnWord);
    for (const index of PORTS) client.settle(index);
    assertEquals(PORTS.map((index) => client.outbox(index)), PORTS.map(() => 1));
    const others = words.plain.subarray(clientTurnWord, serverTurnWord).filter((turn) =>
      turn === 7
    );
    assertEquals(others.length, Math.max(0, settled.length - PORTS.length));
  }
});
