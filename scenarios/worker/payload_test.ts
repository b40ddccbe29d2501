import { assertThrows } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { callMessage, payload } from "./payload.ts";

Deno.test("payload carries less and more than a packet, in turn with a plain copy", async () => {
  await using partner = new Partner();
  for (const payloadBytes of [8, 4096] as const) {
    const point = { payloadBytes, laneCount: 1 } as const;
    await using copy = await payload.references![0]!.setup(point, partner);
    await using trial = await payload.setup(point, partner);
    for (const callCount of [1, 5]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
      copy.run(callCount);
    }
  }
});

Deno.test("callMessage() refuses bytes that came back as they went, or fewer", () => {
  const wrong = [(bytes: Uint8Array) => bytes.slice(), (bytes: Uint8Array) => bytes.slice(1)];
  for (const answer of wrong) {
    const client = { callMessage: (_opcode: number, bytes: Uint8Array) => answer(bytes) };
    assertThrows(() => callMessage(client, Uint8Array.of(1, 2), 1), Error, "one larger");
  }
});
