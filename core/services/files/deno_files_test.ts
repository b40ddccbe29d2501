import { assertEquals, assertThrows } from "@std/assert";
import { denoFiles, openMode, writtenErrno } from "./deno_files.ts";
import { ErrnoError } from "../../signature/mod.ts";

/** What each mode means; nothing for what is none. */
const MODES: Readonly<Record<string, string>> = {
  ...{ r: "read", rb: "read", "r+": "read write", "rb+": "read write", "r+b": "read write" },
  ...{ w: "write truncate create", "w+": "read write truncate create" },
  ...{ wx: "write truncate create createNew", "wb+x": "read write truncate create createNew" },
  ...{ a: "write append create", "a+": "read write append create" },
};

Deno.test("openMode() knows the modes of C, and nothing else", () => {
  for (const [mode, meaning] of Object.entries(MODES)) {
    const set = Object.entries(openMode(mode)!).filter(([, is]) => is).map(([name]) => name);
    assertEquals(set.join(" "), meaning, mode);
  }
  for (const wrong of ["", "x", "rw", "rx", "ax", "r++", "w+b+", "R"]) {
    assertEquals(openMode(wrong), undefined);
  }
});

const READ = openMode("r")!;

Deno.test("denoFiles opens, reads, seeks and closes a file", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "abcdef");
  const file = denoFiles.open(path, READ);
  const target = new Uint8Array(3);
  assertEquals([file.seek(2n, 0), file.read(target)], [2n, 3]);
  assertEquals(new TextDecoder().decode(target), "cde");
  assertEquals([file.seek(-1n, 2), file.read(target), file.read(target)], [5n, 1, 0]);
  assertThrows(() => file.write(target), ErrnoError, "EBADF");
  file.close();
  denoFiles.remove(path);
  assertThrows(() => denoFiles.open(path, READ), ErrnoError, `Cannot open ${path}`);
});

const CODES: Readonly<Partial<Record<keyof typeof Deno.errors, string>>> = {
  ...{ NotFound: "ENOENT", Interrupted: "EINTR", BadResource: "EBADF", WouldBlock: "EAGAIN" },
  ...{ PermissionDenied: "EACCES", NotCapable: "EACCES", Busy: "EBUSY", AlreadyExists: "EEXIST" },
  ...{ NotADirectory: "ENOTDIR", IsADirectory: "EISDIR", BrokenPipe: "EPIPE" },
  ...{ FilesystemLoop: "ELOOP", InvalidData: "EIO" },
};

Deno.test("an error of Deno's without a number of the system's has that of its name", () => {
  const { removeSync } = Deno;
  try {
    for (const [name, code] of Object.entries(CODES)) {
      Deno.removeSync = () => {
        throw new Deno.errors[name as keyof typeof Deno.errors]("no number");
      };
      assertThrows(() => denoFiles.remove("file"), ErrnoError, code);
    }
  } finally {
    Deno.removeSync = removeSync;
  }
});

Deno.test("the standard streams cannot be moved in, and are not closed", () => {
  const [stdin, stdout, stderr] = denoFiles.standard;
  for (const file of [stdin, stdout, stderr]) {
    assertThrows(() => file.seek(0n, 1), ErrnoError, "ESPIPE");
    file.close();
  }
  assertEquals(stderr.write(new Uint8Array()), 0);
});

Deno.test("writtenErrno() is the number in an error's text", () => {
  const written = new Deno.errors.NotFound("No such file or directory (os error 2): open 'a'");
  assertEquals(writtenErrno(written), 2);
  assertEquals(writtenErrno(new Error("Argument list too long (os error 7)")), 7);
  for (const other of [new Error("os error 2"), new Error(), "text", undefined]) {
    assertEquals(writtenErrno(other), undefined);
  }
});
