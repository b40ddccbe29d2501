import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { claimPorts, releasePorts } from "./claim_ports.ts";

Deno.test("claimPorts() leaves no port for another client", () => {
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const client = new Client(channel);
  claimPorts(channel, 99);
  assertEquals(client.tryOpen(40_000), undefined);
  releasePorts(channel, 99);
  client.tryOpen(40_000)!.close();
});

Deno.test("claimPorts() takes nothing when a client holds a port", () => {
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const client = new Client(channel);
  const port = client.tryOpen(40_000)!;
  assertThrows(() => claimPorts(channel, 99), TypeError, `client ${client.id} holds its port`);
  port.close();
  claimPorts(channel, 99);
});
