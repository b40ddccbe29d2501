import { assert, assertEquals } from "@std/assert";
import { lineEnds } from "../../testing/fixtures/line_ends.ts";
import { LAYOUT } from "./line.ts";

const REFUSED = "LengthRefusedError";
const LARGE = Uint8Array.from({ length: 3_000_001 }, (_, index) => index * 7);

Deno.test("LineEnd carries messages of any length, in order, both ways", () => {
  const { frames, client, server, encoder } = lineEnds();
  const values = [1, "text", LARGE, undefined, { text: "ä".repeat(400_000), LARGE }, [new Map()]];
  for (const [source, target] of [[client, server], [server, client]] as const) {
    frames.length = 0;
    values.forEach((value, index) => {
      source.post(16 + index, index, encoder.encode(value));
      source.keep();
    });
    while (frames.length < values.length) assert(target.pump() || source.pump());
    assertEquals(frames, values.map((value, index) => ({ kind: 16 + index, id: index, value })));
    assertEquals([source.hasOutgoing, source.pump(), target.pump()], [false, false, false]);
  }
});

Deno.test("LineEnd.keep() keeps what was posted, whatever becomes of its bytes", () => {
  const { frames, client, server, encoder } = lineEnds();
  const bytes = LARGE.slice();
  client.post(16, 1, encoder.encode({ bytes }));
  client.keep();
  bytes.fill(0);
  client.post(16, 2, encoder.encode("the encoder's bytes are others now"));
  client.keep();
  while (frames.length < 2) assert(server.pump() || client.pump());
  assertEquals((frames[0]!.value as { bytes: Uint8Array }).bytes, LARGE);
});

Deno.test("LineEnd tells of a message that cannot be read, and reads the next", () => {
  const { frames, client, server, encoder } = lineEnds();
  const broken = { headBytes: 5, pieces: [Uint8Array.of(1, 0, 0, 0, 191), LARGE] };
  client.post(16, 1, broken);
  while (frames.length < 1) assert(server.pump() || client.pump());
  client.post(16, 2, encoder.encode("next"));
  server.pump();
  assertEquals([frames[0]!.id, frames[0]!.error?.message.includes("no tag 191")], [1, true]);
  assertEquals(frames[1], { kind: 16, id: 2, value: "next" });
});

Deno.test("LineEnd passes over a message beyond the limit, and reads the next", () => {
  const { frames, client, server, encoder } = lineEnds(1000);
  for (const [source, target] of [[client, server], [server, client]] as const) {
    frames.length = 0;
    // Pieces of odd lengths, which are rounded up one by one, and more of them than the ring holds.
    const odd = { text: "odd".repeat(101), pieces: [new Uint8Array(601), new Uint8Array(603)] };
    for (const value of [odd, LARGE, "x".repeat(70_000), "next"]) {
      source.post(16, 1, encoder.encode(value));
      source.keep();
    }
    while (frames.length < 4) assert(target.pump() || source.pump());
    const side = source === client
      ? "arguments of 3000017 bytes as limitBytes of serve() is 1000"
      : "a result of 3000017 bytes as limitBytes of connect() is 1000";
    assertEquals(frames.map(({ error }) => error?.name), [...Array(3).fill(REFUSED), undefined]);
    assertEquals(frames[1]!.error!.message, `Cannot receive ${side}`);
    assertEquals(frames[3]!.value, "next");
  }
});

Deno.test("LineEnd passes over more bytes than a word counts", () => {
  const { line, frames, client, server, encoder } = lineEnds(1000);
  client.post(77, 1, encoder.encode(new Uint8Array(1001)));
  const { plain } = line.words;
  plain[plain.indexOf(77) + 5] = 1;
  client.post(16, 2, encoder.encode("passed over, too"));
  while (server.pump());
  assertEquals(frames, []);
});

Deno.test("LineEnd passes over all buffers of a message that cannot be read", () => {
  const { frames, client, server, encoder } = lineEnds();
  const { headBytes, pieces } = encoder.encode([new Uint8Array(3), new Uint8Array(5)]);
  pieces[0]![4] = 191;
  client.post(16, 1, { headBytes, pieces });
  client.post(16, 2, encoder.encode("next"));
  while (server.pump());
  assertEquals(frames[0]!.error?.message.includes("no tag 191"), true);
  assertEquals(frames[1], { kind: 16, id: 2, value: "next" });
});

Deno.test("LineEnd refuses a header of any forged lengths before anything is allocated", () => {
  const most = 2 ** 32 - 1;
  for (const lengths of [[most, 0], [0, most], [most, most], [1, 1000], [1001, 0], [2 ** 31, 0]]) {
    const { line, frames, server } = lineEnds(1000);
    const { writtenWord, dataWord } = LAYOUT.rings.client;
    [16, 1, ...lengths, 0, 0].forEach((value, word) =>
      line.words.store(dataWord + word, value | 0)
    );
    line.words.store(writtenWord, 24);
    server.pump();
    assertEquals([frames[0]?.error?.name, frames[0]?.value], [REFUSED, undefined]);
  }
});
