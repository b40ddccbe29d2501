import { assertEquals } from "@std/assert";
import { CONTINUES, HEADER_WORDS } from "../../../memory/port_headers.ts";
import { Status } from "../../../memory/status.ts";
import { meddledChannel } from "../../../testing/fixtures/meddled_words.ts";
import { STATUS_PLACE, StreamTails } from "./stream_tails.ts";

const PORTS = 4;
const OPCODE = 77;

/** What lies in a readback buffer is written by hand: these rules need no GPU. */
function setUp() {
  const { words, layout, channel } = meddledChannel(PORTS);
  const { clientOutboxWord, serverOutboxWord, headersWord, packetsWord, packetWords } = layout;
  const { plain } = words;
  const tails = new StreamTails(channel);
  const giveBack = (index: number, status: Status = Status.ok) => {
    plain[headersWord + index * HEADER_WORDS + STATUS_PLACE] = status;
    words.store(serverOutboxWord + index, words.load(clientOutboxWord + index));
  };
  return {
    tails,
    words,
    layout,
    /** As the device leaves so many packets, whose first words are 100, 101 and so on. */
    take(owners: readonly number[]) {
      const read = new Int32Array(tails.bytesOf(owners.length) / 4);
      owners.forEach((owner, spare) => {
        read[spare * packetWords] = 100 + spare;
        read[owners.length * packetWords + spare] = owner;
      });
      return tails.take(read, owners.length);
    },
    /** As the first packet of a stream comes from the device, and goes back to it. */
    turn(index: number, status: Status = Status.ok) {
      plain[headersWord + index * HEADER_WORDS + 2] = OPCODE;
      words.store(clientOutboxWord + index, 1);
      giveBack(index, status);
    },
    giveBack,
    packet: (index: number) => plain[packetsWord + index * packetWords],
    outbox: (index: number) => words.load(clientOutboxWord + index),
    opcodeWord: (index: number) => plain[headersWord + index * HEADER_WORDS + 2],
  };
}

function sparesOf(index: number, count: number): number[] {
  return [count << 16 | index, ...new Array<number>(count - 1).fill(0)];
}

Deno.test("StreamTails.goOn() sends a port's packets in order, each when it was asked for", () => {
  const { tails, take, turn, giveBack, packet, outbox, opcodeWord, ...side } = setUp();
  assertEquals(take([...sparesOf(2, 3), ...sparesOf(0, 1)]), 4);
  turn(2);
  for (const [first, value] of [[100, 0], [101, 1], [102, 0]] as const) {
    assertEquals([tails.goOn(2), packet(2), outbox(2)], [true, first, value]);
    assertEquals(opcodeWord(2), OPCODE | CONTINUES);
    assertEquals(tails.goOn(2), false, "the server has it");
    giveBack(2);
  }
  assertEquals(tails.goOn(2), false, "there is no other");
  assertEquals([...tails.flips], [0, 0, 1, 0], "three packets of which the device does not know");
  turn(0);
  assertEquals([tails.goOn(0), packet(0), tails.flips[0]], [true, 103, 1]);
  assertEquals(side.words.load(side.layout.hintWord), 0b101, "a server that left the call looks");
});

Deno.test("StreamTails.goOn() leaves the rest of a stream that the server has refused", () => {
  const { tails, take, turn, giveBack, outbox } = setUp();
  take(sparesOf(1, 2));
  turn(1, Status.handlerFailed);
  assertEquals([tails.goOn(1), outbox(1), tails.flips[1]], [false, 1, 0]);
  giveBack(1);
  assertEquals(tails.goOn(1), false, "it is not sent in another call either");
});

Deno.test("StreamTails.goOn() tells of a packet when it and its header are there", () => {
  const { tails, take, turn, packet, opcodeWord, words, layout } = setUp();
  take(sparesOf(3, 1));
  turn(3);
  const seen: unknown[] = [];
  words.beforeStore = (word) => {
    if (word === layout.clientOutboxWord + 3) seen.push([packet(3), opcodeWord(3)]);
  };
  tails.goOn(3);
  assertEquals(seen, [[100, OPCODE | CONTINUES]]);
});

Deno.test("StreamTails.take() ends at a word that names no port, or more spares than there are", () => {
  for (const wrong of [0, 1 << 16 | PORTS, 2 << 16 | 1, -1, 7]) {
    const { tails, take, turn, packet } = setUp();
    assertEquals(take([...sparesOf(0, 2), wrong]), 2, `${wrong}`);
    for (const index of [0, 1]) turn(index);
    assertEquals([tails.goOn(1), tails.goOn(0), packet(0)], [false, true, 100]);
  }
});
