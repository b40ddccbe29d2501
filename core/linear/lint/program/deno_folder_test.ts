import { assertEquals } from "@std/assert";
import { denoFolder, packageFolders } from "./deno_folder.ts";
import { ts } from "./compiler.ts";

Deno.test("packageFolders() has the folder of a package that was fetched", () => {
  const folders = packageFolders(`typescript/${ts.version}`);
  assertEquals(folders.every((one) => one.startsWith(denoFolder())), true);
  assertEquals(folders.length > 0, true);
});
