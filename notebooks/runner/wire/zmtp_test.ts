import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import {
  type Bytes,
  type ByteSource,
  concatBytes,
  encodeParts,
  FrameReader,
  greeting,
  readyCommand,
  ZmtpSocket,
} from "./zmtp.ts";

/** Bytes that come in pieces of at most `pieceBytes`, as a network may cut them. */
function piecewise(bytes: Uint8Array, pieceBytes: number): ByteSource {
  let offset = 0;
  return {
    read: (target) => {
      const piece = bytes.subarray(offset, offset + Math.min(pieceBytes, target.length));
      target.set(piece);
      offset += piece.length;
      return Promise.resolve(piece.length === 0 ? null : piece.length);
    },
  };
}

Deno.test("greeting() is version 3.0 with the NULL mechanism", () => {
  const bytes = greeting();
  assertEquals(bytes.length, 64);
  assertEquals([bytes[0], bytes[9], bytes[10], bytes[11]], [0xff, 0x7f, 3, 0]);
  assertEquals(new TextDecoder().decode(bytes.subarray(12, 17)), "NULL\0");
});

Deno.test("readyCommand() is a command frame that names the socket type", () => {
  const bytes = readyCommand("SUB");
  assertEquals(bytes[0], 4);
  assertEquals(bytes[1], bytes.length - 2);
  const text = new TextDecoder().decode(bytes.subarray(2));
  assertEquals(text, "\x05READY\x0bSocket-Type\0\0\0\x03SUB");
});

Deno.test("encodeParts() writes short and long frames as the RFC has them", () => {
  assertEquals([...encodeParts([Uint8Array.of(7, 8), Uint8Array.of()])], [1, 2, 7, 8, 0, 0]);
  const long = encodeParts([new Uint8Array(256)]);
  assertEquals([...long.subarray(0, 9)], [2, 0, 0, 0, 0, 0, 0, 1, 0]);
});

Deno.test("FrameReader.readParts() returns what encodeParts() was given", async () => {
  const part = fc.uint8Array({ maxLength: 600 });
  const message = fc.array(part, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      message,
      message,
      fc.integer({ min: 1, max: 700 }),
      async (one, two, piece) => {
        const reader = new FrameReader(
          piecewise(concatBytes([encodeParts(one), encodeParts(two)]), piece),
        );
        assertEquals(await reader.readParts(), one.map((bytes) => new Uint8Array(bytes)));
        assertEquals(await reader.readParts(), two.map((bytes) => new Uint8Array(bytes)));
      },
    ),
  );
});

Deno.test("FrameReader.readParts() skips commands", async () => {
  const stream = concatBytes([readyCommand("DEALER"), encodeParts([Uint8Array.of(1)])]);
  assertEquals(await new FrameReader(piecewise(stream, 64)).readParts(), [Uint8Array.of(1)]);
});

Deno.test("FrameReader.readParts() says how far it came when the peer goes away", async () => {
  const cut = encodeParts([new Uint8Array(10)]).subarray(0, 6);
  await assertRejects(
    () => new FrameReader(piecewise(cut, 64)).readParts(),
    Deno.errors.UnexpectedEof,
    "4 of 10 bytes",
  );
});

Deno.test("ZmtpSocket.connect() shakes hands, and SUB subscribes to everything", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const peer = serveOnePeer(listener);
  using socket = await ZmtpSocket.connect(listener.addr.port, "SUB");
  assertEquals(await socket.receive(), [Uint8Array.of(42)]);
  assertEquals(await peer, [Uint8Array.of(1)]);
});

/** Greets, is ready, says one message and returns the first that it hears. */
async function serveOnePeer(listener: Deno.TcpListener): Promise<Bytes[]> {
  using connection = await listener.accept();
  const reader = new FrameReader(connection);
  assertEquals(await reader.readBytes(64), greeting());
  await connection.write(greeting());
  assertEquals((await reader.readFrame()).flags, 4);
  await connection.write(readyCommand("DEALER"));
  const heard = await reader.readParts();
  await connection.write(encodeParts([Uint8Array.of(42)]));
  return heard;
}
