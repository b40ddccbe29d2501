import { assertEquals } from "@std/assert";
import { FOUR_PHASE } from "../four_phase/four_phase.ts";
import { GWHT } from "../gwht/gwht.ts";
import { CallState, callState } from "./handshake.ts";
import type { PacketMemory } from "./packet_channel.ts";
import type { PacketProtocol } from "./packet_format.ts";

const OPCODE = 40_000;
const PROTOCOLS: Record<string, PacketProtocol<PacketMemory>> = { FOUR_PHASE, GWHT };

Deno.test("callState(): the four states of a call, in its order", () => {
  const call = [[false, false], [true, false], [true, true], [false, true]] as const;
  assertEquals(call.map(([client, server]) => callState(client, server)), Object.values(CallState));
});

for (const [name, protocol] of Object.entries(PROTOCOLS)) {
  Deno.test(`${name}: no packet is passed over, however often others call`, () => {
    const channel = protocol.create({ packetCount: 40, laneCount: 1 });
    const client = protocol.client(channel);
    const server = protocol.server(channel);
    const served: number[] = [];
    server.operate(OPCODE, ({ index }) => void served.push(index));
    const packets = Array.from({ length: 40 }, (_, index) => index);
    for (const _ of packets) client.tryCast(OPCODE, () => {});
    // The first packets are posted to again and again; the others have their turn all the same.
    for (const _ of packets) {
      server.runOnce();
      client.tryCast(OPCODE, () => {});
      client.tryCast(OPCODE, () => {});
    }
    assertEquals(served, packets);
  });
}
