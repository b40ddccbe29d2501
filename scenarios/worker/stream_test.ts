import { assertThrows } from "@std/assert";
import { oneThread } from "../../core/testing/fixtures/one_thread.ts";
import { Partner } from "../partner/partner.ts";
import { sendStreams, stream } from "./stream.ts";

Deno.test("stream sends checked bytes in each way, in turn with a plain copy", async () => {
  await using partner = new Partner();
  for (const window of [1, 2] as const) {
    const point = { laneCount: 8, window } as const;
    await using copy = await stream.floor!.setup(point, partner);
    await using plain = await stream.references![0]!.setup(point, partner);
    await using trial = await stream.setup(point, partner);
    for (const callCount of [1, 3]) {
      copy.run(callCount);
      for (const one of [plain, trial]) {
        one.wake!();
        one.run(callCount);
        one.rest!();
      }
    }
  }
});

Deno.test("sendStreams() refuses a last byte that is another", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  server.operatePort(32_768, (port) => port.use((packet) => packet.setUint32(0, 0, 7)));
  const send = () => sendStreams(client, [new Uint8Array(8)], { callCount: 1, window: 1 });
  assertThrows(send, Error, "another last byte");
});
