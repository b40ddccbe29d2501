import { assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../../../signature/mod.ts";
import { openMode } from "../../files/file_host.ts";
import { openFolder } from "../testdata/deno_folder.ts";
import { confinedFiles } from "./confined_files.ts";

function refused(work: () => unknown, code: string): void {
  assertEquals(assertThrows(work, ErrnoError).code, code);
}

Deno.test("a confined file is moved in as C has it, and closed with its folder", () => {
  using place = openFolder();
  const { root } = place;
  const files = confinedFiles(root);
  const file = files.open("a.txt", openMode("r")!);
  assertEquals([file.seek(-2n, 2), file.seek(1n, 1), file.seek(3n, 0)], [4n, 5n, 3n]);
  refused(() => file.seek(-1n, 0), "EINVAL");
  refused(() => file.seek(1n << 60n, 0), "EINVAL");
  const [stdin, stdout] = files.standard;
  assertEquals([stdin.read(new Uint8Array(1)), stdout.write(new Uint8Array(1))], [0, 0]);
  refused(() => stdin.seek(0n, 0), "ESPIPE");
  stdin.close();
  const before = openDescriptors();
  files[Symbol.dispose]();
  assertEquals(openDescriptors(), before - 2);
  using other = confinedFiles(root); // has the descriptors now
  const second = other.open("a.txt", openMode("r")!);
  refused(() => file.read(new Uint8Array(1)), "EBADF");
  refused(() => file.close(), "EBADF");
  refused(() => files.open("a.txt", openMode("r")!), "EBADF");
  files[Symbol.dispose]();
  assertEquals(second.read(new Uint8Array(9)), 6);
  refused(() => confinedFiles(`${root}/none`), "ENOENT");
});

function openDescriptors(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}
