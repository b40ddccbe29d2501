/** Both words of a lane mask reach every callback of a call, on either side, whichever way it is made. */
import { assertEquals } from "@std/assert";
import { fullMask, type LaneMask, laneMask } from "../../memory/lane_mask.ts";
import type { Packet } from "../../memory/packet.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { oneThread } from "../fixtures/one_thread.ts";

const OPCODE = 40_000;
const HANDLER = 40_001;
const MASKS = [laneMask(2, 40), laneMask(0, 1, 63), laneMask(31), laneMask(32), fullMask(64)];

type Look = (packet: Packet) => void;
type Call = (client: Client, opcode: number, mask: LaneMask, look: Look) => unknown;

const WAYS: Readonly<Record<string, Call>> = {
  call: (client, opcode, mask, look) => client.call(opcode, { fill: look, use: look }, { mask }),
  cast: (client, opcode, mask, look) => client.cast(opcode, look, { mask }),
  callAsync: (client, opcode, mask, look) =>
    client.callAsync(opcode, { fill: look, use: look }, { mask }),
  open(client, opcode, mask, look) {
    using port = client.open(opcode, { mask });
    port.use(look);
    port.send(look).recv(look);
  },
  tryOpen(client, opcode, mask, look) {
    using port = client.tryOpen(opcode, { mask })!;
    port.sendAndRecv({ fill: look, use: look });
  },
  reopen(client, opcode, mask, look) {
    const closed = client.open(opcode);
    closed.close();
    using port = client.reopen(closed, opcode, { mask });
    port.send(look).recv(look);
  },
};

/** Marks every lane that takes part, and notes which do. */
function lookAsClient(seen: Set<string>): Look {
  return (packet) => {
    packet.forEachLane((lane) => packet.setUint32(lane, 15, lane + 1));
    seen.add(JSON.stringify(packet.mask));
  };
}

/** Finds the lanes marked that take part, and notes which do. */
function lookAsServer(seen: Set<string>): Look {
  return (packet) => {
    packet.forEachLane((lane) => assertEquals(packet.getUint32(lane, 15), lane + 1));
    seen.add(JSON.stringify(packet.mask));
  };
}

for (const [name, call] of Object.entries(WAYS)) {
  Deno.test(`${name}() shows both sides the same lanes, of both words of the mask`, async () => {
    for (const opcode of [OPCODE, HANDLER]) {
      for (const mask of MASKS) {
        const { client, server } = oneThread({ portCount: 3, laneCount: 64 });
        const [asked, served] = [new Set<string>(), new Set<string>()];
        server.operate(OPCODE, lookAsServer(served));
        server.operatePort(HANDLER, (port) => void port.recvAndSend(lookAsServer(served)));
        await call(client, opcode, mask, lookAsClient(asked));
        server.runAll();
        assertEquals([[...asked], [...served]], [[JSON.stringify(mask)], [JSON.stringify(mask)]]);
      }
    }
  });
}

Deno.test("asynchronous services and a server by hand see the lanes of their call", async () => {
  const channel = Channel.create({ portCount: 3, laneCount: 64 });
  const [client, server] = [new Client(channel), new Server(channel)];
  const [asked, served] = [new Set<string>(), new Set<string>()];
  const look = lookAsServer(served);
  server.operateAsync(OPCODE, (packet) => Promise.resolve(look(packet)));
  server.operatePortAsync(HANDLER, async (port) => void await port.recvAsync(look));
  for (const mask of MASKS) {
    client.cast(OPCODE, lookAsClient(asked), { mask });
    server.tryOpen()!.recv(look).close();
  }
  const serving = server.runAsync();
  const work = { fill: lookAsClient(asked), use: lookAsClient(asked) };
  for (const opcode of [OPCODE, HANDLER]) {
    for (const mask of MASKS) await client.callAsync(opcode, work, { mask });
  }
  channel.shutDown();
  await serving;
  const texts = MASKS.map((mask) => JSON.stringify(mask));
  assertEquals([[...asked], [...served]], [texts, texts]);
});
