import { assert, assertEquals, assertThrows } from "@std/assert";
import { BY_WORDS } from "../../testing/model/design_settings.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { evictServer } from "../evict.ts";
import { Server, type ServerOptions } from "./server.ts";

const OPCODE = 40_000;
const OTHER = 40_001;

/** Two calls that were sent, and how many of them have come back. */
function scene(opcodes: readonly number[], options: ServerOptions = {}) {
  const portCount = Math.max(3, opcodes.length);
  const channel = Channel.create({ portCount, laneCount: 1, ...BY_WORDS });
  const server = new Server(channel, options);
  const client = new Client(channel, { waiter: "spin" });
  const ports = opcodes.map((opcode) => client.open(opcode).send(() => {}));
  const backCount = () => ports.filter((port) => port.query()).length;
  return { channel, server, backCount };
}

Deno.test("a server that is alone answers the calls of a word together", () => {
  const { channel, server, backCount } = scene([OPCODE, OPCODE, OPCODE]);
  const seen: number[] = [];
  server.operate(OPCODE, () => {
    if (seen.push(backCount()) === 3) channel.raiseAttention();
  });
  assert(server.run());
  assertEquals([seen, backCount()], [[0, 0, 0], 3]);
});

Deno.test("servers that are several answer one call after the other, as others could serve the next", () => {
  const { channel, server, backCount } = scene([OPCODE, OPCODE, OPCODE]);
  channel.enterServing();
  const seen: number[] = [];
  server.operate(OPCODE, () => {
    if (seen.push(backCount()) === 3) channel.raiseAttention();
  });
  assert(server.run());
  assertEquals([seen, backCount()], [[0, 1, 2], 3]);
});

Deno.test("a server answers what it has served before it does what may wait for a client", () => {
  for (const way of ["handler", "long error"] as const) {
    const seen: number[] = [];
    const note = () => {
      seen.push(backCount());
      channel.raiseAttention();
    };
    const wait = () => (note(), JSON.parse("no"));
    const portWaiter = { wait, waitAsync: () => Promise.reject() };
    const { channel, server, backCount } = scene([OPCODE, OTHER], { portWaiter });
    server.operate(OPCODE, () => {});
    if (way === "handler") server.operatePort(OTHER, note);
    else {
      server.operate(OTHER, () => {
        throw new Error("longer than a packet".repeat(10));
      });
    }
    try {
      server.run();
    } catch (error) {
      assert(error instanceof SyntaxError, "what the waiter threw");
    }
    // The first answer, and the first packet of the error.
    assertEquals(seen, [way === "handler" ? 1 : 2]);
  }
});

Deno.test("a handler that serves by hand finds what its server has claimed, which is answered at once", () => {
  for (const by of ["runOnce", "runAll"] as const) {
    const { channel, server, backCount } = scene([OTHER, OPCODE, OPCODE]);
    let seen = -1;
    server.operate(OPCODE, () => {});
    server.operate(OTHER, () => {
      server[by]();
      seen = backCount();
      channel.raiseAttention();
    });
    assert(server.run());
    assertEquals([seen, backCount()], [by === "runOnce" ? 1 : 2, 3]);
  }
});

Deno.test("a server serves no port behind the last, whose bits clients may write", () => {
  const { channel, server, backCount } = scene([OPCODE]);
  const { words, layout } = channel;
  words.or(layout.clientOutboxWord, -1 << 3);
  const served: number[] = [];
  server.operate(OPCODE, (packet) => {
    served.push(packet.index);
    channel.raiseAttention();
  });
  assert(server.run());
  assertEquals([served, backCount()], [[0], 1]);
  assertEquals(words.load(layout.serverOutboxWord) >>> 3, 0);
});

/** How many calls another server finds, which are those that nobody holds. */
function restOf(channel: Channel): number {
  const other = new Server(channel);
  other.operate(OPCODE, () => {});
  return other.runAll();
}

Deno.test("a server that has to leave returns what it has claimed and not served", async () => {
  const { channel, server, backCount } = scene([OPCODE, OPCODE, OPCODE]);
  let leaving: Promise<unknown> | undefined;
  server.operate(OPCODE, () => void (leaving ??= evictServer(channel, server.id)));
  assertEquals([server.run(), backCount(), restOf(channel)], [false, 1, 2]);
  assertEquals(await leaving, { hasLeft: true, heldPortCount: 0 });
});

Deno.test("a server that is joined by another returns what it has claimed and not served", () => {
  const { channel, server, backCount } = scene([OPCODE, OPCODE, OPCODE]);
  const seen: number[] = [];
  server.operate(OPCODE, () => {
    seen.push(backCount());
    if (seen.length === 1) channel.enterServing();
    if (seen.length === 3) channel.raiseAttention();
  });
  assert(server.run());
  assertEquals([seen, backCount()], [[0, 1, 2], 3]);
});

Deno.test("a server whose waiter throws returns what it has claimed and not served", () => {
  const wait = () => JSON.parse("no");
  const portWaiter = { wait, waitAsync: () => Promise.reject() };
  const { channel, server, backCount } = scene([OPCODE, OTHER, OPCODE], { portWaiter });
  server.operate(OPCODE, () => {});
  server.operate(OTHER, () => {
    throw new Error("longer than a packet".repeat(10));
  });
  assertThrows(() => server.run(), SyntaxError);
  assertEquals([backCount(), restOf(channel), backCount()], [2, 1, 3]);
});

Deno.test("a server on an event loop answers and lets it have its turn between the calls of a word", async () => {
  const { channel, server, backCount } = scene(Array(96).fill(OPCODE));
  let servedCount = 0;
  server.operate(OPCODE, () => {
    for (const end = performance.now() + 0.3; performance.now() < end;);
    servedCount++;
  });
  let seen: number[] = [];
  setTimeout(() => {
    seen = [servedCount, backCount()];
    channel.raiseAttention();
  });
  assert(await server.runAsyncOnce());
  assert(servedCount > 0 && servedCount < 96, `it was stopped after ${servedCount} calls`);
  assertEquals([seen, restOf(channel)], [[servedCount, servedCount], 96 - servedCount]);
});

Deno.test("a handler that opens ports by hand finds what its server has claimed", () => {
  const { channel, server, backCount } = scene([OTHER, OPCODE, OPCODE]);
  let found: number | undefined;
  server.operate(OTHER, () => {
    const port = server.tryOpen();
    port?.recv(() => {}).send(() => {}).close();
    found = port?.index;
  });
  server.operate(OPCODE, () => channel.raiseAttention());
  assert(server.run());
  assertEquals([found, backCount()], [1, 3]);
});
