import { assertEquals, assertThrows } from "@std/assert";
import { ErrnoError, errnoMeaning } from "./errno.ts";

Deno.test("ErrnoError says what could not be done and why", () => {
  const error = new ErrnoError(13, "open a.txt");
  assertEquals(error.message, "Cannot open a.txt: permission denied (EACCES)");
  assertEquals([error.name, error.errno, error.code], ["ErrnoError", 13, "EACCES"]);
  assertEquals(
    new ErrnoError(999, "do it").message,
    "Cannot do it: an error that has no text (E999)",
  );
});

Deno.test("ErrnoError refuses what says no failure", () => {
  for (const errno of [0, -1, 1.5, NaN, 2 ** 31, "5" as unknown as number]) {
    assertThrows(() => new ErrnoError(errno, "x"), RangeError, `current value is ${errno}`);
  }
});

Deno.test("errnoMeaning() is that of Linux", { ignore: Deno.build.os !== "linux" }, async () => {
  const { errno } = (await import("node:os")).constants;
  for (const [name, number] of Object.entries(errno)) {
    const known = errnoMeaning(number).code;
    assertEquals(errno[known as keyof typeof errno], number, `${name} ${known}`);
  }
});
