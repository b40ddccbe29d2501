import { assertRejects, assertThrows } from "@std/assert";
import { Partner } from "../../scenarios/partner/partner.ts";
import { type PeerValue, VALUE_KINDS } from "./peer_value.ts";
import { callAgain, peers } from "./peers.ts";

for (const peer of peers.axes.peer) {
  Deno.test({
    name: `peers makes checked calls through ${peer}`,
    // Packages keep a worker and its ports until the process ends.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      for (const value of VALUE_KINDS) {
        await using partner = new Partner();
        await using trial = await peers.setup({ peer, value, payloadBytes: 8 }, partner);
        for (const callCount of [1, 5]) await trial.run(callCount);
      }
    },
  });
}

Deno.test("callAgain() refuses an answer that is not one larger, however it comes", async () => {
  const close = () => {};
  const call = (value: PeerValue) => structuredClone(value);
  assertThrows(() => callAgain({ call, close }, new Uint8Array(2), 1), Error, "one larger");
  const later = (value: PeerValue) => Promise.resolve(structuredClone(value));
  const calls = () => Promise.resolve(callAgain({ call: later, close }, new Uint8Array(2), 1));
  await assertRejects(calls, Error, "one larger");
});
