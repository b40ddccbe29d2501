import { assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../signature/mod.ts";
import {
  addressOf,
  checked,
  cText,
  errnoOf,
  mapPages,
  memoryFile,
  openLibc,
  ownPid,
  watchTimer,
} from "./libc.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

onLinux("What the system refuses is thrown with its number", () => {
  using stack = new DisposableStack();
  const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
  const failed = assertThrows(() => checked(libc, "close a file", libc.close(-1)), ErrnoError);
  assertEquals([failed.code, errnoOf(libc), checked(libc, "add", 4n)], ["EBADF", 9, 4n]);
  assertThrows(() => mapPages(libc, 0n, { protection: 0, flags: 2 }), ErrnoError, "map 0 bytes");
  libc.close(memoryFile(libc));
});

onLinux("addressOf() is where C sees the bytes of a buffer", () => {
  const buffer = new SharedArrayBuffer(8);
  new Uint8Array(buffer)[3] = 9;
  const view = new Deno.UnsafePointerView(Deno.UnsafePointer.create(addressOf(buffer))!);
  assertEquals(view.getUint8(3), 9);
  assertEquals([...cText("a")], [97, 0]);
});

Deno.test("watchTimer() calls until it is ended", async () => {
  const looked = Promise.withResolvers<void>();
  let count = 0;
  const end = watchTimer(() => ++count === 2 && looked.resolve(), 1);
  const alive = setInterval(() => {}, 1000);
  await looked.promise;
  end();
  clearInterval(alive);
  assertEquals([count, ownPid()], [2, Deno.pid]);
});
