import { assert, assertEquals, assertThrows } from "@std/assert";
import { InvariantError, type Packet } from "../../mod.ts";
import { Packet as PacketClass } from "../../memory/packet.ts";
import { makePair, OPCODE } from "../testdata/pair.ts";

Deno.test("a lent packet does inside its callback what the packet does", () => {
  const { client } = makePair("on");
  const port = client.open(OPCODE);
  port.use((packet) => {
    packet.setUint32(0, 1, 7);
    packet.uint32[2] = 8;
    packet.laneBytes(0)[12] = 9;
    assertEquals([packet.laneCount, packet.isFull, packet.firstLane], [1, true, 0]);
    assertEquals([1, 2, 3].map((word) => packet.getUint32(0, word)), [7, 8, 9]);
    assert(packet instanceof PacketClass);
  });
  port.close();
});

Deno.test("a lent packet refuses reads, writes and methods that were kept", () => {
  const { client } = makePair("on");
  const port = client.open(OPCODE);
  let kept: Packet | undefined;
  let write: Packet["setUint32"] | undefined;
  port.use((packet) => {
    // deno-lint-ignore linear/use-after-move -- what is kept is refused
    kept = packet;
    write = packet.setUint32;
    packet.setUint32(0, 0, 1);
  });
  assertThrows(() => kept!.getUint32(0, 0), InvariantError, "inside the callback");
  assertThrows(() => kept!.uint32, InvariantError, "inside the callback");
  assertThrows(() => write!(0, 0, 2), InvariantError, "inside the callback");
  port.use((packet) => assertEquals(packet.getUint32(0, 0), 1));
  port.close();
});

Deno.test("a callback may return its packet, which nobody looks at afterwards", () => {
  const { client } = makePair("on");
  const write = (packet: Packet) => {
    packet.setUint32(0, 0, 41);
    return packet;
  };
  const port = client.open(OPCODE);
  port.use(write);
  port.send(write).close();
});

Deno.test("a packet is taken back from a callback that throws, too", () => {
  const { client } = makePair("on");
  const port = client.open(OPCODE);
  let kept: Packet | undefined;
  assertThrows(
    () =>
      port.use((packet) => {
        // deno-lint-ignore linear/use-after-move -- what is kept is refused
        kept = packet;
        throw new Error("no data");
      }),
    Error,
    "no data",
  );
  assertThrows(() => kept!.setUint32(0, 0, 1), InvariantError);
  port.close();
});
