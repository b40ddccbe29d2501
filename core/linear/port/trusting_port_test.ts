// deno-lint-ignore-file linear/double-move linear/unconsumed-port linear/use-after-move -- what is refused is done on purpose
import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "../../mod.ts";
import { makeIncrementPair, makePair, OPCODE } from "../testdata/pair.ts";

Deno.test("TrustingPort is one object through all states", () => {
  const { client, plainServer } = makeIncrementPair("off");
  const opened = client.open(OPCODE);
  const sent = opened.send();
  plainServer.runOnce();
  const back = sent.recv();
  const objects: readonly unknown[] = [opened, sent, back];
  assertEquals(new Set(objects).size, 1);
  back.close();
});

Deno.test("TrustingPort stays closed when its port is opened again", () => {
  const { client, plainClient, plainServer } = makeIncrementPair("off");
  const first = client.open(OPCODE);
  first.close();
  const second = client.open(OPCODE);
  assertThrows(() => first.close(), InvariantError, "the port is open");
  assertThrows(() => first.use(() => {}), InvariantError, "the port is open");
  assertEquals([first.index, plainClient.tryOpen(OPCODE)], [0, undefined]);
  const sent = second.send((packet) => packet.setUint32(0, 0, 41));
  plainServer.runOnce();
  sent.recv((packet) => assertEquals(packet.getUint32(0, 0), 42)).close();
});

Deno.test("TrustingPort uses port objects of the core again, one at a time", () => {
  const { client, plainServer } = makeIncrementPair("off", 2);
  for (let call = 0; call < 3; call++) {
    const outer = client.open(OPCODE);
    const inner = client.open(OPCODE);
    assertEquals(outer.index === inner.index, false);
    const sent = [outer.send(), inner.send()];
    while (plainServer.runOnce());
    for (const one of sent) one.recv().close();
  }
});

Deno.test("TrustingPort remembers for using what its name was", () => {
  const { client, plainClient } = makeIncrementPair("off");
  const isFree = () => {
    const port = plainClient.tryOpen(OPCODE);
    port?.close();
    return port !== undefined;
  };
  {
    using port = client.open(OPCODE);
    port.close();
    assertEquals(isFree(), true);
  }
  const stack = new DisposableStack();
  const port = stack.use(client.open(OPCODE));
  assertEquals([port.index, isFree()], [0, false]);
  stack.dispose();
  assertEquals(isFree(), true);
});

Deno.test("TrustingPort leaves a closed port alone when it is disposed of", () => {
  const { client } = makePair("off");
  const port = client.open(OPCODE);
  port.close();
  port[Symbol.dispose]();
  const maybe = client.tryOpen(OPCODE);
  maybe[Symbol.dispose]();
  const other = client.open(OPCODE);
  maybe[Symbol.dispose]();
  port[Symbol.dispose]();
  other.close();
});
