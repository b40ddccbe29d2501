import { assertEquals } from "@std/assert";
import { COMMAND_RING } from "./command_ring.ts";
import { cellsOf, CommandWriter } from "./command_writer.ts";
import { CommandReader } from "./command_reader.ts";

const NO_BYTES = new Uint8Array();

Deno.test("cellsOf() counts cells of 64 bytes, with 16 for the header", () => {
  assertEquals([0, 48, 49, 112, 113].map(cellsOf), [1, 1, 2, 2, 3]);
});

Deno.test("CommandWriter: what fits is sent, what does not fit is bufferFull", () => {
  const channel = COMMAND_RING.create({ slotCount: 1, cellCount: 3 });
  const writer = new CommandWriter(channel);
  const long = new Uint8Array(49);
  assertEquals(writer.tryWrite({ id: 0, bytes: long, slot: 0 }), "sent");
  assertEquals([writer.hasRoom(long), writer.hasRoom(NO_BYTES)], [false, true]);
  // As if another had taken the room between the look and the claim: the hole is passed over.
  assertEquals(writer.tryWrite({ id: 0, bytes: long, slot: 0 }), "bufferFull");
  assertEquals(writer.tryWrite({ id: 0, bytes: NO_BYTES, slot: 0 }), "bufferFull");
  const reader = new CommandReader(channel);
  assertEquals(reader.tryRead()?.bytes.length, 49);
  assertEquals(reader.tryRead(), undefined);
  assertEquals(writer.tryWrite({ id: 5, bytes: NO_BYTES, slot: 0 }), "sent");
  assertEquals(reader.tryRead()?.id, 5);
});
