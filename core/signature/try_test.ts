import * as s from "./mod.ts";
import { demoApi } from "./testdata/demo_api.ts";
import { Channel, Client, startServer } from "../mod.ts";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
Deno.test("try", async () => {
  for (const laneCount of [1, 4]) {
    const channel = Channel.create({ portCount: 4, laneCount });
    await using _s = await startServer(channel, {
      services: [new URL("./testdata/demo_api.ts", import.meta.url)],
    });
    const client = new Client(channel);
    const demo = s.connectApi(client, demoApi);
    assertEquals(demo.hypot(3, 4), 5);
    assertEquals(demo.mixed(-5n, true), 3n);
    assertEquals(demo.sum(new Uint8Array(new Float64Array([1, 2, 3.5]).buffer), 3), 6.5);
    const out = new Uint8Array(5);
    demo.fill(out, 9);
    assertEquals(out, new Uint8Array(5).fill(9));
    const f = demo.open("a.txt", null)!;
    assertEquals(demo.nameOf(f), "a.txt:null");
    assertEquals(demo.close(f), 0);
    console.log(String(assertThrows(() => demo.nameOf(f), Error, "ended")));
    console.log(String(assertThrows(() => demo.open("absent", "r"))), demo.open.errno);
    const p = { x: 1, at: { flag: true, count: 2 } };
    assertEquals(demo.move(p, { x: 0.5, at: { flag: false, count: 3 } }), {
      x: -1.5,
      at: { flag: false, count: 1 },
    });
    assertEquals(p, { x: 1.5, at: { flag: true, count: 5 } });
    console.log(demo.format("hi", 1, 2n, "three", true));
    assertEquals(demo.apply("double", 21), 42);
    console.log(String(assertThrows(() => demo.apply("doble", 21))));
    console.log(String(assertThrows(() => demo.hypot(3, "4" as unknown as number))));
    if (laneCount > 1) {
      console.log(
        demo.hypot.lanes([[3, 4], undefined, [5, 12]]),
        demo.format.lanes([["a"], ["b", 1]]),
        String(assertThrows(() => demo.hypot.lanes([[1, 2], [1, 2], [1, 2], [1, 2], [1, 2]]))),
      );
    }
    const other = s.connectApi(
      client,
      s.hostApi("demo", { hypot: s.fn([s.f32, s.f32], s.f32), hipot: s.fn([], s.nothing) }),
    );
    console.log(String(assertThrows(() => other.hypot(1, 2))));
    console.log(String(assertThrows(() => other.hipot())));
    console.log(await demo.hypot.async(6, 8), await demo.format.async("x", 3));
    console.log(String(await assertRejects(() => demo.fail.async("nope"))));
  }
});
