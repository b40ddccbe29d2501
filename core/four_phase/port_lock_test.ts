import { assertEquals } from "@std/assert";
import { SharedWords } from "../memory/words.ts";
import { PortLocks } from "./port_lock.ts";

Deno.test("PortLocks give a lock to one at a time, and to each port its own", () => {
  const locks = new PortLocks(new SharedWords(new SharedArrayBuffer(16)), 1);
  assertEquals([locks.tryLock(0), locks.tryLock(0), locks.tryLock(2)], [true, false, true]);
  locks.unlock(0);
  assertEquals([locks.tryLock(0), locks.tryLock(2)], [true, false]);
});
