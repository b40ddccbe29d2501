import { assertEquals, assertNotEquals } from "@std/assert";
import { NO_LINK, TaggedLinks } from "./tagged_link.ts";

Deno.test("TaggedLinks: a link gives its packet back, whatever its tag", () => {
  for (const packetCount of [1, 2, 3, 64, 16384]) {
    const links = new TaggedLinks(packetCount);
    for (const index of [0, packetCount >> 1, packetCount - 1]) {
      for (const tag of [0, 1, 77, 2 ** links.tagBits - 1, 2 ** 31]) {
        assertEquals(links.indexOf(links.link(index, tag)), index);
      }
    }
  }
});

Deno.test("TaggedLinks: links to a packet differ until its tag has gone round", () => {
  for (const packetCount of [1, 5, 16384]) {
    const links = new TaggedLinks(packetCount);
    assertNotEquals(links.link(0, 0), links.link(0, 2 ** (links.tagBits - 1)));
    assertEquals(links.link(0, 0), links.link(0, 2 ** links.tagBits % 2 ** 32));
    assertEquals(links.tagBits >= 17, true);
  }
});

Deno.test("TaggedLinks: what is no link names no packet", () => {
  const links = new TaggedLinks(5);
  assertEquals(links.indexOf(NO_LINK), undefined);
  assertEquals(links.indexOf(6), undefined);
  assertEquals(links.indexOf(1 << 20), undefined, "a tag without a packet");
});
