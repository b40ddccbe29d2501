import { assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../../signature/mod.ts";
import type { FileHost, HostFile } from "../../services/files/deno_files.ts";
import { FileTable } from "./file_table.ts";

Deno.test("FileTable gives numbers that no pointer of a standard stream has, and none twice", () => {
  const closed: string[] = [];
  const file = (name: string): HostFile => ({
    read: () => 0,
    write: (bytes) => bytes.length,
    seek: () => 0n,
    close: () => void closed.push(name),
  });
  const host: FileHost = {
    standard: [file("in"), file("out"), file("err")],
    open: (path) => file(path),
    remove: () => {},
    rename: () => {},
  };
  const table = new FileTable(host);
  const first = table.open("a", "r");
  table.close(first);
  const second = table.open("b", "w");
  assertEquals([first % 4n, second % 4n, first === second], [0n, 0n, false]);
  assertEquals(closed, ["a"]);
  for (const handle of [first, 0n, 4n, 2n ** 64n - 1n]) {
    assertEquals(assertThrows(() => table.file(handle), ErrnoError).code, "EBADF");
  }
  assertEquals(table.file(2n).write(new Uint8Array(3)), 3);
  assertEquals(assertThrows(() => table.open("c", "z"), ErrnoError).code, "EINVAL");
});
