// deno-lint-ignore-file linear/unconsumed-port -- what is refused is done on purpose
import { assertEquals, assertThrows } from "@std/assert";
import { CallError, Channel, Client, InvariantError, laneMask } from "../mod.ts";
import { TypedClient } from "./mod.ts";
import { makeIncrementPair, OPCODE } from "./testdata/pair.ts";

for (const checks of ["on", "off"] as const) {
  Deno.test(`TypedClient talks to a plain server, checks ${checks}`, () => {
    const { client, plainServer } = makeIncrementPair(checks);
    plainServer.operate(OPCODE, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) * 2));
    for (let call = 0; call < 5; call++) {
      const sent = client.open(OPCODE).send((packet) => packet.setUint32(0, 0, call));
      plainServer.runOnce();
      sent.recv((packet) => assertEquals(packet.getUint32(0, 0), call * 2)).close();
    }
  });

  Deno.test(`TypedClient.tryOpen() says no when all ports are open, checks ${checks}`, () => {
    const { client } = makeIncrementPair(checks);
    const first = client.tryOpen(OPCODE);
    assertEquals(first.present, true);
    assertEquals(client.tryOpen(OPCODE).present, false);
    if (first.present) first.value.close();
    using second = client.tryOpen(OPCODE);
    assertEquals(second.present, true);
  });

  Deno.test(`TypedClient closes after send for an asynchronous call, checks ${checks}`, () => {
    const { client, plainServer } = makeIncrementPair(checks);
    let served = 0;
    plainServer.operate(OPCODE, (packet) => served = packet.getUint32(0, 0));
    client.open(OPCODE).send((packet) => packet.setUint32(0, 0, 7)).close();
    assertEquals(client.tryOpen(OPCODE).present, false);
    plainServer.runOnce();
    assertEquals(served, 7);
    using again = client.tryOpen(OPCODE);
    assertEquals(again.present, true);
  });
}

Deno.test("TypedClient passes masks and limits on", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 8 });
  const client = new TypedClient(new Client(channel));
  using port = client.open(OPCODE, { mask: laneMask(3, 5) });
  port.use((packet) => assertEquals([packet.firstLane, packet.nextLane(3)], [3, 5]));
  assertThrows(() => client.open(OPCODE, { timeoutSeconds: 0 }), DOMException);
  assertThrows(() => client.open(-1), RangeError, "current value is -1");
});

Deno.test("TypedClient learns of a server that is gone", () => {
  const { client, channel } = makeIncrementPair();
  const sent = client.open(OPCODE).send();
  channel.stop();
  assertThrows(() => sent.recv(), CallError);
  client.assertNoneOpen();
});

Deno.test("using a TypedClient asserts that its ports were closed", () => {
  const { plainClient } = makeIncrementPair();
  assertThrows(
    () => {
      using client = new TypedClient(plainClient);
      const kept = [client.open(OPCODE)];
      assertEquals(kept.length, 1);
    },
    InvariantError,
    "every port was closed",
  );
});
