import { assertEquals } from "@std/assert";
import { SharedWords, type Words } from "../memory/words.ts";
import { CellState, readyWord } from "./ring_words.ts";
import { PacketChannel } from "../one_packet/packet_channel.ts";
import { COMMAND_RING } from "./command_ring.ts";
import { CommandWriter } from "./command_writer.ts";
import type { RingLayout } from "./layout.ts";
import { CommandReader } from "./command_reader.ts";

function command(id: number) {
  return { id, bytes: new Uint8Array(100), slot: 0 };
}

/** A writer that does something else just before it publishes. */
function writerWith(channel: PacketChannel<RingLayout>, before: () => void): CommandWriter {
  let isFirst = true;
  const words = new Proxy(channel.words, {
    get(target, name) {
      if (name === "compareExchange" && isFirst) {
        isFirst = false;
        before();
      }
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as Words;
  return new CommandWriter(new PacketChannel(channel.kind, channel.layout, words));
}

Deno.test("CommandReader waits for a writer that is not done; the next command waits behind it", () => {
  const channel = COMMAND_RING.create({ slotCount: 1, cellCount: 8 });
  const reader = new CommandReader(channel);
  const other = new CommandWriter(channel);
  const writer = writerWith(channel, () => {
    other.tryWrite(command(2));
    assertEquals(reader.tryRead(), undefined);
  });
  assertEquals(writer.tryWrite(command(1)), "sent");
  assertEquals([reader.tryRead()?.id, reader.tryRead()?.id, reader.tryRead()], [1, 2, undefined]);
});

Deno.test("CommandReader.tear(): the writer hears of it, the next command is served, the buffer rests", () => {
  const channel = COMMAND_RING.create({ slotCount: 1, cellCount: 4 });
  const reader = new CommandReader(channel);
  const other = new CommandWriter(channel);
  const writer = writerWith(channel, () => {
    other.tryWrite(command(2));
    assertEquals(reader.tryRead(), undefined);
    assertEquals(reader.tear(), 2, "both cells of the command");
    assertEquals(reader.tryRead()?.id, 2);
    assertEquals(other.tryWrite(command(3)), "sent", "into the other buffer");
    assertEquals(reader.tryRead(), undefined, "no swap while a writer may write here");
  });
  assertEquals(writer.tryWrite(command(1)), "torn");
  assertEquals(reader.tryRead()?.id, 3);
  assertEquals([reader.tear(), reader.tryRead()], [0, undefined]);
});

Deno.test("CommandReader cuts what the other side says to the buffer", () => {
  const channel = COMMAND_RING.create({ slotCount: 1, cellCount: 2 });
  const { words, layout } = channel;
  const reader = new CommandReader(channel);
  for (const cells of [0, 1, 2, 1 << 28]) {
    const top = (words as SharedWords).add(layout.topWord, 2);
    const cell = (top >>> 22 & 1) * 2;
    words.plain[layout.cellsWord + cell * 16 + 1] = -1;
    words.store(layout.cellStateWord + cell, readyWord(cells));
    const room = Math.min(Math.max(cells, 1), 2) * 64 - 16;
    assertEquals(reader.tryRead()?.bytes.length, room);
    words.store(layout.cellStateWord + cell + 1, CellState.left);
    assertEquals(reader.tryRead(), undefined);
    words.store(layout.cellStateWord + cell + 1, CellState.empty);
  }
});
