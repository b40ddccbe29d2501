import { assertEquals } from "@std/assert";
import { sendStream, sendStreamAsync } from "../call/stream.ts";
import { Opcode } from "../memory/opcode.ts";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import type { ClientPort } from "../toggle/client/client_port.ts";
import { Server } from "../toggle/server/server.ts";
import { serveHost } from "./serve_host.ts";

const encoder = new TextEncoder();

/** A server whose writes are kept, and a client in the same thread. */
function collecting(channel: Channel) {
  const writes: string[] = [];
  const server = new Server(channel);
  const decoder = new TextDecoder();
  serveHost(server, {
    writeStdout: (bytes) => writes.push(decoder.decode(bytes)) && bytes.length,
  });
  return { writes, server, client: new Client(channel) };
}

function countsOf(port: ClientPort): number[] {
  const counts: number[] = [];
  port.use((packet) => packet.forEachLane((lane) => counts.push(packet.getUint32(lane, 0))));
  return counts;
}

Deno.test("streams of one packet are one write, in packets of either layout", () => {
  for (const packetLayout of ["lane-major", "word-major"] as const) {
    const { writes, server, client } = collecting(
      Channel.create({ portCount: 1, laneCount: 3, packetLayout }),
    );
    const written = (...texts: string[]) => {
      using port = client.open(Opcode.writeStdout, { mask: { lo: 2 ** texts.length - 1, hi: 0 } });
      sendStream(port, texts.map((text) => encoder.encode(text)));
      server.runOnce();
      port.recv(() => {});
      return [countsOf(port), writes.splice(0)];
    };
    assertEquals(written("first ", "", "third"), [[6, 0, 5], ["first third"]]);
    const full = "x".repeat(56);
    assertEquals(written(full, "y"), [[56, 1], [`${full}y`]]);
  }
});

Deno.test("a stream of more than a packet comes whole", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 3 });
  const { writes, server, client } = collecting(channel);
  const served = server.runAsync();
  const texts = ["short ", `${"long ".repeat(50)}|`, ""];
  {
    using port = client.open(Opcode.writeStdout);
    await sendStreamAsync(port, texts.map((text) => encoder.encode(text)));
    await (port as unknown as ClientPort<"theirs">).recvAsync(() => {});
    assertEquals(countsOf(port), texts.map(({ length }) => length));
  }
  channel.shutDown();
  await served;
  assertEquals(writes, [texts.join("")]);
});
