import { assertEquals, assertStrictEquals } from "@std/assert";
import { channelLayout } from "../toggle/layout.ts";
import { PacketViews } from "./packet_views.ts";

Deno.test("PacketViews: the views of a port cover its packet and nothing else, and are kept", () => {
  const layout = channelLayout({ portCount: 3, laneCount: 2 });
  const memory = new Int32Array(layout.totalBytes / 4);
  const views = new PacketViews(memory, layout);
  for (const index of [0, 2]) {
    const byte = (layout.packetsWord + index * layout.packetWords) * 4;
    const all = [views.uint32(index), views.float64(index), views.uint8(index)];
    assertEquals(all.map((view) => [view.byteOffset, view.byteLength]), [
      [byte, 128],
      [byte, 128],
      [byte, 128],
    ]);
    assertStrictEquals(views.uint32(index), all[0]);
  }
});
