import { assertRejects, assertThrows } from "@std/assert";
import { Partner } from "../../scenarios/partner/partner.ts";
import { incrementBytes } from "./increment_bytes.ts";
import { callAgain, peers } from "./peers.ts";

for (const peer of peers.axes.peer) {
  Deno.test({
    name: `peers makes checked calls through ${peer}`,
    // Packages keep a worker and its ports until the process ends.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using partner = new Partner();
      await using trial = await peers.setup({ peer, payloadBytes: 8 }, partner);
      for (const callCount of [1, 5]) {
        trial.wake?.();
        await trial.run(callCount);
        trial.rest?.();
      }
    },
  });
}

Deno.test("callAgain() refuses an answer that is not one larger, or not as long, however it comes", async () => {
  const wrong = [
    (bytes: Uint8Array) => bytes.slice(),
    (bytes: Uint8Array) => incrementBytes(bytes.slice(1)),
  ];
  for (const call of wrong) {
    const close = () => {};
    assertThrows(() => callAgain({ call, close }, new Uint8Array(2), 1), Error, "one larger");
    const later = (bytes: Uint8Array) => Promise.resolve(call(bytes));
    await assertRejects(
      () => Promise.resolve(callAgain({ call: later, close }, new Uint8Array(2), 1)),
      Error,
      "one larger",
    );
  }
});
