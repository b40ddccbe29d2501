import { assertEquals } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import type { ClientPort } from "../../toggle/client/client_port.ts";
import { sendStream } from "../../call/stream.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { startServer } from "../../worker/start_server.ts";

const TESTED = new URL("./lane_streams.ts", import.meta.url);
/** Answers with how many bytes of each lane's stream, 100 at most, were kept, and their sum. */
const SERVICES = `
  import { recvBytes, setWords } from "${TESTED}";
  export function addServices(server) {
    server.operatePort(40_000, (port) => {
      const kept = recvBytes(port, 100).map((bytes) => [BigInt(bytes.length), BigInt(bytes.reduce((a, b) => a + b, 0))]);
      port.send((packet) => packet.forEachLane((lane) => setWords(packet, lane, kept[lane])));
    });
  }`;

Deno.test("recvBytes() takes streams of any length, and keeps as much as it is told", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 3, wire: "llvm" });
  const services = [new URL(`data:text/javascript,${encodeURIComponent(SERVICES)}`)];
  await using _server = await startServer(channel, { services, keepsAlive: false });
  const client = new Client(channel);
  for (const lengths of [[0, 5, 56], [57, 0, 120], [100, 101, 3000]]) {
    using port = client.open(40_000, { mask: laneMask(0, 1, 2), timeoutSeconds: 30 });
    sendStream(port, lengths.map((length) => new Uint8Array(length).fill(2)));
    const kept: number[][] = [];
    (port as unknown as ClientPort<"theirs">).recv((packet) =>
      packet.forEachLane((lane) =>
        kept[lane] = [packet.getUint32(lane, 0), packet.getUint32(lane, 2)]
      )
    );
    const expected = lengths.map((length) => Math.min(100, length));
    assertEquals(kept, expected.map((length) => [length, 2 * length]));
  }
});
