import { assertEquals } from "@std/assert";
import { Channel } from "../toggle/channel.ts";
import { hasErrorText, readErrorText, writeErrorText } from "./error_text.ts";
import { Packet } from "../memory/packet.ts";
import { PacketViews } from "../memory/packet_views.ts";
import { Status } from "../memory/status.ts";

function packetOf(laneCount: number): Packet {
  const { words, layout } = Channel.create({ portCount: 2, laneCount });
  const packet = new Packet(new PacketViews(words.plain, layout));
  packet.aim(1, 1, 0);
  return packet;
}

Deno.test("a fault message comes back as it was written, or cut at a whole character", () => {
  const cases = [["", ""], ["short", "short"], ["x".repeat(61), "x".repeat(60)], [
    "€".repeat(40),
    "€".repeat(20),
  ]] as const;
  for (const [message, expected] of cases) {
    const packet = packetOf(1);
    writeErrorText(packet, message);
    assertEquals(readErrorText(packet), expected);
  }
});

Deno.test("a text that goes on in another packet is read up to its last whole character", () => {
  const packet = packetOf(1);
  const bytes = new TextEncoder().encode("x" + "😀".repeat(20));
  packet.uint8.set(bytes.subarray(0, 60), 4);
  packet.setUint32(0, 0, 60);
  assertEquals(readErrorText(packet), "x" + "😀".repeat(14));
});

Deno.test("a length that lies is cut to the packet, and other statuses carry no message", () => {
  const packet = packetOf(2);
  writeErrorText(packet, "y".repeat(200));
  packet.setUint32(0, 0, 0xffffffff);
  assertEquals(readErrorText(packet), "y".repeat(124));
  assertEquals(hasErrorText(Status.lengthRefused), true);
  assertEquals(hasErrorText(Status.unhandledOpcode), false);
});
