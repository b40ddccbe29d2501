/** The suite's programs in workers, on channels that together have each value of each axis. */
import { assertEquals } from "@std/assert";
import { evictClient } from "../../toggle/evict.ts";
import {
  type ChannelDesign,
  DEFAULT_DESIGN,
  DESIGN_AXES,
} from "../../toggle/design/channel_design.ts";
import { designName } from "../model/design_settings.ts";
import { TestBed } from "./test_bed.ts";

const DESIGNS: readonly Partial<ChannelDesign>[] = [
  {
    portLock: "fetch-or",
    mailboxUpdate: "exchange",
    discovery: "scan",
    start: "first",
    mailboxRead: "outbox",
  },
  { portLock: "cas", mailboxWidth: "padded", mailboxUpdate: "fetch-add", start: "hashed" },
  { mailboxWidth: "beside" },
  { mailboxWidth: "beside", portLock: "held", mailboxUpdate: "exchange", discovery: "scan" },
  {
    portLock: "fetch-add",
    mailboxWidth: "bit",
    mailboxUpdate: "fetch-xor",
    discovery: "bitmap",
    start: "rotating",
  },
  { portLock: "exchange", mailboxWidth: "bit", mailboxUpdate: "cas", discovery: "bitmap" },
  { portLock: "held", mailboxWidth: "bit", mailboxUpdate: "fetch-add", discovery: "scan" },
];

Deno.test("designs: together they have each value of each axis", () => {
  for (const [axis, values] of Object.entries(DESIGN_AXES)) {
    const chosen = [DEFAULT_DESIGN, ...DESIGNS].map((one) => one[axis as keyof ChannelDesign]);
    assertEquals(values.filter((value) => !chosen.includes(value)), []);
  }
});

for (const design of DESIGNS) {
  Deno.test(`designs: more clients than ports and two servers, ${designName(design)}`, async () => {
    await using bed = await TestBed.start({
      portCount: 2,
      laneCount: 4,
      serverCount: 2,
      ...design,
    });
    assertEquals(await bed.run("laneIds", 3), [14, 13, 13]);
    assertEquals(await bed.run("walkInterface", 1), [6]);
  });

  Deno.test(`designs: many ports, pages and a client that leaves, ${designName(design)}`, async () => {
    await using bed = await TestBed.start({
      portCount: 70,
      laneCount: 4,
      serverCount: 2,
      ...design,
    });
    const leaving = await bed.startClient("checkUntilGone");
    assertEquals(await bed.run("stressPages", 2), [8192, 8192]);
    const report = await evictClient(bed.channel, leaving.clientId, { timeoutSeconds: 20 });
    assertEquals(report, { hasLeft: true, heldPortCount: 0 });
    await leaving.done;
  });
}
