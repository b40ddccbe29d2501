import { assertEquals } from "@std/assert";
import { Client } from "../toggle/client/client.ts";
import { TestOpcode } from "../testing/conformance/services.ts";
import { TestBed } from "../testing/conformance/test_bed.ts";
import { WAITER_NAMES } from "./strategy.ts";

for (const waiter of WAITER_NAMES) {
  Deno.test(`calls get through when both sides wait by ${waiter}`, async () => {
    await using bed = await TestBed.start({ portCount: 2, laneCount: 1, waiter });
    const client = new Client(bed.channel, { waiter });
    let value = 0;
    for (let call = 0; call < 300; call++) {
      client.call(TestOpcode.increment, {
        fill: (packet) => packet.setUint32(0, 0, value),
        use: (packet) => value = packet.getUint32(0, 0),
      });
    }
    assertEquals(value, 300);
  });
}

Deno.test("L16: a server that sleeps after every call misses no ring", async () => {
  await using bed = await TestBed.start({
    portCount: 4,
    laneCount: 1,
    waiter: "park",
    serverCount: 2,
  });
  const client = new Client(bed.channel, { waiter: "park" });
  for (let call = 0; call < 2000; call++) {
    if (call % 2 === 0) client.cast(TestOpcode.increment, () => {});
    client.call(TestOpcode.increment, { fill: () => {}, use: () => {} }, { timeoutSeconds: 5 });
  }
});
