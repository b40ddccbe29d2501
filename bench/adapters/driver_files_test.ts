import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { driverFiles } from "./driver_files.ts";

Deno.test("driverFiles() finds descriptions where the Vulkan loader looks", async () => {
  const share = await Deno.makeTempDir();
  const before = Deno.env.get("XDG_DATA_DIRS");
  try {
    const folder = join(share, "vulkan", "icd.d");
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, "my_icd.json"), "{}");
    await Deno.writeTextFile(join(folder, "notes.txt"), "");
    Deno.env.set("XDG_DATA_DIRS", share);
    const found = driverFiles().filter(({ path }) => path.startsWith(share));
    assertEquals(found, [{ name: "my_icd", path: join(folder, "my_icd.json") }]);
  } finally {
    if (before === undefined) Deno.env.delete("XDG_DATA_DIRS");
    else Deno.env.set("XDG_DATA_DIRS", before);
    await Deno.remove(share, { recursive: true });
  }
});
