import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";
import { Client } from "./client/client.ts";
import { laneMask } from "../memory/lane_mask.ts";
import { snapshotPort } from "./port_snapshot.ts";
import { Server } from "./server/server.ts";

const OPCODE = 40_000;

Deno.test("snapshotPort() follows one call from open to close", () => {
  const channel = Channel.create({ portCount: 2, laneCount: 64 });
  const [server, client] = [new Server(channel), new Client(channel)];
  const seen = () => {
    const { clientOutbox, serverOutbox, owner, clientLock, serverLock } = snapshotPort(channel, 0);
    const locks = (clientLock === client.id ? "c" : "-") + (serverLock === 0 ? "-" : "s");
    return `${clientOutbox}${serverOutbox} ${owner} ${locks}`;
  };
  const steps = [seen()];
  const opened = client.open(OPCODE, { mask: laneMask(31, 62, 63) });
  steps.push(seen());
  const sent = opened.send(() => {});
  steps.push(seen());
  const served = server.tryOpen()!.recv(() => {});
  steps.push(seen());
  served.send(() => {}).close();
  steps.push(seen());
  sent.recv(() => {}).close();
  steps.push(seen());
  assertEquals(steps, [
    "00 client --",
    "00 client c-",
    "10 server c-",
    "10 server cs",
    "11 client c-",
    "11 client --",
  ]);
  const { opcode, mask, status } = snapshotPort(channel, 0);
  assertEquals({ opcode, mask, status }, {
    opcode: OPCODE,
    mask: { lo: 0x8000_0000, hi: 0xc000_0000 },
    status: "ok",
  });
});

Deno.test("snapshotPort() reads the words of its own port", () => {
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const [server, client] = [new Server(channel), new Client(channel)];
  const ports = [0, 1, 2].map(() => client.open(OPCODE));
  ports.find(({ index }) => index === 2)!.send(() => {});
  const held = server.tryOpen()!.recv(() => {});
  const { clientOutbox, serverOutbox, owner, clientLock, serverLock, opcode } = snapshotPort(
    channel,
    held.index,
  );
  assertEquals([held.index, clientOutbox, serverOutbox, owner], [2, 1, 0, "server"]);
  assertEquals([clientLock, serverLock, opcode], [client.id, server.id, OPCODE]);
  held.send(() => {}).close();
  assertEquals(snapshotPort(channel, 2).serverOutbox, 1);
  assertEquals(snapshotPort(channel, 1).serverLock, 0);
});

Deno.test("snapshotPort() names the status of a refused call", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  new Client(channel).cast(OPCODE, () => {});
  new Server(channel).runOnce();
  assertEquals(snapshotPort(channel, 0).status, "unhandledOpcode");
});

Deno.test("snapshotPort() refuses a port that the channel does not have", () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  for (const index of [-1, 2, 0.5, NaN]) {
    assertThrows(() => snapshotPort(channel, index), RangeError, `current value is ${index}`);
  }
});
