import { assertEquals, assertThrows } from "@std/assert";
import { AsyncOnlyWaiter } from "./async_only_waiter.ts";
import type { PortWaiter, WaitGuard } from "./inbox_waiter.ts";

const GUARD: WaitGuard = { check() {}, leftMilliseconds: Infinity };

Deno.test("AsyncOnlyWaiter waits without blocking; a blocking wait throws", async () => {
  const waited: unknown[] = [];
  const inner: PortWaiter = {
    wait: () => waited.push("blocked"),
    waitAsync: (...wait) => Promise.resolve(void waited.push(wait)),
  };
  const waiter: PortWaiter = new AsyncOnlyWaiter(inner);
  await waiter.waitAsync(3, 1, GUARD);
  assertThrows(() => waiter.wait(3, 1, GUARD), TypeError, "use callAsync()");
  assertEquals(waited, [[3, 1, GUARD]]);
});
