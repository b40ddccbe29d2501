/** What a guest may try with paths. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../../../signature/mod.ts";
import { errnoOf, openMode, withErrno } from "../../files/deno_files.ts";
import { openFolder, read, refused } from "../testdata/deno_folder.ts";
import { nodeFiles } from "./node_files.ts";

const long = "x".repeat(300);
const longest = "./".repeat(2044) + ".//a.txt";

/** Links below the folder. */
const LINKS = {
  folder: "sub",
  file: "a.txt",
  slash: "a.txt/",
  "sub/link": "../a.txt",
  last: "../secret.txt",
  middle: "../outside",
  "sub/up": "../..",
  first: "sub/up",
  dangling: "../new.txt",
  round: "round",
};

/** What is in a file, or the error of opening it, by all paths. */
const READS: Readonly<Record<string, readonly string[]>> = {
  inside: ["a.txt", "sub/link", "file", "sub/../".repeat(500) + "a.txt", longest],
  below: ["./sub//deep/../b.txt", "folder/../folder/b.txt"],
  ENOENT: [
    "none.txt",
    "none/",
    "．．/secret.txt",
    "..\\secret.txt",
    "․․/secret.txt",
    "%2e%2e/secret.txt",
  ],
  // Outside, however it is written: by `..`, from the root of the system, by links.
  EACCES: [
    ...["../secret.txt", "..", "sub/../../secret.txt", "sub/deep/../../../secret.txt"],
    ...["./.././secret.txt", "..//secret.txt", "../root/a.txt"],
    ...["/etc/passwd", "//etc/passwd", "/proc/self/root", "/dev/stdin"],
    ...["last", "last/", "middle/b.txt", "middle/", "sub/up/secret.txt", "first/secret.txt"],
  ],
  ELOOP: ["round", "round/a.txt"],
  ENOTDIR: ["a.txt/b", "a.txt/", "a.txt//", "a.txt/.", "sub/b.txt/./", "file/", "slash", "slash/"],
  EISDIR: ["", ".", "./", "sub", "sub/", "sub/.", "folder/", "sub/..", "sub/../"],
  EINVAL: ["a.txt\0.md"],
  EILSEQ: ["\ud800"],
  ENAMETOOLONG: [long, "sub/../".repeat(1000) + "a.txt", `./${longest}`],
};

Deno.test("confined files are read by relative paths that stay inside, and others are refused", () => {
  using place = openFolder({ links: LINKS });
  const { files, root } = place;
  for (const [what, paths] of Object.entries(READS)) {
    for (const path of paths) {
      if (/^E[A-Z]/.test(what)) refused(() => read(files, path), what);
      else assertEquals(read(files, path), what, path);
    }
  }
  refused(() => read(files, `${root}/a.txt`), "EACCES");
  Deno.writeTextFileSync(`${root}/．．`, "a name");
  assertEquals(read(files, "．．"), "a name");
});

Deno.test("what is written, renamed and removed is inside, too, and a folder where a slash ends its path", () => {
  using place = openFolder({ readOnly: false, links: LINKS });
  const { base, root, files } = place;
  const writes = (path: string, mode = "w") => () => files.open(path, openMode(mode)!);
  for (const path of READS.EACCES!) refused(writes(path), "EACCES");
  for (const path of READS.ENOTDIR!) {
    refused(writes(path), "ENOTDIR");
    if (path === "slash") continue; // the link itself is removed, and renamed
    refused(() => files.remove(path), "ENOTDIR");
    refused(() => files.rename(path, "b.txt"), "ENOTDIR");
  }
  refused(writes("new.txt/"), "ENOENT");
  assertThrows(() => Deno.statSync(`${root}/new.txt`), Deno.errors.NotFound);
  refused(writes("dangling"), "EACCES");
  refused(writes("dangling", "wx"), "EEXIST");
  assertThrows(() => Deno.statSync(`${base}/new.txt`), Deno.errors.NotFound);
  files.rename("sub/deep/", "folder/deeper");
  files.remove("folder/deeper/");
  assertEquals([...Deno.readDirSync(`${root}/sub`)].map(({ name }) => name).toSorted(), [
    "b.txt",
    "link",
    "up",
  ]);
  assertEquals(Deno.readTextFileSync(`${base}/secret.txt`), "secret");
});

Deno.test("links that lead out only after a rename are refused then", () => {
  using place = openFolder({ readOnly: false, links: { "sub/deep/link": "../../secret.txt" } });
  const { root, files } = place;
  Deno.writeTextFileSync(`${root}/secret.txt`, "harmless");
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
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const attacker = new Worker(url, { type: "module" });
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

Deno.test("a path goes along 40 links, and along no more", () => {
  const numbers = Array.from({ length: 41 }, (_, at) => at + 1);
  const links = numbers.map((at) => [`link${at}`, at === 1 ? "a.txt" : `link${at - 1}`] as const);
  using place = openFolder({ links: Object.fromEntries(links) });
  assertEquals(read(place.files, "link40"), "inside");
  refused(() => read(place.files, "link41"), "ELOOP");
});

Deno.test("withErrno() says with a number of C what failed", () => {
  const files = nodeFiles();
  const own = new ErrnoError(1, "do this");
  const failures: readonly (readonly [code: string, work: () => unknown])[] = [
    ["ENOENT", () => files.openSync("/none/at/all", 0)],
    ["EINVAL", () => files.readlinkSync("/")],
    ["EBADF", () => files.readSync(1e6, new Uint8Array(1), 0, 1, 0)],
    ["EBADF", () => files.writeSync(files.openSync("/dev/null", 0), new Uint8Array(1), 0, 1, 0)],
    ["EIO", () => JSON.parse("{")],
  ];
  for (const [code, work] of failures) refused(() => withErrno("try", work), code);
  assertEquals([withErrno("try", () => 5), errnoOf(new Error("other"))], [5, undefined]);
  const thrown = assertThrows(() =>
    withErrno("try", () => {
      throw own;
    })
  );
  assertEquals(thrown, own);
});
