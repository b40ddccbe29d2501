// deno-lint-ignore-file linear/double-move linear/unconsumed-port linear/use-after-move -- what is refused is done on purpose
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ConsumedError, move } from "../mod.ts";
import { makeIncrementPair, makePair, OPCODE } from "../testdata/pair.ts";

Deno.test("CheckedPort makes a new object for each state", () => {
  const { client, plainServer } = makeIncrementPair();
  const opened = client.open(OPCODE);
  const sent = opened.send();
  assertEquals<unknown>(opened === (sent as unknown), false);
  plainServer.runOnce();
  sent.recv().close();
});

Deno.test("CheckedPort says which line consumed it, with the whole stack as cause", () => {
  const { client } = makeIncrementPair();
  const port = client.open(OPCODE);
  const expected = new Error().stack!.split("\n")[1]!; // two lines above the close
  port.close();
  const error = assertThrows(() => port.use(() => {}), ConsumedError);
  const line = Number(/:(\d+):\d+\)?$/.exec(expected)![1]) + 1;
  assertMatch(error.message, new RegExp(`close\\(\\) at \\S*checked_port_test\\.ts:${line}:\\d+$`));
  assertMatch((error.cause as Error).stack!, /checked_port_test\.ts/);
});

Deno.test("CheckedPort under a new name", () => {
  const { client } = makePair();
  const port = client.open(OPCODE);
  const other = move(port);
  assertThrows(() => port.close(), ConsumedError, "close() came after move()");
  other.close();
});

Deno.test("CheckedPort says which block of a using closed it, and how to hand it out", () => {
  const { client } = makeIncrementPair();
  const escape = () => {
    using port = client.open(OPCODE);
    return port;
  };
  const held = escape();
  const line = Number(/(\d+):\d+\)?$/.exec(new Error().stack!.split("\n")[1]!)![1]);
  const error = assertThrows(() => held.close(), ConsumedError);
  const place = /the end of its 'using' block at \S*checked_port_test\.ts:(\d+):\d+, which a port/;
  const blamed = Number(place.exec(error.message)?.[1]);
  assertEquals([line - blamed >= 2, line - blamed <= 4], [true, true], error.message);
  assertMatch(error.message, /outlives by move\(port\)$/);
  client.assertNoneOpen();
});

Deno.test("a port that the using of its Maybe closed names the block, too", () => {
  const { client } = makeIncrementPair();
  const escape = () => {
    using maybe = client.tryOpen(OPCODE);
    if (!maybe.present) throw new Error("a port is free");
    return maybe.value;
  };
  const held = escape();
  const error = assertThrows(() => held.close(), ConsumedError);
  assertMatch(error.message, /'using' block at \S*checked_port_test\.ts:\d+:\d+/);
});

Deno.test("a port that a DisposableStack closed names the line that disposed of it", () => {
  const { client } = makeIncrementPair();
  const stack = new DisposableStack();
  const port = stack.use(client.open(OPCODE));
  stack.dispose();
  const error = assertThrows(() => port.close(), ConsumedError);
  assertMatch(error.message, /'using' block at \S*checked_port_test\.ts:\d+:\d+/);
});
