import { assertEquals, assertRejects } from "@std/assert";
import type { CallWork, Client, Packet } from "../../core/mod.ts";
import { PromisingCaller } from "./promising_caller.ts";

/** A client that answers in the next turn of the event loop, and counts what is under way. */
function laterClient(added: number) {
  const seen = { callCount: 0, underWay: 0, underWayMax: 0 };
  const callAsync = async (_opcode: number, { fill, use }: CallWork) => {
    const uint32 = new Uint32Array(1);
    fill({ uint32 } as Packet);
    seen.callCount++;
    seen.underWayMax = Math.max(seen.underWayMax, ++seen.underWay);
    await Promise.resolve();
    seen.underWay--;
    uint32[0]! += added;
    use({ uint32 } as Packet);
  };
  return { client: { callAsync } as unknown as Client, seen };
}

Deno.test("PromisingCaller.call() makes every call, as many at once as it may", async () => {
  for (const callCount of [0, 2, 10]) {
    const { client, seen } = laterClient(1);
    await new PromisingCaller(client, 3).call(callCount);
    assertEquals(seen, { callCount, underWay: 0, underWayMax: Math.min(3, callCount) });
  }
});

Deno.test("PromisingCaller.call() rejects when a number did not come back one larger", async () => {
  const { client } = laterClient(2);
  await assertRejects(() => new PromisingCaller(client, 2).call(3), Error, "one larger");
});
