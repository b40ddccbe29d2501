import { assertEquals, assertRejects } from "@std/assert";
import { bundleCore, moduleUrls } from "./bundle.ts";

Deno.test("moduleUrls() finds expressions, and no text that shows one", () => {
  const script = [
    'new Worker(new URL("./a_worker.ts", import.meta.url));',
    'const text = `as in new URL("./text.ts", import.meta.url), ${new URL("../b.ts", import.meta.url)}`;',
    '// new URL("./comment.ts", import.meta.url)',
    '"new URL(\\"./string.ts\\", import.meta.url)";',
    'new URL("./c.ts", location.href);',
    'new URL("./d.js", import.meta.url);',
  ].join("\n");
  const found = moduleUrls(script);
  assertEquals(found.map(({ name }) => name), ["a_worker.ts", "b.ts"]);
  assertEquals(found.map(({ start, end }) => script.slice(start, end)), [
    '"./a_worker.ts"',
    '"../b.ts"',
  ]);
});

Deno.test("bundleCore() leaves what was there where a module starts a worker that is no entry", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const target = `${folder}/dist`;
    await Deno.mkdir(target);
    await Deno.writeTextFile(`${target}/mod.js`, "before");
    // It starts a worker of the tests.
    const others = ["core/testing/conformance/test_bed.ts"];
    await assertRejects(() => bundleCore(target, others), Error, "which is no entry");
    assertEquals(await Deno.readTextFile(`${target}/mod.js`), "before");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["dist"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
