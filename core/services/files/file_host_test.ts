import { assertEquals } from "@std/assert";
import { openMode } from "./file_host.ts";

Deno.test("openMode() knows the modes of C, and nothing else", () => {
  const shown = (mode: string) => {
    const meaning = openMode(mode);
    return meaning &&
      Object.entries(meaning).filter(([, is]) => is).map(([name]) => name).join(" ");
  };
  const modes = ["r", "rb", "r+", "rb+", "r+b", "w", "w+", "wx", "wb+x", "a", "a+"];
  assertEquals(modes.map(shown), [
    "read",
    "read",
    "read write",
    "read write",
    "read write",
    "write truncate create",
    "read write truncate create",
    "write truncate create createNew",
    "read write truncate create createNew",
    "write append create",
    "read write append create",
  ]);
  for (const wrong of ["", "x", "rw", "rx", "ax", "r++", "w+b+", "R"]) {
    assertEquals(openMode(wrong), undefined);
  }
});
