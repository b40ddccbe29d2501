import { assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../../signature/mod.ts";
import { CFile } from "./c_file.ts";
import type { HostFile } from "./deno_files.ts";
import { MemoryFiles } from "./testdata/memory_files.ts";

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function encode(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

function fileOf(text: string, stepBytes = 3): { readonly file: CFile; readonly bytes: number[] } {
  const bytes = encode(text);
  return { file: new CFile(new MemoryFiles({ stepBytes }).openBytes(bytes)), bytes };
}

function read(file: CFile, count: number): string {
  const target = new Uint8Array(count);
  return decode(target.subarray(0, file.read(target)));
}

function line(file: CFile, count: number): string {
  const target = new Uint8Array(count);
  return decode(target.subarray(0, file.readLine(target)));
}

Deno.test("CFile.read() goes on after short reads, up to the end, and marks it", () => {
  const { file } = fileOf("0123456789");
  assertEquals([read(file, 4), file.isAtEnd], ["0123", false]);
  assertEquals([read(file, 6), file.isAtEnd], ["456789", false]);
  assertEquals([read(file, 1), file.isAtEnd], ["", true]);
  file.clear();
  assertEquals([file.isAtEnd, read(file, 0), file.isAtEnd], [false, "", false]);
});

Deno.test("CFile.readLine() ends behind a newline, at the end, or when the array is full", () => {
  for (const stepBytes of [1, 3, 100]) {
    const { file } = fileOf("one\ntwo is longer\n\nrest", stepBytes);
    assertEquals(line(file, 20), "one\n");
    assertEquals(file.tell(), 4n);
    assertEquals([line(file, 5), line(file, 20)], ["two i", "s longer\n"]);
    assertEquals([line(file, 20), line(file, 20), line(file, 20)], ["\n", "rest", ""]);
    assertEquals(file.isAtEnd, true);
  }
});

Deno.test("CFile.readLine() takes arrays of any length", () => {
  const rest = "x".repeat(300_000);
  const { file } = fileOf(`one\n${rest}`, Infinity);
  assertEquals(line(file, 200_000), "one\n");
  assertEquals(line(file, 400_000), rest);
});

Deno.test("CFile reads first what was put back, and stands before it", () => {
  const { file } = fileOf("abc");
  read(file, 3);
  read(file, 1);
  file.unread(0x63);
  file.unread(0x78);
  assertEquals([file.isAtEnd, file.tell()], [false, 1n]);
  assertEquals(read(file, 9), "xc");
  file.unread(0x79);
  file.seek(0n, 0);
  assertEquals(read(file, 2), "ab");
});

Deno.test("CFile writes where reading stopped, whole", () => {
  const { file, bytes } = fileOf("one\ntwo\n", 100);
  line(file, 100);
  assertEquals(file.write(new Uint8Array(encode("TWO and more"))), 12);
  assertEquals(decode(new Uint8Array(bytes)), "one\nTWO and more");
  assertEquals([file.seek(-4n, 2), read(file, 9)], [12n, "more"]);
  assertThrows(() => file.seek(0n, 7), ErrnoError, "invalid argument");
});

Deno.test("CFile marks failures, and closes its file once", () => {
  const mode = {
    read: false,
    write: true,
    append: false,
    truncate: true,
    create: true,
    createNew: false,
  };
  const host = new MemoryFiles().openBytes([], mode);
  const file = new CFile(host);
  assertThrows(() => read(file, 1), ErrnoError, "EBADF");
  assertEquals(file.hasFailed, true);
  file.clear();
  assertEquals(file.hasFailed, false);
  file.close();
  file.close();
  assertEquals(host.closeCount, 1);
});

Deno.test("CFile counts what went well in front of a failure, and fails behind it", () => {
  const { file, countOf } = failing(3);
  const bytes = new Uint8Array(encode("12345"));
  assertEquals([file.write(bytes), file.hasFailed], [3, true]);
  assertThrows(() => file.write(bytes), ErrnoError, "ENOSPC");
  assertEquals([file.read(bytes), decode(bytes)], [3, "xxx45"]);
  assertThrows(() => file.read(bytes), ErrnoError, "EIO");
  assertEquals(countOf("write"), 3);
  assertThrows(() => failing(3).file.writeAll(bytes), ErrnoError, "ENOSPC");
});

Deno.test("CFile stays at the end until its mark is taken away, and a place that is none marks nothing", () => {
  const { file, bytes } = fileOf("ab");
  assertEquals([read(file, 3), file.isAtEnd], ["ab", true]);
  bytes.push(...encode("cd"));
  assertEquals([read(file, 1), line(file, 1)], ["", ""]);
  file.clear();
  assertEquals(read(file, 1), "c");
  assertThrows(() => file.seek(-1n, 0), ErrnoError, "EINVAL");
  assertEquals([file.hasFailed, file.isAtEnd, file.tell()], [false, false, 3n]);
});

/** A file that takes and gives so many bytes, one at a time, and fails then. */
function failing(countMax: number) {
  const counts = { read: 0, write: 0 };
  const move = (way: "read" | "write", errno: number) => {
    if (counts[way] === countMax) throw new ErrnoError(errno, way);
    return ++counts[way] && 1;
  };
  const host: HostFile = {
    read: (target) => move("read", 5) && target.fill(0x78, 0, 1) && 1,
    write: () => move("write", 28),
    seek: () => 0n,
    close() {},
  };
  return { file: new CFile(host), countOf: (way: "read" | "write") => counts[way] };
}

Deno.test("CFile.write() moves in no file that nothing was put back into: a pipe cannot be moved in", () => {
  const written: number[] = [];
  const pipe: HostFile = {
    read: () => 0,
    write: (bytes) => written.push(...bytes) && bytes.length,
    seek() {
      throw new Error("a pipe cannot be moved in");
    },
    close() {},
  };
  new CFile(pipe).write(Uint8Array.of(1, 2));
  assertEquals(written, [1, 2]);
});
