import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { systemText, writeWhole } from "./write_whole.ts";

Deno.test("writeWhole() makes the folder, and replaces what is there", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "a", "b", "c.txt");
    for (const content of ["text", new Uint8Array([116, 0]), ["te", "", "xt"]]) {
      await writeWhole(path, content);
      const expected = content instanceof Uint8Array ? "t\0" : "text";
      assertEquals(await Deno.readTextFile(path), expected);
    }
    assertEquals([...Deno.readDirSync(join(folder, "a", "b"))].map(({ name }) => name), ["c.txt"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function* failing(): Generator<string> {
  yield "after";
  throw new Error("No space left on device (os error 28): write '/x'");
}

Deno.test("writeWhole() names the file when it fails, and leaves the earlier one", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "page.html");
    await Deno.writeTextFile(path, "before");
    await assertRejects(
      () => writeWhole(path, failing()),
      Error,
      `Cannot write ${path} as the system says "No space left on device (os error 28)"`,
    );
    await assertRejects(
      () => writeWhole(join(path, "x"), ""),
      Error,
      `Cannot write ${join(path, "x")} as the system says "`,
    );
    assertEquals(await Deno.readTextFile(path), "before");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["page.html"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("systemText() keeps what the system says", () => {
  const full = new Error("No space left on device (os error 28): writefile '/a'");
  assertEquals(systemText(full), "No space left on device (os error 28)");
  assertEquals(systemText("odd"), "odd");
});
