import { assertEquals } from "@std/assert";
import { keepLoaded } from "./keep_loaded.ts";

/** A library of glibc that nothing else here opens. */
const FILE = "libanl.so.1";

function isLoaded(): boolean {
  return Deno.readTextFileSync("/proc/self/maps").includes(FILE);
}

function isThere(): boolean {
  try {
    Deno.dlopen(FILE, {}).close();
    return true;
  } catch {
    return false; // no Linux, or one without glibc
  }
}

Deno.test({
  name: "keepLoaded() keeps the first of the files that is there",
  ignore: !isThere(),
  fn() {
    assertEquals(isLoaded(), false);
    keepLoaded(["no/such/library.so", FILE]);
    assertEquals(isLoaded(), true);
    Deno.dlopen(FILE, {}).close();
    assertEquals(isLoaded(), true);
  },
});
