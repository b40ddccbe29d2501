import { assertEquals, assertThrows } from "@std/assert";
import { LineFile, REWIND_BYTES } from "./line_file.ts";

Deno.test("LineFile counts what it writes, begins again when it is long, and goes", () => {
  const file = LineFile.create();
  const { path } = file;
  {
    using other = LineFile.open(path);
    assertEquals(other.write(new Uint8Array([65, 66])), 2);
  }
  assertEquals(Deno.readTextFileSync(path), "AB");
  const long = new Uint8Array(REWIND_BYTES + 1);
  assertEquals(file.write(long), long.length);
  file.write(new Uint8Array([67]));
  assertEquals(Deno.statSync(path).size, long.length, "written over, not behind");
  assertEquals(file.writtenBytes, long.length + 1);
  file[Symbol.dispose]();
  assertThrows(() => Deno.statSync(path), Deno.errors.NotFound);
});
