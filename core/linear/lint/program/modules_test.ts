import { assertEquals } from "@std/assert";
import type { Configuration } from "./configuration.ts";
import { Modules } from "./modules.ts";

const NOTHING: Configuration = {
  ...{ path: "/deno.json", imports: [], versions: {}, linked: {}, excluded: [] },
};

/** Files in a folder of their own. */
async function withFiles(
  texts: Readonly<Record<string, string>>,
  work: (folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const [name, text] of Object.entries(texts)) {
      await Deno.mkdir(`${folder}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("Modules finds what paths, import maps and links mean", async () => {
  const texts = {
    "src/a.ts": "",
    "lib/rpc.ts": "",
    "kit/deno.json": '{ "exports": { ".": "./mod.ts", "./x": "./src/x.ts" } }',
    "kit/mod.ts": "",
    "kit/src/x.ts": "",
    "node_modules/pack/package.json": '{ "types": "./index.d.ts" }',
    "node_modules/pack/index.d.ts": "",
  };
  await withFiles(texts, (folder) => {
    const modules = new Modules({
      ...NOTHING,
      imports: [["@lab/kit", "jsr:@lab/kit@^1"], ["rpc", `${folder}/lib/rpc.ts`], [
        "#/",
        `${folder}/src/`,
      ]],
      linked: { "@lab/kit": `${folder}/kit` },
    });
    const importer = `${folder}/src/main.ts`;
    const resolve = (one: string) => modules.resolve(one, importer)?.replace(folder, "");
    const found = ["./a.ts", "../lib/rpc.ts", "#/a.ts", "rpc", "@lab/kit", "@lab/kit/x", "pack"];
    assertEquals(found.map(resolve), [
      ...["/src/a.ts", "/lib/rpc.ts", "/src/a.ts", "/lib/rpc.ts"],
      ...["/kit/mod.ts", "/kit/src/x.ts", "/node_modules/pack/index.d.ts"],
    ]);
    const absent = ["./b.ts", "@lab/kit/y", "node:fs", "absent", "https://a.org/b.ts"];
    assertEquals(absent.map(resolve), absent.map(() => undefined));
    assertEquals(modules.read(`${folder}/absent.ts`), undefined);
    modules.edited = { path: importer, text: "edited" };
    assertEquals(modules.read(importer), "edited");
  });
});

/** The name under which Deno keeps a part of a URL. */
async function digestOf(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(path));
  return new Uint8Array(digest).toHex();
}

Deno.test("Modules finds what Deno keeps of URLs and packages, by the lock file", async () => {
  const before = Deno.env.get("DENO_DIR");
  const texts = {
    [`remote/https/a.org_PORT8000/${await digestOf("/x/port.ts")}`]: "port",
    [`remote/https/b.org/${await digestOf("/@lab/kit/1.0.2_meta.json")}`]:
      '{ "exports": { "./rpc": "./src/rpc.ts" } }',
    [`remote/https/b.org/${await digestOf("/@lab/kit/1.0.2/src/rpc.ts")}`]: "rpc",
    "npm/c.org/pack/2.1.0/package.json": '{ "exports": { "./b": "./b.d.ts" } }',
    "npm/c.org/pack/2.1.0/b.d.ts": "b",
  };
  await withFiles(texts, (folder) => {
    Deno.env.set("DENO_DIR", folder);
    try {
      const versions = { "jsr:@lab/kit@^1": "1.0.2", "npm:pack@2.1.0": "2.1.0" };
      const modules = new Modules({ ...NOTHING, versions });
      const read = (specifier: string, importer = "/main.ts") => {
        const path = modules.resolve(specifier, importer);
        return path && modules.read(path);
      };
      assertEquals(read("https://a.org:8000/x/port.ts"), "port");
      assertEquals(read("./port.ts", "/https/a.org:8000/x/mod.ts"), "port");
      assertEquals(read("jsr:@lab/kit@^1/rpc"), "rpc");
      assertEquals(read("npm:pack@2.1.0/b"), "b");
      assertEquals([read("jsr:@lab/kit@^2/rpc"), read("npm:pack@3.0.0/b")], [undefined, undefined]);
    } finally {
      before === undefined ? Deno.env.delete("DENO_DIR") : Deno.env.set("DENO_DIR", before);
    }
  });
});
