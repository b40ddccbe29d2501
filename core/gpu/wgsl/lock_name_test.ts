import { assertEquals, assertThrows } from "@std/assert";
import { checkLockName, LOCK_NAMES, lockConstants } from "./lock_name.ts";

Deno.test("lockConstants() tell the locks apart", () => {
  for (const lock of LOCK_NAMES) {
    const { LOCK_KIND, LOCK_FETCH_OR, LOCK_CAS, LOCK_FETCH_ADD } = lockConstants(lock);
    assertEquals(
      [LOCK_FETCH_OR, LOCK_CAS, LOCK_FETCH_ADD].indexOf(LOCK_KIND!),
      LOCK_NAMES.indexOf(lock),
    );
  }
});

Deno.test("checkLockName() names the locks that there are", () => {
  assertThrows(
    () => checkLockName("mutex"),
    TypeError,
    "fetch-or, cas, fetch-add: current value is mutex",
  );
});
