import { assert, assertEquals } from "@std/assert";
import { webSystem } from "./system_host.ts";

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
