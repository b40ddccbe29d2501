import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { swiftShaderFolder, swiftShaderObstacle } from "./swiftshader.ts";

const PROGRAM = `
  import { unpackSwiftShader } from ${JSON.stringify(import.meta.resolve("./swiftshader.ts"))};
  const { libraryPath, driverPath } = await unpackSwiftShader();
  console.log(Deno.statSync(libraryPath).size, JSON.parse(Deno.readTextFileSync(driverPath)).ICD.library_path);
`;

function unpackInProcess(cacheFolder: string): Promise<Deno.CommandOutput> {
  // In a folder without deno.json, as a program that only preloads software_gpu.ts.
  const args = ["eval", "--ext=ts", PROGRAM];
  const env = { PORTLAB_CACHE_DIR: cacheFolder, NO_COLOR: "1" };
  return new Deno.Command(Deno.execPath(), { args, env, cwd: cacheFolder }).output();
}

Deno.test({
  name: "unpackSwiftShader() in four processes at once leaves one whole folder",
  ignore: swiftShaderObstacle() !== undefined,
  async fn() {
    const cacheFolder = await Deno.makeTempDir();
    try {
      const outputs = await Promise.all([1, 2, 3, 4].map(() => unpackInProcess(cacheFolder)));
      const texts = outputs.map(({ stdout, stderr, success }) =>
        new TextDecoder().decode(success ? stdout : stderr)
      );
      assertEquals(new Set(texts).size, 1, texts.join("\n"));
      assertEquals(texts[0]!.trim().endsWith(" ./libvk_swiftshader.so"), true, texts[0]!);
      const left = [...Deno.readDirSync(join(cacheFolder, "portlab"))].map(({ name }) => name);
      assertEquals(left.length, 1, `drafts are gone: ${left}`);
    } finally {
      await Deno.remove(cacheFolder, { recursive: true });
    }
  },
});

Deno.test("swiftShaderFolder() is not in the source tree", () => {
  assertEquals(swiftShaderFolder().startsWith(join(import.meta.dirname!, "..", "..")), false);
});

Deno.test("the driver comes from the version that deno.json names for the browser", async () => {
  const { imports } = JSON.parse(
    await Deno.readTextFile(join(import.meta.dirname!, "..", "..", "deno.json")),
  );
  const version = imports["@sparticuz/chromium"].split("@").at(-1);
  assertMatch(swiftShaderFolder(), new RegExp(`swiftshader-${RegExp.escape(version)}$`));
});
