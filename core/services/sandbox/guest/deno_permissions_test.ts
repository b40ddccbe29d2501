import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { Server } from "../../../toggle/server/server.ts";
import { ApiServer } from "../../../signature/mod.ts";
import { guestApi } from "./guest_api.ts";
import { checkRefused } from "./deno_permissions.ts";

Deno.test("checkRefused() wants each attempt refused, and a runtime that can refuse", () => {
  function refuse(): never {
    throw Object.assign(new Error("Requires access"), { name: "NotCapable" });
  }
  const refusing = {
    readDirSync: refuse,
    removeSync: refuse,
    listen: refuse,
    env: { get: refuse },
    hostname: refuse,
    Command: refuse,
    dlopen: refuse,
  };
  checkRefused(refusing);
  const failing = () => {
    throw new TypeError("another failure");
  };
  const names = ["read", "write", "net", "env", "sys", "run", "ffi"];
  Object.keys(refusing).forEach((key, index) => {
    const one = key === "env" ? { get: failing } : failing;
    const text = `it still has permissions: ${names[index]}`;
    const error = assertThrows(() => checkRefused({ ...refusing, [key]: one }), TypeError);
    assertEquals(error.message, text);
  });
  assertThrows(() => checkRefused(null), TypeError, "no permissions that a worker could lose");
});

Deno.test("a worker that has permissions runs no guest", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  const ready = Promise.withResolvers<string>();
  new ApiServer(server).serve(guestApi, {
    ready: (problem) => ready.resolve(problem),
    answer: () => {},
    print: () => {},
    left: () => {},
  });
  const served = server.runAsync();
  const worker = new Worker(new URL("./guest_worker.ts", import.meta.url), { type: "module" });
  const source = `host.names.of("ran");`;
  const { handle } = channel;
  worker.postMessage({ kind: "start", calls: handle, own: handle, source, apis: [] });
  assertEquals(
    await ready.promise,
    "TypeError: it still has permissions: read, write, net, env, sys, run, ffi",
  );
  worker.terminate();
  channel.shutDown();
  await served;
});
