import { assert, assertEquals, assertThrows } from "@std/assert";
import { lineEnds } from "../../testing/fixtures/line_ends.ts";
import { Line } from "./line.ts";

Deno.test("Line.attach() takes the memory of a line, and once", () => {
  const line = Line.create();
  assert(Line.attach(line.buffer));
  assertEquals(Line.attach(line.buffer), undefined);
  for (const wrong of [undefined, {}, new ArrayBuffer(8), new SharedArrayBuffer(8)]) {
    assertThrows(() => Line.attach(wrong), TypeError, "not the memory of a connection");
  }
  const other = new SharedArrayBuffer(line.buffer.byteLength);
  assertThrows(() => Line.attach(other), TypeError, "not the memory of a connection");
});

Deno.test("Line.create() says what a page lacks that has no shared memory", () => {
  const { SharedArrayBuffer: shared } = globalThis;
  Reflect.deleteProperty(globalThis, "SharedArrayBuffer");
  try {
    assertThrows(() => Line.create(), TypeError, "Cross-Origin-Opener-Policy: same-origin");
  } finally {
    globalThis.SharedArrayBuffer = shared;
  }
});

Deno.test("Line.end() is seen by both sides, and wakes them", async () => {
  const { line, client, server } = lineEnds();
  const armed = [client, server].map(({ bell }) => bell.sleepAsync(bell.arm()));
  assertEquals(line.isEnded, false);
  line.end();
  await Promise.all(armed);
  assertEquals(line.isEnded, true);
});
