import { assertEquals, assertThrows } from "@std/assert";
import { CallError, Channel, Client, type Packet, Server, Status } from "../mod.ts";
import { TypedClient, TypedServer } from "./mod.ts";
import { makePair, OPCODE } from "./testdata/pair.ts";

/** A client that serves itself while it waits: both sides in one isolate, each step in order. */
function makeSelfServed(operate: (packet: Packet) => void) {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const steps: string[] = [];
  const server = new TypedServer(new Server(channel));
  const serve = () =>
    server.rpcHandle({
      operate: (packet) => {
        steps.push("operate");
        operate(packet);
      },
      clear: (packet) => {
        steps.push("clear");
        packet.setUint32(0, 0, 0);
      },
    });
  const waiter = { wait: () => void serve(), waitAsync: () => Promise.resolve(void serve()) };
  const client = new TypedClient(new Client(channel, { waiter }));
  return { client, serve, steps };
}

function addOne(packet: Packet): void {
  packet.setUint32(0, 0, packet.getUint32(0, 0) + 1);
}

Deno.test("each callback of a synchronous call runs once, in order, for ten calls", () => {
  const { client, serve, steps } = makeSelfServed(addOne);
  for (let call = 0; call < 10; call++) {
    client.rpcInvoke({
      fill: (packet) => {
        steps.push("fill");
        packet.setUint32(0, 0, call);
      },
      use: (packet) => {
        steps.push("use");
        assertEquals(packet.getUint32(0, 0), call + 1);
      },
    });
    assertEquals(serve(), true);
    assertEquals(serve(), false);
    assertEquals(steps.splice(0), ["fill", "operate", "use", "clear"]);
  }
  client.assertNoneOpen();
});

Deno.test("each callback of an asynchronous call runs once; the next opener has it cleared", () => {
  const { client, serve, steps } = makeSelfServed(addOne);
  for (let call = 0; call < 3; call++) {
    client.rpcInvoke({
      fill: (packet) => {
        steps.push(`fill ${packet.getUint32(0, 0)}`);
        packet.setUint32(0, 0, 41);
      },
    });
    assertEquals([serve(), serve()], [true, false]);
  }
  const calls = Array(3).fill(["fill 0", "operate"]);
  assertEquals(steps, calls.flatMap((call, index) => index === 0 ? call : ["clear", ...call]));
});

Deno.test("synchronous and asynchronous calls may be mixed", () => {
  const { client, serve, steps } = makeSelfServed(addOne);
  client.rpcInvoke({ fill: () => {} });
  serve();
  client.rpcInvoke({ fill: () => {}, use: () => {} });
  serve();
  client.rpcInvoke({ fill: () => {} });
  serve();
  assertEquals(steps, ["operate", "clear", "operate", "clear", "operate"]);
});

Deno.test("an operate that throws fails the call; the channel works on", () => {
  let isBroken = true;
  const { client, serve, steps } = makeSelfServed((packet) => {
    if (isBroken) throw new RangeError("too large");
    addOne(packet);
  });
  // The waiter serves, so that the server's error comes out of the client's wait.
  assertThrows(() => client.rpcInvoke({ fill: () => {}, use: () => {} }), RangeError, "too large");
  isBroken = false;
  client.rpcInvoke({
    fill: (packet) => packet.setUint32(0, 0, 1),
    use: (packet) => {
      assertEquals(packet.getUint32(0, 0), 2);
    },
  });
  serve();
  assertEquals(steps, ["operate", "clear", "operate", "clear"]);
});

Deno.test("a fill that throws leaves the port to the next call", () => {
  const { client, steps, serve } = makeSelfServed(addOne);
  assertThrows(
    () =>
      client.rpcInvoke({
        fill: () => {
          throw new Error("no data");
        },
      }),
    Error,
    "no data",
  );
  client.rpcInvoke({ fill: () => {}, use: () => {} });
  serve();
  assertEquals(steps, ["operate", "clear"]);
});

Deno.test("rpcHandle() refuses calls that are none of its own", () => {
  const { server, plainClient } = makePair();
  const sent = plainClient.open(OPCODE).send(() => {});
  assertEquals(server.rpcHandle({ operate: () => {}, clear: () => {} }), true);
  const error = assertThrows(() => sent.recv(() => {}), CallError);
  assertEquals(error.status, Status.unhandledOpcode);
});

Deno.test("rpcInvoke() learns that a server has no rpcHandle", () => {
  const { channel, plainServer } = makePair();
  const waiter = {
    wait: () => void plainServer.runOnce(),
    waitAsync: () => Promise.resolve(),
  };
  const client = new TypedClient(new Client(channel, { waiter }));
  const error = assertThrows(() => client.rpcInvoke({ fill: () => {}, use: () => {} }), CallError);
  assertEquals(error.status, Status.unhandledOpcode);
  client.assertNoneOpen();
});
