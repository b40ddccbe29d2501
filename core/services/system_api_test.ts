import { assert, assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import { Server } from "../toggle/server/server.ts";
import { ApiServer, connectApi } from "../signature/mod.ts";
import { serveSystem, systemApi, webSystem } from "./system_api.ts";

Deno.test("systemApi asks its host, shows only what it may, and bounds a sleep", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  const slept: number[] = [];
  serveSystem(new ApiServer(server), {
    env: ["SEEN", "ABSENT"],
    host: {
      timeSeconds: () => 1e9,
      clockSeconds: () => 0.5,
      sleep: (seconds) => void slept.push(seconds),
      env: (name) => ({ SEEN: "yes", HIDDEN: "no" })[name],
      random: (target) => void target.fill(7),
    },
  });
  const done = server.runAsync();
  const c = connectApi(new Client(channel), systemApi);
  assertEquals([await c.time.async(), await c.clock.async()], [1e9, 0.5]);
  const names = ["SEEN", "HIDDEN", "ABSENT"];
  assertEquals(await Promise.all(names.map((name) => c.getenv.async(name))), ["yes", null, null]);
  const target = new Uint8Array(3);
  await c.random.async(target);
  assertEquals([...target], [7, 7, 7]);
  for (const seconds of [0, 2, 60]) await c.sleep.async(seconds);
  for (const seconds of [-1, 61, NaN]) {
    await assertRejects(() => c.sleep.async(seconds), CallError, "0 to 60 seconds");
  }
  assertEquals(slept, [0, 2, 60]);
  assertEquals(await c.strerror.async(2), "no such file or directory");
  channel.shutDown();
  await done;
});

Deno.test("webSystem has the machine's time, environment and random bytes", () => {
  assert(Math.abs(webSystem.timeSeconds() * 1000 - Date.now()) < 60_000);
  const before = webSystem.clockSeconds();
  webSystem.sleep(0.01);
  assert(webSystem.clockSeconds() - before >= 0.009);
  assertEquals([typeof webSystem.env("PATH"), webSystem.env("PORTLAB_ABSENT")], [
    "string",
    undefined,
  ]);
  const shared = new Uint8Array(new SharedArrayBuffer(70_000));
  webSystem.random(shared);
  assert(new Set(shared.subarray(66_000)).size > 100);
});
