/** The defects of the original, one by one, and that they are gone; those of order are planted in `ring_model/`. */
import { assertEquals } from "@std/assert";
import { COMMAND_RING } from "./command_ring.ts";
import { RingClient } from "./ring_client.ts";
import { RingServer } from "./ring_server.ts";

function begin(shape: { slotCount: number; cellCount: number }) {
  const channel = COMMAND_RING.create(shape);
  const server = new RingServer(channel);
  const seen: number[] = [];
  server.register("length", (bytes) => {
    seen.push(bytes.length);
    return bytes.reduce((sum, byte) => sum + byte, 0);
  });
  return { channel, server, seen, client: new RingClient(channel) };
}

Deno.test("defect: a byte count was used as a word index, so that buffers held an eighth", () => {
  const { client } = begin({ slotCount: 1, cellCount: 64 });
  let count = 0;
  while (client.tryCast("length", new Uint8Array(48)) === "sent") count++;
  assertEquals(count, 64, "a cell of 64 bytes for each, header included");
});

Deno.test("defect: the host's stride was another, so that the second command was not found", () => {
  const { client, server, seen } = begin({ slotCount: 1, cellCount: 4096 });
  const lengths = Array.from({ length: 300 }, (_, length) => length);
  for (const length of lengths) {
    assertEquals(client.tryCast("length", new Uint8Array(length)), "sent");
  }
  while (server.runOnce());
  assertEquals(seen, lengths);
});

Deno.test("defect: the top was never taken back when the buffer was full", () => {
  const { client, server, seen } = begin({ slotCount: 1, cellCount: 2 });
  for (let round = 0; round < 1000; round++) {
    assertEquals(client.tryCast("length", new Uint8Array(round % 2)), "sent");
    assertEquals(client.tryCast("length", new Uint8Array(60)), "bufferFull");
    assertEquals(client.tryCast("length", new Uint8Array(60)), "bufferFull");
    assertEquals(client.tryCast("length", new Uint8Array(round % 2)), "sent");
    while (server.runOnce());
  }
  assertEquals(seen.length, 2000);
});

Deno.test("defect: a result of 0 was never seen", () => {
  const { client, server } = begin({ slotCount: 1, cellCount: 1 });
  const sent = client.trySubmit("length", new Uint8Array());
  server.runOnce();
  assertEquals(sent.kind === "sent" && sent.call.finish(client.resultOf), 0n);
});

Deno.test("defect: every call had return slot 1", () => {
  const { client, server } = begin({ slotCount: 100, cellCount: 100 });
  const calls = Array.from(
    { length: 100 },
    (_, value) => client.trySubmit("length", Uint8Array.of(value)),
  );
  while (server.runOnce());
  const results = calls.map((sent) =>
    sent.kind === "sent" ? sent.call.finish(client.resultOf) : sent.kind
  );
  assertEquals(results, Array.from({ length: 100 }, (_, value) => BigInt(value)));
});

Deno.test("defect: a length beyond 16 bits was cut", () => {
  const { client, server, seen } = begin({ slotCount: 1, cellCount: 2048 });
  assertEquals(client.tryCast("length", new Uint8Array(100_000)), "sent");
  server.runOnce();
  assertEquals(seen, [100_000]);
});
