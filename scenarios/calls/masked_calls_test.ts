import { assertEquals, assertThrows } from "@std/assert";
import {
  type CallOptions,
  type CallWork,
  Channel,
  Client,
  laneMask,
  Server,
} from "../../core/mod.ts";
import { INCREMENT_OPCODE } from "./increment.ts";
import { incrementTaking, MaskedCaller } from "./masked_calls.ts";

/** A client whose call is answered in the same thread, with the mask that it is made with. */
function inlineClient(work: Parameters<Server["operate"]>[1]) {
  const channel = Channel.create({ portCount: 1, laneCount: 8, packetLayout: "word-major" });
  const server = new Server(channel);
  const client = new Client(channel);
  const seen: number[][] = [];
  server.operate(INCREMENT_OPCODE, (packet) => {
    const lanes: number[] = [];
    packet.forEachLane((lane) => lanes.push(lane));
    seen.push(lanes);
    return work(packet);
  });
  const call = (opcode: number, { fill, use }: CallWork, options: CallOptions) => {
    const sent = client.open(opcode, options).send(fill);
    server.runOnce();
    sent.recv(use).close();
  };
  return { client: { call } as Pick<Client, "call">, seen };
}

Deno.test("MaskedCaller.call() is made by the lanes of the mask, and checks each of them", () => {
  const { client, seen } = inlineClient(incrementTaking);
  new MaskedCaller(client, laneMask(1, 6)).call(2);
  assertEquals(seen, [[1, 6], [1, 6]]);
  const wrong = inlineClient((packet) => {
    incrementTaking(packet);
    packet.setUint32(6, 0, 0);
  });
  assertThrows(() => new MaskedCaller(wrong.client, laneMask(1, 6)).call(2), Error, "one larger");
});

Deno.test("incrementTaking() leaves lanes alone that take no part", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 4 });
  const server = new Server(channel);
  const answers: number[][] = [];
  server.operate(INCREMENT_OPCODE, (packet) => {
    packet.uint32.fill(0);
    incrementTaking(packet);
    answers.push([0, 1, 2, 3].map((lane) => packet.uint32[lane * packet.laneStride]!));
  });
  for (const mask of [laneMask(0, 3), laneMask(0, 1, 2, 3)]) {
    const sent = new Client(channel).open(INCREMENT_OPCODE, { mask }).send(() => {});
    server.runOnce();
    sent.recv(() => {}).close();
  }
  assertEquals(answers, [[1, 0, 0, 1], [1, 1, 1, 1]]);
});
