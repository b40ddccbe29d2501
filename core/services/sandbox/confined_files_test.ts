/** What a guest may try with paths. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../../signature/mod.ts";
import { openMode } from "../files/file_host.ts";
import { type ConfinedFiles, confinedFiles } from "./confined_files.ts";

/** A folder `root` with files, and a file beside it that nobody may reach. */
interface Ground extends Disposable {
  readonly base: string;
  readonly root: string;
  readonly files: ConfinedFiles;
}

function ground({ readOnly = true }: { readonly readOnly?: boolean } = {}): Ground {
  const base = Deno.makeTempDirSync();
  const root = `${base}/root`;
  Deno.mkdirSync(`${root}/sub/deep`, { recursive: true });
  Deno.writeTextFileSync(`${root}/a.txt`, "inside");
  Deno.writeTextFileSync(`${root}/sub/b.txt`, "below");
  Deno.writeTextFileSync(`${base}/secret.txt`, "secret");
  Deno.mkdirSync(`${base}/outside`);
  Deno.writeTextFileSync(`${base}/outside/b.txt`, "secret");
  const files = confinedFiles(root, { readOnly });
  return {
    base,
    root,
    files,
    [Symbol.dispose]() {
      files[Symbol.dispose]();
      Deno.removeSync(base, { recursive: true });
    },
  };
}

function read(files: ConfinedFiles, path: string, mode = "r"): string {
  const file = files.open(path, openMode(mode)!);
  const bytes = new Uint8Array(100);
  const text = new TextDecoder().decode(bytes.subarray(0, file.read(bytes)));
  file.close();
  return text;
}

function refused(work: () => unknown, code: string): void {
  assertEquals(assertThrows(work, ErrnoError).code, code);
}

Deno.test("confined files are read by relative paths, also with `..` and links that stay inside", () => {
  using place = ground();
  const { root, files } = place;
  Deno.symlinkSync("../a.txt", `${root}/sub/link`);
  Deno.symlinkSync("sub", `${root}/folder`);
  assertEquals(read(files, "a.txt"), "inside");
  assertEquals(read(files, "./sub//deep/../b.txt"), "below");
  assertEquals(read(files, "sub/link"), "inside");
  assertEquals(read(files, "folder/../folder/b.txt"), "below");
  refused(() => read(files, "none.txt"), "ENOENT");
  refused(() => read(files, "a.txt/b"), "ENOTDIR");
});

Deno.test("`..` does not lead out, however it is written", () => {
  using place = ground();
  const { files } = place;
  const paths = [
    "../secret.txt",
    "..",
    "sub/../../secret.txt",
    "sub/deep/../../../secret.txt",
    "./.././secret.txt",
    "..//secret.txt",
    "../root/a.txt",
  ];
  for (const path of paths) refused(() => read(files, path), "EACCES");
});

Deno.test("absolute paths are refused, also of the root itself, /proc and /dev", () => {
  using place = ground();
  const { root, files } = place;
  const paths = [`${root}/a.txt`, "/etc/passwd", "//etc/passwd", "/proc/self/root", "/dev/stdin"];
  for (const path of paths) refused(() => read(files, path), "EACCES");
});

Deno.test("links do not lead out, in the path, at its end, or one behind the other", () => {
  using place = ground({ readOnly: false });
  const { base, root, files } = place;
  Deno.symlinkSync("../secret.txt", `${root}/last`);
  Deno.symlinkSync(`${base}/secret.txt`, `${root}/absolute`);
  Deno.symlinkSync("../outside", `${root}/middle`);
  Deno.symlinkSync("../..", `${root}/sub/up`);
  Deno.symlinkSync("sub/up", `${root}/first`);
  Deno.symlinkSync("../new.txt", `${root}/dangling`);
  Deno.symlinkSync("round", `${root}/round`);
  for (
    const path of ["last", "absolute", "middle/b.txt", "sub/up/secret.txt", "first/secret.txt"]
  ) {
    refused(() => read(files, path), "EACCES");
    refused(() => files.open(path, openMode("w")!), "EACCES");
  }
  refused(() => files.open("dangling", openMode("w")!), "EACCES");
  refused(() => files.open("dangling", openMode("wx")!), "EEXIST");
  refused(() => read(files, "round"), "ELOOP");
  refused(() => read(files, "round/a.txt"), "ELOOP");
  assertEquals(Deno.readTextFileSync(`${base}/secret.txt`), "secret");
  assertThrows(() => Deno.statSync(`${base}/new.txt`), Deno.errors.NotFound);
});

Deno.test("links that lead out only after a rename are refused then", () => {
  using place = ground({ readOnly: false });
  const { root, files } = place;
  Deno.writeTextFileSync(`${root}/secret.txt`, "harmless");
  Deno.symlinkSync("../../secret.txt", `${root}/sub/deep/link`);
  assertEquals(read(files, "sub/deep/link"), "harmless");
  files.rename("sub/deep/link", "sub/link");
  refused(() => read(files, "sub/link"), "EACCES");
});

Deno.test("a folder that was exchanged for a link is not followed, nor one that was moved", () => {
  using place = ground({ readOnly: false });
  const { base, root, files } = place;
  Deno.renameSync(`${root}/sub`, `${root}/was`);
  Deno.symlinkSync(`${base}/outside`, `${root}/sub`);
  refused(() => read(files, "sub/b.txt"), "EACCES");
  refused(() => files.remove("sub/b.txt"), "EACCES");
  Deno.renameSync(root, `${base}/moved`); // the folder is the same one, whatever it is called
  Deno.mkdirSync(root);
  Deno.writeTextFileSync(`${root}/a.txt`, "another");
  assertEquals(read(files, "a.txt"), "inside");
});

Deno.test("a folder that is exchanged for a link again and again never leads out", async () => {
  using place = ground();
  const { base, root, files } = place;
  Deno.symlinkSync(`${base}/outside`, `${root}/link`);
  const source = `
    const [a, b, c] = ["sub", "link", "spare"].map((name) => ${JSON.stringify(root)} + "/" + name);
    onmessage = () => close();
    postMessage("ready");
    (function exchange() {
      for (let turn = 0; turn < 100; turn++) {
        Deno.renameSync(a, c); Deno.renameSync(b, a);
        Deno.renameSync(a, b); Deno.renameSync(c, a);
      }
      setTimeout(exchange, 0);
    })();`;
  const attacker = new Worker(`data:text/javascript,${encodeURIComponent(source)}`, {
    type: "module",
  });
  await new Promise((resolve) => attacker.onmessage = resolve);
  const seen = new Set<string>();
  for (let turn = 0; turn < 3000; turn++) {
    try {
      seen.add(read(files, "sub/b.txt"));
    } catch (error) {
      seen.add((error as ErrnoError).code);
    }
  }
  attacker.terminate();
  assert(!seen.has("secret"), [...seen].join());
});

Deno.test("hard links, devices, pipes, folders and links of /proc are refused", () => {
  using place = ground({ readOnly: false });
  const { base, root, files } = place;
  Deno.linkSync(`${base}/secret.txt`, `${root}/hard`);
  refused(() => read(files, "hard"), "EMLINK");
  refused(() => files.open("hard", openMode("w")!), "EMLINK");
  refused(() => files.open("hard", openMode("a")!), "EMLINK");
  assertEquals(Deno.readTextFileSync(`${base}/secret.txt`), "secret");
  refused(() => read(files, "sub"), "EISDIR");
  refused(() => read(files, "."), "EISDIR");
  refused(() => read(files, "sub/.."), "EISDIR");
  new Deno.Command("mkfifo", { args: [`${root}/pipe`] }).outputSync();
  refused(() => read(files, "pipe"), "EACCES"); // and at once
  using devices = confinedFiles("/dev");
  refused(() => read(devices, "null"), "EACCES");
  refused(() => read(devices, "stdin"), "EACCES");
  using self = confinedFiles("/proc/self");
  for (const path of ["root/etc/passwd", "cwd/deno.json", "exe", "fd/0"]) {
    refused(() => read(self, path), path === "fd/0" ? "EACCES" : "EACCES");
  }
});

Deno.test("NUL, broken texts and long paths are refused; odd letters are letters", () => {
  using place = ground();
  const { root, files } = place;
  refused(() => read(files, "a.txt\0.md"), "EINVAL");
  refused(() => read(files, "\ud800"), "EILSEQ");
  refused(() => read(files, ""), "EISDIR");
  refused(() => read(files, "x".repeat(300)), "ENAMETOOLONG");
  refused(() => read(files, "sub/../".repeat(1000) + "a.txt"), "ENAMETOOLONG");
  assertEquals(read(files, "sub/../".repeat(500) + "a.txt"), "inside");
  for (const path of ["．．/secret.txt", "..\\secret.txt", "․․/secret.txt", "%2e%2e/secret.txt"]) {
    refused(() => read(files, path), "ENOENT");
  }
  Deno.writeTextFileSync(`${root}/．．`, "a name");
  assertEquals(read(files, "．．"), "a name");
});

Deno.test("read-only files are not written, made, renamed or removed", () => {
  using place = ground();
  const { root, files } = place;
  for (const mode of ["w", "a", "r+", "w+", "a+", "wx"]) {
    refused(() => files.open("a.txt", openMode(mode)!), "EROFS");
    refused(() => files.open("new.txt", openMode(mode)!), "EROFS");
  }
  refused(() => files.remove("a.txt"), "EROFS");
  refused(() => files.rename("a.txt", "b.txt"), "EROFS");
  const file = files.open("a.txt", openMode("r")!);
  refused(() => file.write(new Uint8Array(1)), "EBADF");
  assertEquals(Deno.readTextFileSync(`${root}/a.txt`), "inside");
});

Deno.test("what may be written is written inside only", () => {
  using place = ground({ readOnly: false });
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

Deno.test("a confined file is moved in as C has it, and closed with its folder", () => {
  using place = ground();
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
  refused(() => file.read(new Uint8Array(1)), "EBADF");
  refused(() => confinedFiles(`${root}/none`), "ENOENT");
});

function openDescriptors(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

Deno.test("no descriptor stays open, whatever is refused", () => {
  using place = ground();
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
