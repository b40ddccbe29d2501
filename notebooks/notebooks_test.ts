import { assertEquals } from "@std/assert";
import { basename } from "@std/path";
import { listNotebooks, runNotebookFile } from "./runner/notebook_files.ts";

for (const path of listNotebooks()) {
  Deno.test(`${basename(path)} runs from top to bottom and shows what it promises`, async () => {
    assertEquals(await runNotebookFile(path), []);
  });
}
