import { assert, assertEquals, assertThrows } from "@std/assert";
import { CloneEncoder } from "../../call/clone/clone_encoder.ts";
import { Line } from "./line.ts";
import { type Frame, LineEnd } from "./line_end.ts";

function begin(limitBytes = 2 ** 30) {
  const line = Line.create();
  const frames: Frame[] = [];
  const receive = (frame: Frame) => void frames.push(frame);
  const client = new LineEnd(line, "client", { receive, limitBytes });
  const server = new LineEnd(line, "server", { receive, limitBytes });
  return { line, frames, client, server, encoder: new CloneEncoder() };
}

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
  const { line, client, server } = begin();
  const armed = [client, server].map(({ bell }) => bell.sleepAsync(bell.arm()));
  assertEquals(line.isEnded, false);
  line.end();
  await Promise.all(armed);
  assertEquals(line.isEnded, true);
});
