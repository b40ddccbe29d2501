import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../mod.ts";
import { makeIncrementPair, makePair, OPCODE } from "./testdata/pair.ts";

Deno.test("TrustingPort is one object through all states", () => {
  const { client, plainServer } = makeIncrementPair("off");
  const opened = client.open(OPCODE);
  const sent = opened.send();
  plainServer.serveOnce();
  const back = sent.recv();
  const objects: readonly unknown[] = [opened, sent, back];
  assertEquals(new Set(objects).size, 1);
  back.close();
});

Deno.test("TrustingPort.query() hands the port on, arrived or not", () => {
  const { client, plainServer } = makeIncrementPair("off");
  const early = client.open(OPCODE).send((packet) => packet.setUint32(0, 0, 41)).query();
  assertEquals(early.arrived, false);
  plainServer.serveOnce();
  const late = early.arrived ? undefined : early.value.query();
  if (!late?.arrived) throw new Error("the server has sent");
  late.value.use((packet) => assertEquals(packet.getUint32(0, 0), 42));
  late.value.close();
});

Deno.test("TrustingPort operations that throw have closed the port", async () => {
  const { client, plainServer, plainClient } = makePair("off");
  const refused = client.open(OPCODE).send();
  plainServer.serveOnce();
  assertThrows(() => refused.recv(), CallError);
  plainClient.open(OPCODE).close();

  assertThrows(
    () =>
      client.open(OPCODE).send(() => {
        throw new Error("no data");
      }),
    Error,
    "no data",
  );
  plainClient.open(OPCODE).close();

  const late = client.open(OPCODE).send();
  await assertRejects(() => late.recvAsync(undefined, { timeoutSeconds: 0 }), DOMException);
  plainServer.serveOnce();
  plainClient.open(OPCODE).close();
});

Deno.test("TrustingPort.query() throws what the server says", () => {
  const { client, plainServer, plainClient } = makePair("off");
  const sent = client.open(OPCODE).send();
  plainServer.serveOnce();
  assertThrows(() => sent.query(), CallError);
  plainClient.open(OPCODE).close();
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
