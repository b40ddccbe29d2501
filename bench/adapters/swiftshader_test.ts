import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { filesOfTar, swiftShaderFolder, swiftShaderObstacle } from "./swiftshader.ts";
import { join } from "@std/path";
import { type Ended, ended } from "../machine/ended.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

function member(path: string, content: string, kind = "0"): Uint8Array {
  const bytes = new TextEncoder().encode(content);
  const block = new Uint8Array(512 + Math.ceil(bytes.length / 512) * 512);
  const put = (text: string, byte: number) => block.set(new TextEncoder().encode(text), byte);
  put(path, 0);
  put(bytes.length.toString(8).padStart(11, "0"), 124);
  put(kind, 156);
  block.set(bytes, 512);
  return block;
}

function archive(...members: Uint8Array[]): Uint8Array {
  return Uint8Array.from([...members, new Uint8Array(1024)].flatMap((part) => [...part]));
}

Deno.test("filesOfTar() finds regular files by their names", () => {
  const files = filesOfTar(archive(
    member("lib/", "", "5"),
    member("lib/a.txt", "first"),
    member("b.txt", "x".repeat(513)),
  ));
  assertEquals([...files.keys()], ["a.txt", "b.txt"]);
  assertEquals(new TextDecoder().decode(files.get("a.txt")), "first");
  assertEquals(files.get("b.txt")!.length, 513);
});

Deno.test("filesOfTar() refuses an archive that ends inside a file", () => {
  const cut = member("a.txt", "x".repeat(600)).subarray(0, 1024);
  assertThrows(() => filesOfTar(cut), RangeError, "needs 600 bytes");
});

const PROGRAM = `
  import { unpackSwiftShader } from ${JSON.stringify(import.meta.resolve("./swiftshader.ts"))};
  const { libraryPath, driverPath } = await unpackSwiftShader();
  console.log(Deno.statSync(libraryPath).size, JSON.parse(Deno.readTextFileSync(driverPath)).ICD.library_path);
`;

function unpackInProcess(cacheFolder: string): Promise<Ended> {
  // In a folder without deno.json, as a program that only preloads software_gpu.ts.
  const args = ["eval", "--ext=ts", PROGRAM];
  const env = { PORTLAB_CACHE_DIR: cacheFolder, NO_COLOR: "1" };
  return ended(Deno.execPath(), args, { env, cwd: cacheFolder });
}

Deno.test({
  name: "unpackSwiftShader() in four processes at once leaves one whole folder",
  ignore: swiftShaderObstacle() !== undefined,
  async fn() {
    using scratch = new ScratchFolder();
    const cacheFolder = scratch.path;
    const outputs = await Promise.all([1, 2, 3, 4].map(() => unpackInProcess(cacheFolder)));
    const texts = outputs.map(({ code, out, error }) => code === 0 ? out : error);
    assertEquals(new Set(texts).size, 1, texts.join("\n"));
    assertEquals(texts[0]!.trim().endsWith(" ./libvk_swiftshader.so"), true, texts[0]!);
    const left = [...Deno.readDirSync(join(cacheFolder, "portlab"))].map(({ name }) => name);
    assertEquals(left.length, 1, `drafts are gone: ${left}`);
  },
});

Deno.test("swiftShaderFolder() is not in the source tree", () => {
  assertEquals(swiftShaderFolder().startsWith(join(import.meta.dirname!, "..", "..")), false);
});

Deno.test("the driver comes from the version that the tree names for the browser", async () => {
  const { imports } = JSON.parse(
    await Deno.readTextFile(join(import.meta.dirname!, "..", "..", "import_map.json")),
  );
  const version = imports["@sparticuz/chromium"].split("@").at(-1);
  assertMatch(swiftShaderFolder(), new RegExp(`swiftshader-${RegExp.escape(version)}$`));
});
