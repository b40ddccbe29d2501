// deno-lint-ignore-file linear/double-move linear/unconsumed-port linear/use-after-move -- what is refused is done on purpose
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { CallError, InvariantError, Status } from "../mod.ts";
import { CallAbandonedError } from "../internal.ts";
import { type PartialPort, TypedServer } from "./mod.ts";
import { makePair, OPCODE, type Pair } from "./testdata/pair.ts";

function fail(): never {
  throw new Error("out of paper");
}

for (const checks of ["on", "off"] as const) {
  Deno.test(`TypedServer gives a handler its request, checks ${checks}`, () => {
    const { server, plainClient, plainServer } = makePair(checks);
    server.operatePort(OPCODE, (port) => {
      port.use((packet) => packet.setUint32(0, 1, packet.getUint32(0, 0) + 1));
      port.send().close();
    });
    const sent = plainClient.open(OPCODE).send((packet) => packet.setUint32(0, 0, 41));
    plainServer.runOnce();
    sent.recv((packet) => assertEquals(packet.getUint32(0, 1), 42)).close();
  });

  Deno.test(`a handler that closes at once has not answered the call, checks ${checks}`, () => {
    const { server, plainClient, plainServer } = makePair(checks);
    server.operatePort(OPCODE, (port) => port.close());
    const sent = plainClient.open(OPCODE).send(() => {});
    plainServer.runOnce();
    const error = assertThrows(() => sent.recv(() => {}), CallError);
    assertEquals(error.status, Status.noReply);
  });

  Deno.test(`work that throws in a handler reaches the client, checks ${checks}`, () => {
    const { server, plainClient, plainServer, faults } = makePair(checks);
    server.operatePort(OPCODE, (port) => port.send(fail).close());
    const sent = plainClient.open(OPCODE).send(() => {});
    plainServer.runOnce();
    const error = assertThrows(() => sent.recv(() => {}), CallError, "out of paper");
    assertEquals(error.status, Status.handlerFailed);
    assertEquals(faults.map(({ status }) => status), [Status.handlerFailed]);
    sent.close();
    plainClient.open(OPCODE).close();
  });

  Deno.test(`work that throws reaches the client, whoever catches it, checks ${checks}`, () => {
    const { server, plainClient, plainServer } = makePair(checks);
    server.operatePort(OPCODE, (port) => void assertThrows(() => port.send(fail)));
    const sent = plainClient.open(OPCODE).send(() => {});
    plainServer.runOnce();
    assertThrows(() => sent.recv(() => {}), CallError, "out of paper");
  });

  Deno.test(`TypedServer.tryOpen() serves by hand, checks ${checks}`, () => {
    const { server, plainClient } = makePair(checks);
    assertEquals(server.tryOpen().present, false);
    const sent = plainClient.open(OPCODE).send((packet) => packet.setUint32(0, 0, 1));
    const maybe = server.tryOpen();
    if (!maybe.present) throw new Error("the client has sent");
    const first = maybe.value.send((packet) => packet.setUint32(0, 0, 2));
    sent.recv((packet) => assertEquals(packet.getUint32(0, 0), 2)).close();
    first.close();
    server.assertNoneOpen();
  });

  Deno.test(`a port that is served by hand fails like a handler's, checks ${checks}`, () => {
    const { server, plainClient } = makePair(checks);
    const sent = plainClient.open(OPCODE).send(() => {});
    const maybe = server.tryOpen();
    if (!maybe.present) throw new Error("the client has sent");
    assertThrows(() => maybe.value.send(fail), Error, "out of paper");
    assertThrows(() => sent.recv(() => {}), CallError, "out of paper");
    server.assertNoneOpen();
  });

  Deno.test(`a server looks once for the client's next packet, checks ${checks}`, () => {
    const { server, plainClient } = makePair(checks);
    const sent = plainClient.open(OPCODE).send(() => {});
    const maybe = server.tryOpen();
    if (!maybe.present) throw new Error("the client has sent");
    const early = maybe.value.send().query();
    if (early.arrived) throw new Error("the client has not answered");
    sent.recv(() => {}).send((packet) => packet.setUint32(0, 0, 5));
    const late = early.value.query();
    if (!late.arrived) throw new Error("the client has answered");
    late.value.use((packet) => assertEquals(packet.getUint32(0, 0), 5));
    late.value.close();
  });

  Deno.test(`a server learns that its client left, checks ${checks}`, () => {
    const { server, plainClient } = makePair(checks);
    plainClient.open(OPCODE).send(() => {}).close();
    const maybe = server.tryOpen();
    if (!maybe.present) throw new Error("the client has sent");
    const sent = maybe.value.send();
    assertThrows(() => sent.query(), CallAbandonedError);
    server.assertNoneOpen();
    plainClient.open(OPCODE).close();
  });

  Deno.test(`a server waits for its client without blocking, checks ${checks}`, async () => {
    const { server, plainClient } = makePair(checks);
    const sent = plainClient.open(OPCODE).send(() => {});
    const maybe = server.tryOpen();
    if (!maybe.present) throw new Error("the client has sent");
    const pending = maybe.value.send().recvAsync((packet) => {
      assertEquals(packet.getUint32(0, 0), 6);
    });
    sent.recv(() => {}).send((packet) => packet.setUint32(0, 0, 6)).close();
    (await pending).close();
  });
}

for (const checks of ["on", "off"] as const) {
  Deno.test(`a handler that returns a promise is refused, checks ${checks}`, async () => {
    const { server, plainClient, plainServer } = makePair(checks);
    const handling = Promise.withResolvers<void>();
    // @ts-expect-error what it does after its first await would happen to another call
    server.operatePort(OPCODE, async (port) => {
      await handling.promise;
      port.close();
    });
    const sent = plainClient.open(OPCODE).send(() => {});
    plainServer.runOnce();
    assertThrows(() => sent.recv(() => {}), CallError, "a handler that returns");
    handling.resolve();
    await new Promise((resolve) => setTimeout(resolve)); // its close() is refused, and nobody told
  });
}

Deno.test("TypedServer.operatePort() takes functions only", () => {
  const { server } = makePair();
  assertThrows(
    () => server.operatePort(OPCODE, undefined as never),
    TypeError,
    `Cannot serve opcode ${OPCODE} as there must be a function: current value is undefined`,
  );
});

Deno.test("a TypedServer asserts that its ports were closed", () => {
  const { server, plainClient } = makePair();
  plainClient.open(OPCODE).send(() => {}).close();
  const maybe = server.tryOpen();
  const error = assertThrows(() => server[Symbol.dispose](), InvariantError);
  assertMatch(
    error.message,
    /port 0, tryOpen\(\) at \S+typed_server_test\.ts:\d+:\d+, in a Maybe: close its value/,
  );
  if (maybe.present) maybe.value.close();
});

function keepsPort(): void {}

function closesTwice(...ports: readonly PartialPort<true>[]): void {
  const names = [...ports.map((port) => port.send()), ...ports];
  names.forEach((name) => name.close());
}

/** Sends what nobody waits for to a handler, and serves it. */
function cast({ plainClient, plainServer }: Pair): void {
  plainClient.open(OPCODE).send(() => {}).close();
  plainServer.runOnce();
}

Deno.test("a TypedServer remembers what its handlers did to their ports, once a place", () => {
  const pair = makePair();
  const { server } = pair;
  server.operatePort(OPCODE, keepsPort);
  cast(pair);
  cast(pair);
  const error = assertThrows(() => server.assertNoneOpen(), InvariantError);
  assertMatch(
    error.message,
    /handlers use their ports once: the handler of operatePort\(\) at \S+typed_server_test\.ts:\d+:\d+ failed 2 times, at last with "Invariant broken: a handler has/,
  );
});

Deno.test("a misuse that the client of a cast does not look for is told", () => {
  const { plainClient, plainServer } = makePair();
  const misuses: string[] = [];
  const server = new TypedServer(plainServer, { onMisuse: ({ message }) => misuses.push(message) });
  server.operatePort(OPCODE, keepsPort);
  plainClient.cast(OPCODE, () => {});
  plainServer.runOnce();
  assertEquals(misuses.length, 1);
  assertMatch(misuses[0]!, /a handler has consumed its port when it returns/);
});

Deno.test("an error of a handler's own is no misuse of its port", () => {
  const pair = makePair();
  pair.server.operatePort(OPCODE, (port) => {
    port.send().close();
    fail();
  });
  cast(pair);
  pair.server.assertNoneOpen();
  assertEquals(pair.faults.length, 1);
});

Deno.test("a misuse after the reply is an error that nobody caught, by default", async () => {
  const pair = makePair();
  pair.server.operatePort(OPCODE, closesTwice);
  const { reportError } = globalThis;
  const messages: string[] = [];
  const listener = (event: ErrorEvent) => {
    event.preventDefault(); // or the test's process would end
    messages.push((event.error as Error).message);
  };
  globalThis.addEventListener("error", listener);
  try {
    cast(pair);
    assertEquals(messages.length, 1, "at once, as a worker that serves has no event loop");
    Reflect.deleteProperty(globalThis, "reportError"); // as in Node
    cast(pair);
    await new Promise((resolve) => setTimeout(resolve, 1));
  } finally {
    Object.assign(globalThis, { reportError });
    globalThis.removeEventListener("error", listener);
  }
  assertEquals(messages.length, 2);
  for (const message of messages) assertMatch(message, /close\(\) came after send\(\) at \S+:\d+/);
});
