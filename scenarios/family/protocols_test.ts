import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../core/mod.ts";
import { COMMAND_RING, RingClient, RingServer } from "../../core/command_ring/mod.ts";
import { FAMILY, type FamilyProtocol, RingCaller, serveRingIncrement } from "./protocols.ts";

Deno.test("FAMILY has every folder of core that is a protocol", () => {
  const core = new URL("../../core/", import.meta.url);
  const protocols = [...Deno.readDirSync(core)].map(({ name }) => name).filter((name) =>
    isFile(new URL(`${name}/PROTOCOL.md`, core))
  );
  assertEquals(Object.keys(FAMILY).toSorted(), protocols.toSorted());
});

for (const [name, protocol] of Object.entries<FamilyProtocol>(FAMILY)) {
  Deno.test(`${name} has nothing to serve before a call, and no call after the end`, () => {
    const shape = { portCount: 2, laneCount: 1 };
    const channel = protocol.create(shape);
    const attached = protocol.attach(channel.handle as never, shape);
    assertEquals(attached.server().runOnce(), false);
    attached.stop();
    assertThrows(() => channel.caller().call(1), CallError);
  });
}

Deno.test("RingCaller.call() counts on, and throws when another number comes back", () => {
  const asked: number[] = [];
  const answers = [1n, 2n, 7n];
  const client = {
    call(_name: string, bytes: Uint8Array) {
      asked.push(bytes[0]!);
      return answers.shift()!;
    },
  };
  const caller = new RingCaller(client as unknown as RingClient);
  caller.call(2);
  assertThrows(() => caller.call(1), Error, "one larger");
  assertEquals(asked, [0, 1, 2]);
});

Deno.test("serveRingIncrement() answers what RingCaller asks", () => {
  const channel = COMMAND_RING.create({ slotCount: 1, cellCount: 1 });
  const server = serveRingIncrement(new RingServer(channel));
  const client = new RingClient(channel);
  const sent = client.trySubmit("increment", Uint8Array.of(255, 1, 0, 0));
  server.runOnce();
  assertEquals(sent.kind === "sent" && sent.call.finish(client.resultOf), 512n);
});

function isFile(url: URL): boolean {
  try {
    return Deno.statSync(url).isFile;
  } catch {
    return false;
  }
}
