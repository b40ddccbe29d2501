/** What a guest may try with paths. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../../../signature/mod.ts";
import { errnoOf, openMode, withErrno } from "../../files/deno_files.ts";
import { openFolder, read } from "../testdata/deno_folder.ts";
import { nodeFiles } from "./node_files.ts";

function refused(work: () => unknown, code: string): void {
  assertEquals(assertThrows(work, ErrnoError).code, code);
}

Deno.test("confined files are read by relative paths, also with `..` and links that stay inside", () => {
  using place = openFolder();
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
  using place = openFolder();
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

Deno.test("a path that ends with a slash is one of a folder, also behind links", () => {
  using place = openFolder({ readOnly: false });
  const { root, files } = place;
  const links = { file: "a.txt", slash: "a.txt/", folder: "sub", out: "../outside" };
  for (const [name, to] of Object.entries(links)) Deno.symlinkSync(to, `${root}/${name}`);
  const wrong = ["a.txt/", "a.txt//", "a.txt/.", "sub/b.txt/./", "file/", "slash", "slash/"];
  for (const path of wrong) {
    refused(() => read(files, path), "ENOTDIR");
    refused(() => files.open(path, openMode("w")!), "ENOTDIR");
    if (path !== "slash") refused(() => files.remove(path), "ENOTDIR"); // else the link itself
  }
  for (const path of ["sub/", "sub/.", "folder/", "sub/../", "./"]) {
    refused(() => read(files, path), "EISDIR");
  }
  refused(() => read(files, "out/"), "EACCES");
  refused(() => read(files, "none/"), "ENOENT");
  files.rename("sub/deep/", "folder/deeper");
  files.remove("folder/deeper/");
  assertEquals([...Deno.readDirSync(`${root}/sub`)].map(({ name }) => name), ["b.txt"]);
});

Deno.test("absolute paths are refused, also of the root itself, /proc and /dev", () => {
  using place = openFolder();
  const { root, files } = place;
  const paths = [`${root}/a.txt`, "/etc/passwd", "//etc/passwd", "/proc/self/root", "/dev/stdin"];
  for (const path of paths) refused(() => read(files, path), "EACCES");
});

Deno.test("links do not lead out, in the path, at its end, or one behind the other", () => {
  using place = openFolder({ readOnly: false });
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
  using place = openFolder({ readOnly: false });
  const { root, files } = place;
  Deno.writeTextFileSync(`${root}/secret.txt`, "harmless");
  Deno.symlinkSync("../../secret.txt", `${root}/sub/deep/link`);
  assertEquals(read(files, "sub/deep/link"), "harmless");
  files.rename("sub/deep/link", "sub/link");
  refused(() => read(files, "sub/link"), "EACCES");
});

Deno.test("a folder that was exchanged for a link is not followed, nor one that was moved", () => {
  using place = openFolder({ readOnly: false });
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
  using place = openFolder();
  const { base, root, files } = place;
  Deno.symlinkSync(`${base}/outside`, `${root}/link`);
  const source = `
    const [a, b, c] = ["sub", "link", "spare"].map((name) => ${JSON.stringify(root)} + "/" + name);
    let goesOn = true;
    onmessage = () => goesOn = false;
    postMessage("ready");
    (function exchange() {
      if (!goesOn) return postMessage("stopped");
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
  attacker.postMessage("stop");
  await new Promise((resolve) => attacker.onmessage = resolve);
  attacker.terminate();
  assert(!seen.has("secret"), [...seen].join());
});

Deno.test("NUL, broken texts and long paths are refused; odd letters are letters", () => {
  using place = openFolder();
  const { root, files } = place;
  refused(() => read(files, "a.txt\0.md"), "EINVAL");
  refused(() => read(files, "\ud800"), "EILSEQ");
  refused(() => read(files, ""), "EISDIR");
  refused(() => read(files, "x".repeat(300)), "ENAMETOOLONG");
  refused(() => read(files, "sub/../".repeat(1000) + "a.txt"), "ENAMETOOLONG");
  const longest = "./".repeat(2044) + ".//a.txt";
  assertEquals([longest.length, read(files, longest)], [4096, "inside"]);
  refused(() => read(files, `./${longest}`), "ENAMETOOLONG");
  assertEquals(read(files, "sub/../".repeat(500) + "a.txt"), "inside");
  for (const path of ["．．/secret.txt", "..\\secret.txt", "․․/secret.txt", "%2e%2e/secret.txt"]) {
    refused(() => read(files, path), "ENOENT");
  }
  Deno.writeTextFileSync(`${root}/．．`, "a name");
  assertEquals(read(files, "．．"), "a name");
});

Deno.test("a path goes along 40 links, and along no more", () => {
  using place = openFolder();
  const { root, files } = place;
  Deno.symlinkSync("a.txt", `${root}/link1`);
  for (let at = 2; at <= 41; at++) Deno.symlinkSync(`link${at - 1}`, `${root}/link${at}`);
  assertEquals(read(files, "link40"), "inside");
  refused(() => read(files, "link41"), "ELOOP");
});

Deno.test("withErrno() says with a number of C what failed", () => {
  const files = nodeFiles();
  const code = (work: () => unknown) =>
    assertThrows(() => withErrno("try", work), ErrnoError, "Cannot try").code;
  assertEquals(code(() => files.openSync("/none/at/all", 0)), "ENOENT");
  assertEquals(code(() => files.readlinkSync("/")), "EINVAL");
  assertEquals(code(() => files.readSync(1e6, new Uint8Array(1), 0, 1, 0)), "EBADF");
  assertEquals(
    code(() => files.writeSync(files.openSync("/dev/null", 0), new Uint8Array(1), 0, 1, 0)),
    "EBADF",
  );
  assertEquals(code(() => JSON.parse("{")), "EIO");
  assertEquals([withErrno("try", () => 5), errnoOf(new Error("other"))], [5, undefined]);
  const own = new ErrnoError(1, "do this");
  assertEquals(
    assertThrows(() =>
      withErrno("try", () => {
        throw own;
      })
    ),
    own,
  );
});
