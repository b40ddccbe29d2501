import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as s from "../../signature/mod.ts";
import { ForeignLibrary, keepLoaded } from "./foreign_library.ts";
import { onLinux } from "../../testing/fixtures/on_linux.ts";

onLinux("ForeignLibrary calls what may wait in a thread, and closes when it is over", async () => {
  const api = s.hostApi("c", {
    usleep: s.fn([s.u32], s.i32, { blocking: true }),
    strdup: s.fn([s.string], s.nullable(s.string), { blocking: true }),
    nowhere: s.fn([s.string], s.string, { blocking: true }),
    labs: s.fn([s.i64], s.i64),
  });
  const symbols = { nowhere: "getenv" };
  const library = new ForeignLibrary(api, { files: ["libc.so.6"], symbols });
  const { usleep, strdup, nowhere, labs } = library.calls;
  const slept = usleep!([20_000]);
  assert(slept instanceof Promise);
  assertEquals(labs!([-3n]), 3n);
  assertEquals(await strdup!(["ä"]), "ä");
  await assertRejects(() => nowhere!(["PORTLAB_NOWHERE"]) as Promise<unknown>, TypeError, "null");
  library[Symbol.dispose]();
  assertEquals(await slept, 0);
});

Deno.test("what may wait takes no callbacks, and cannot be told why it failed", () => {
  const options = { blocking: true } as const;
  assertThrows(() => s.fn([s.callback([], s.nothing)], s.nothing, options), TypeError, "callback");
  assertThrows(() => s.fn([], s.i32, { ...options, failsWith: -1 }), TypeError, "errno");
  assertThrows(() => s.fn([], s.i32, { blocking: 1 as never }), TypeError, "true or false");
});

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
