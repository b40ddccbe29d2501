import { assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../signature/mod.ts";
import { newMemory } from "../toggle/channel_handle.ts";
import { MappedFile, openOrElse } from "./mapped_file.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

function newPath(): string {
  return `/dev/shm/portlab-test-${crypto.randomUUID()}`;
}

onLinux("MappedFile is the same memory in each buffer that it is mapped over", () => {
  using file = MappedFile.create(100_000);
  using again = MappedFile.open(file.path);
  assertEquals([file.isNew, again.isNew, again.bytes], [true, false, 100_000]);
  const [one, other] = [newMemory(200_000).buffer, newMemory(200_000).buffer];
  file.mapOver(one, { bufferByte: 65_536, fileByte: 0, bytes: 100_000 });
  again.mapOver(other, { bufferByte: 0, fileByte: 4096, bytes: 95_904 });
  const [left, right] = [new Int32Array(one), new Int32Array(other)];
  left[(65_536 + 4096) / 4 + 5] = 77;
  right[6] = 78;
  assertEquals([right[5], left[(65_536 + 4096) / 4 + 6], left[5]], [77, 78, 0]);
  assertEquals(again.head(4104).length, 4104);
  assertEquals(again.head(4104 + 20)[4096 + 20], 77);
  assertEquals(again.head(100_001).length, 100_000);
});

onLinux("MappedFile maps nothing beyond the file or the buffer, and whole pages only", () => {
  using file = MappedFile.create(8192);
  const { buffer } = newMemory(65_536);
  for (
    const pages of [
      { bufferByte: 0, fileByte: 0, bytes: 8193 },
      { bufferByte: 0, fileByte: 4096, bytes: 4097 },
      { bufferByte: 61_440, fileByte: 0, bytes: 8192 },
      { bufferByte: 8, fileByte: 0, bytes: 8192 },
      { bufferByte: 0, fileByte: 8, bytes: 8 },
    ]
  ) assertThrows(() => file.mapOver(buffer, pages), RangeError, "must be within both");
});

onLinux("MappedFile.create() leaves nothing where there is no room", () => {
  const path = newPath();
  const error = assertThrows(() => MappedFile.create(2 ** 45, path), ErrnoError);
  assertEquals([error.code, error.message.includes("bytes of memory")], ["ENOSPC", true]);
  assertEquals(assertThrows(() => MappedFile.open(path), ErrnoError).code, "ENOENT");
});

onLinux("MappedFile.publish() shows a file that is ready, one of several made at once", () => {
  const path = newPath();
  using first = MappedFile.create(4096, path);
  using second = MappedFile.create(4096, path);
  assertEquals(assertThrows(() => MappedFile.open(path), ErrnoError).code, "ENOENT");
  first.publish();
  first.publish();
  assertEquals(assertThrows(() => second.publish(), ErrnoError).code, "EEXIST");
  using found = MappedFile.open(path);
  found.unlink();
  for (const open of [MappedFile.open, (it: string) => MappedFile.create(1, it).publish()]) {
    assertThrows(() => open("/dev/shm/\0"), TypeError, "a character 0: current value is");
  }
});

onLinux("MappedFile.openOrCreate() fills an empty file and takes another as it is", () => {
  const path = newPath();
  Deno.writeTextFileSync(path, "");
  try {
    using file = MappedFile.openOrCreate(5000, path);
    const openCount = () => [...Deno.readDirSync("/proc/self/fd")].length;
    const before = openCount();
    using again = MappedFile.openOrCreate(2 ** 45, path); // for which there is no room
    assertEquals([file.bytes, file.isNew, again.bytes], [5000, false, 5000]);
    assertEquals(openCount(), before + 1);
    again.unlink();
    again.unlink(); // it is gone: nothing happens
    assertThrows(() => Deno.statSync(path), Deno.errors.NotFound);
  } finally {
    try {
      Deno.removeSync(path);
    } catch { /* unlink() has */ }
  }
});

Deno.test("openOrElse() opens what another process has made meanwhile", () => {
  const told = [2, 17];
  const fail = (): string => {
    if (told.length > 0) throw new ErrnoError(told.shift()!, "open");
    return "theirs";
  };
  assertEquals(openOrElse(fail, fail), "theirs");
  told.push(13);
  assertThrows(() => openOrElse(fail, fail), ErrnoError, "EACCES");
});
