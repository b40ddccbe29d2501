import { assertEquals, assertThrows } from "@std/assert";
import { Channel, Client, type Packet } from "../../core/mod.ts";
import { Partner } from "../partner/partner.ts";
import { assignIncrementServer } from "./increment_server.ts";
import { PipelinedCaller } from "./pipelined_caller.ts";

Deno.test("PipelinedCaller.call() makes each call, more or fewer than may be in flight", async () => {
  await using partner = new Partner();
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const work = await assignIncrementServer(partner, { channel, waiter: "adaptive" });
  const caller = new PipelinedCaller(new Client(channel), 3);
  work.wake();
  for (const callCount of [1, 3, 100, 0, 2]) caller.call(callCount);
  work.rest();
});

/** A client that writes down what is asked of its ports, and answers by adding. */
function tracingClient(added: number): { readonly client: Client; readonly steps: string[] } {
  const steps: string[] = [];
  const portOf = (name: number) => {
    const uint32 = new Uint32Array(1);
    const port = {
      name,
      send(fill: (packet: Packet) => void) {
        fill({ uint32 } as Packet);
        steps.push(`send ${name}`);
        return port;
      },
      recv(use: (packet: Packet) => void) {
        uint32[0]! += added;
        use({ uint32 } as Packet);
        steps.push(`recv ${name}`);
        return port;
      },
      close() {},
    };
    return port;
  };
  let portCount = 0;
  const client = { open: () => portOf(portCount++), reopen: (port: unknown) => port };
  return { client: client as unknown as Client, steps };
}

Deno.test("PipelinedCaller.call() sends all that may be in flight before it receives the oldest", () => {
  const { client, steps } = tracingClient(1);
  new PipelinedCaller(client, 2).call(3);
  assertEquals(steps, ["send 0", "send 1", "recv 0", "send 0", "recv 1", "recv 0"]);
});

Deno.test("PipelinedCaller.call() throws when a number did not come back one larger", () => {
  const { client } = tracingClient(2);
  assertThrows(() => new PipelinedCaller(client, 2).call(3), Error, "one larger");
});
