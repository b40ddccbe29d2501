import { assertEquals } from "@std/assert";
import { writtenErrno } from "./written_errno.ts";

Deno.test("writtenErrno() is the number in an error's text", () => {
  const written = new Deno.errors.NotFound("No such file or directory (os error 2): open 'a'");
  assertEquals(writtenErrno(written), 2);
  assertEquals(writtenErrno(new Error("Argument list too long (os error 7)")), 7);
  for (const other of [new Error("os error 2"), new Error(), "text", undefined]) {
    assertEquals(writtenErrno(other), undefined);
  }
});
