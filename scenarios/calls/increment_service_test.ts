import { assertEquals } from "@std/assert";
import { Channel, Client, Server } from "../../core/mod.ts";
import { INCREMENT_OPCODE } from "./increment.ts";
import { register } from "./increment_service.ts";

Deno.test("register() lets any server answer the call of the scenarios", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 2 });
  const server = new Server(channel);
  register(server);
  const sent = new Client(channel).open(INCREMENT_OPCODE).send((packet) => {
    packet.forEachLane((lane) => packet.setUint32(lane, 0, 10 * lane));
  });
  server.serveOnce();
  const answers: number[] = [];
  sent.recv((packet) => packet.forEachLane((lane) => answers.push(packet.getUint32(lane, 0))))
    .close();
  assertEquals(answers, [1, 11]);
});
