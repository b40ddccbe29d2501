import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { startServer } from "../../worker/start_server.ts";
import { connectObject } from "./connect_object.ts";
import type { counter } from "../testdata/counter.ts";

Deno.test("connectObject() calls a worker's object synchronously, by several clients", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 4 });
  const services = [new URL("../testdata/counter.ts", import.meta.url)];
  await using _server = await startServer(channel, { services });
  const first = connectObject<typeof counter>(new Client(channel), "counter");
  const second = connectObject<typeof counter>(new Client(channel), "counter");
  assertEquals([first.add(2), second.add(3)], [2, 5]);
  assertThrows(() => first.add("x" as never), CallError, "a number");
  // @ts-expect-error the object has no such method
  assertThrows(() => first.subtract(1), CallError, "there are add");
  // @ts-expect-error it takes a number
  assertThrows(() => first.add("1"), CallError);
});

Deno.test("an object of the other side may be awaited, and looks like nothing else", async () => {
  const client = new Client(Channel.create({ portCount: 1, laneCount: 1 }));
  const remote = connectObject<typeof counter>(client, "counter");
  assertEquals((await remote) === remote, true);
  assertEquals(remote.add === remote.add, true);
  assertThrows(() => Object.assign(remote, { add: 1 }), TypeError);
});
