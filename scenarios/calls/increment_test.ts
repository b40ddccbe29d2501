import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type CallWork, Channel, Client, type Packet, Server } from "../../core/mod.ts";
import {
  addServices,
  INCREMENT_OPCODE,
  IncrementCaller,
  PipelinedCaller,
  PromisingCaller,
} from "./increment.ts";
import { Partner } from "../partner/partner.ts";
import { assignIncrementServer } from "./increment_server.ts";

/** A client whose call is answered in the same thread, by `serve`. */
function inlineClient(
  laneCount: number,
  serve: (server: Server) => void,
): Client {
  const channel = Channel.create({ portCount: 2, laneCount });
  const server = new Server(channel, { waiter: "spin" });
  addServices(server);
  const client = new Client(channel);
  const inline: Pick<Client, "call"> = {
    call(opcode, { fill, use }) {
      const sent = client.open(opcode).send(fill);
      serve(server);
      sent.recv(use).close();
    },
  };
  return inline as Client;
}

Deno.test("IncrementCaller.call() is content when every lane comes back one larger", () => {
  for (const laneCount of [1, 8, 64]) {
    new IncrementCaller(inlineClient(laneCount, (server) => server.runOnce())).call(5);
  }
});

Deno.test("IncrementCaller.call() throws when one lane comes back with another number", () => {
  const client = inlineClient(8, (server) => {
    server.operatePort(0x8000, (port) => {
      port.recvAndSend((packet) => {
        packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1));
        packet.setUint32(7, 0, 0);
      });
    });
    server.runOnce();
  });
  assertThrows(() => new IncrementCaller(client).call(2), Error, "one larger");
});

Deno.test("PipelinedCaller.call() makes each call, more or fewer than may be in flight", async () => {
  await using partner = new Partner();
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const work = await assignIncrementServer(partner, { channel, waiter: "adaptive" });
  const caller = new PipelinedCaller(new Client(channel), 3);
  work.wake();
  for (const callCount of [1, 3, 100, 0, 2]) caller.call(callCount);
  work.rest();
});

/** A client that writes down what is asked of its ports, and answers by adding. */
function tracingClient(added: number): { readonly client: Client; readonly steps: string[] } {
  const steps: string[] = [];
  const portOf = (name: number) => {
    const uint32 = new Uint32Array(1);
    const port = {
      name,
      send(fill: (packet: Packet) => void) {
        fill({ uint32 } as Packet);
        steps.push(`send ${name}`);
        return port;
      },
      recv(use: (packet: Packet) => void) {
        uint32[0]! += added;
        use({ uint32 } as Packet);
        steps.push(`recv ${name}`);
        return port;
      },
      close() {},
    };
    return port;
  };
  let portCount = 0;
  const client = { open: () => portOf(portCount++), reopen: (port: unknown) => port };
  return { client: client as unknown as Client, steps };
}

Deno.test("PipelinedCaller.call() sends all that may be in flight before it receives the oldest", () => {
  const { client, steps } = tracingClient(1);
  new PipelinedCaller(client, 2).call(3);
  assertEquals(steps, ["send 0", "send 1", "recv 0", "send 0", "recv 1", "recv 0"]);
});

Deno.test("PipelinedCaller.call() throws when a number did not come back one larger", () => {
  const { client } = tracingClient(2);
  assertThrows(() => new PipelinedCaller(client, 2).call(3), Error, "one larger");
});

/** A client that answers in the next turn of the event loop, and counts what is under way. */
function laterClient(added: number) {
  const seen = { callCount: 0, underWay: 0, underWayMax: 0 };
  const callAsync = async (_opcode: number, { fill, use }: CallWork) => {
    const uint32 = new Uint32Array(1);
    fill({ uint32 } as Packet);
    seen.callCount++;
    seen.underWayMax = Math.max(seen.underWayMax, ++seen.underWay);
    await Promise.resolve();
    seen.underWay--;
    uint32[0]! += added;
    use({ uint32 } as Packet);
  };
  return { client: { callAsync } as unknown as Client, seen };
}

Deno.test("PromisingCaller.call() makes every call, as many at once as it may", async () => {
  for (const callCount of [0, 2, 10]) {
    const { client, seen } = laterClient(1);
    await new PromisingCaller(client, 3).call(callCount);
    assertEquals(seen, { callCount, underWay: 0, underWayMax: Math.min(3, callCount) });
  }
});

Deno.test("PromisingCaller.call() rejects when a number did not come back one larger", async () => {
  const { client } = laterClient(2);
  await assertRejects(() => new PromisingCaller(client, 2).call(3), Error, "one larger");
});

Deno.test("addServices() lets any server answer the call of the scenarios", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 2 });
  const server = new Server(channel);
  addServices(server);
  const sent = new Client(channel).open(INCREMENT_OPCODE).send((packet) => {
    packet.forEachLane((lane) => packet.setUint32(lane, 0, 10 * lane));
  });
  server.runOnce();
  const answers: number[] = [];
  sent.recv((packet) => packet.forEachLane((lane) => answers.push(packet.getUint32(lane, 0))))
    .close();
  assertEquals(answers, [1, 11]);
});
