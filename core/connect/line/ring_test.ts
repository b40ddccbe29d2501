import { assertEquals, assertThrows } from "@std/assert";
import { SharedWords } from "../../memory/words.ts";
import { RingReader, RingWriter } from "./ring.ts";

const PLACE = { writtenWord: 0, readWord: 1, wantsRoomWord: 2, dataWord: 4, ringBytes: 64 };

function begin() {
  const words = new SharedWords(new SharedArrayBuffer(16 + PLACE.ringBytes));
  return { words, writer: new RingWriter(words, PLACE), reader: new RingReader(words, PLACE) };
}

Deno.test("a ring carries bytes of any length, piece by piece and round its end", () => {
  const { writer, reader } = begin();
  for (let length = 0; length < 300; length++) {
    const source = Uint8Array.from({ length }, (_, index) => index * 7 + length);
    const target = new Uint8Array(length);
    for (let [put, taken] = [0, 0]; put < length || taken < length;) {
      put += writer.put(source, put);
      writer.publish();
      taken += reader.take(target, taken);
      reader.release();
    }
    assertEquals(target, source);
  }
});

Deno.test("a reader finds nothing before it is published, a writer no room before it is released", () => {
  const { writer, reader } = begin();
  assertEquals([writer.put(new Uint8Array(100), 0), reader.has(1)], [64, false]);
  writer.publish();
  assertEquals([reader.has(64), reader.has(65)], [true, false]);
  assertEquals(reader.take(new Uint8Array(64), 0), 64);
  assertEquals([writer.put(new Uint8Array(8), 0), writer.wantRoom()], [0, false]);
  assertEquals([reader.release(), reader.release()], [true, false]);
  assertEquals(writer.put(new Uint8Array(8), 0), 8);
  assertEquals([writer.wantRoom(), reader.release()], [true, true]);
});

Deno.test("what is put begins at a multiple of 8", () => {
  const { words, writer } = begin();
  writer.put(Uint8Array.of(1), 0);
  writer.put(Uint8Array.of(2), 0);
  const bytes = new Uint8Array(words.plain.buffer, PLACE.dataWord * 4);
  assertEquals([bytes[0], bytes[8]], [1, 2]);
});

Deno.test("a ring goes on where its counts pass 2^32", () => {
  const { words } = begin();
  const [writer, reader] = [new RingWriter(words, PLACE), new RingReader(words, PLACE)];
  // Both start where the last of very many bytes were.
  for (const end of [writer, reader]) Reflect.set(end, "count", -16);
  words.store(PLACE.writtenWord, -16);
  words.store(PLACE.readWord, -16);
  const source = Uint8Array.from({ length: 48 }, (_, index) => index);
  const target = new Uint8Array(48);
  assertEquals(writer.put(source, 0), 48);
  writer.publish();
  assertEquals([reader.take(target, 0), target], [48, source]);
});

Deno.test("counts that cannot be are refused", () => {
  for (const [written, read] of [[72, 0], [-8, 0], [4, 0], [0, 8], [0, -72]] as const) {
    const { words, writer, reader } = begin();
    words.store(PLACE.writtenWord, written);
    words.store(PLACE.readWord, read);
    const bytes = new Uint8Array(100);
    const use = () => written === 0 ? writer.put(bytes, 0) : reader.take(bytes, 0);
    assertThrows(use, TypeError, "Cannot go on with the ring");
  }
});
