/** What a guest may try with files. */
import { assertEquals } from "@std/assert";
import { openMode } from "../../files/deno_files.ts";
import { openFolder, read, refused } from "../testdata/deno_folder.ts";
import { confinedFiles } from "./confined_files.ts";

Deno.test("hard links, devices, pipes, folders and links of /proc are refused", () => {
  using place = openFolder({ readOnly: false });
  const { base, root, files } = place;
  Deno.linkSync(`${base}/secret.txt`, `${root}/hard`);
  for (const mode of ["r", "w", "a"]) refused(() => read(files, "hard", mode), "EMLINK");
  assertEquals(Deno.readTextFileSync(`${base}/secret.txt`), "secret");
  new Deno.Command("mkfifo", { args: [`${root}/pipe`] }).outputSync();
  refused(() => read(files, "pipe"), "EACCES"); // and at once
  using devices = confinedFiles("/dev");
  refused(() => read(devices, "null"), "EACCES");
  refused(() => read(devices, "stdin"), "EACCES");
  using self = confinedFiles("/proc/self");
  for (const path of ["root/etc/passwd", "cwd/deno.json", "exe", "fd/0"]) {
    refused(() => read(self, path), "EACCES");
  }
});

Deno.test("read-only files are not written, made, renamed or removed", () => {
  using place = openFolder();
  const { root, files } = place;
  for (const mode of ["w", "a", "r+", "w+", "a+", "wx"]) {
    refused(() => files.open("a.txt", openMode(mode)!), "EROFS");
    refused(() => files.open("new.txt", openMode(mode)!), "EROFS");
  }
  const read = { ...openMode("r")!, read: true };
  for (const word of ["write", "append", "truncate", "create"]) {
    for (const mode of [{ ...read, [word]: true }, { ...read, read: false, [word]: true }]) {
      refused(() => files.open("a.txt", mode), "EROFS");
    }
  }
  refused(() => files.remove("a.txt"), "EROFS");
  refused(() => files.rename("a.txt", "b.txt"), "EROFS");
  const file = files.open("a.txt", openMode("r")!);
  refused(() => file.write(new Uint8Array(1)), "EBADF");
  assertEquals(Deno.readTextFileSync(`${root}/a.txt`), "inside");
});

Deno.test("what may be written is written inside only", () => {
  using place = openFolder({ readOnly: false });
  const { base, root, files } = place;
  const write = (path: string, mode: string, text: string) => {
    const file = files.open(path, openMode(mode)!);
    file.write(new TextEncoder().encode(text));
    const end = file.seek(0n, 1);
    file.close();
    return end;
  };
  assertEquals(write("new.txt", "w", "first"), 5n);
  assertEquals(write("new.txt", "a", "+"), 6n);
  assertEquals(write("new.txt", "r+", "F"), 1n);
  assertEquals(read(files, "new.txt"), "First+");
  assertEquals(write("new.txt", "w+", "2"), 1n);
  refused(() => write("new.txt", "wx", "3"), "EEXIST");
  files.rename("new.txt", "sub/deep/new.txt");
  assertEquals(read(files, "sub/deep/new.txt", "a+"), "2");
  files.remove("sub/deep/new.txt");
  files.remove("sub/deep");
  refused(() => files.remove("sub"), "ENOTEMPTY");
  refused(() => files.remove("../secret.txt"), "EACCES");
  refused(() => files.remove("."), "EISDIR");
  refused(() => files.rename("a.txt", "../stolen.txt"), "EACCES");
  refused(() => files.rename("../secret.txt", "stolen.txt"), "EACCES");
  Deno.symlinkSync("../secret.txt", `${root}/link`);
  files.remove("link"); // the link, not what it leads to
  assertEquals(Deno.readTextFileSync(`${base}/secret.txt`), "secret");
});

function openDescriptors(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

Deno.test("no descriptor stays open, whatever is refused", () => {
  using place = openFolder();
  const { root, files } = place;
  Deno.symlinkSync("../secret.txt", `${root}/sub/link`);
  const before = openDescriptors();
  for (const path of ["sub/deep/none", "sub", "sub/link", "sub/../..", "sub/deep/../b.txt"]) {
    try {
      read(files, path);
    } catch {
      // refused
    }
  }
  assertEquals(openDescriptors(), before);
});

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
