import { assertThrows } from "@std/assert";
import { Channel, Client } from "../../core/mod.ts";
import { IncrementCaller, incrementServer } from "./increment.ts";

/** A client whose call is answered in the same thread, by `serve`. */
function inlineClient(
  laneCount: number,
  serve: (server: ReturnType<typeof incrementServer>) => void,
): Client {
  const channel = Channel.create({ portCount: 2, laneCount });
  const server = incrementServer(channel, "spin");
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
    new IncrementCaller(inlineClient(laneCount, (server) => server.serveOnce())).call(5);
  }
});

Deno.test("IncrementCaller.call() throws when one lane comes back with another number", () => {
  const client = inlineClient(8, (server) => {
    server.register(0x8000, (port) => {
      port.recvAndSend((packet) => {
        packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1));
        packet.setUint32(7, 0, 0);
      });
    });
    server.serveOnce();
  });
  assertThrows(() => new IncrementCaller(client).call(2), Error, "one larger");
});
