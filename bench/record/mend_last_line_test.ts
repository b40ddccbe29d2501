import { assertEquals } from "@std/assert";
import { mendLastLine } from "./mend_last_line.ts";

async function mended(text: string): Promise<readonly [text: string, cutBytes: number]> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, text);
    const cutBytes = await mendLastLine(path);
    return [await Deno.readTextFile(path), cutBytes];
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("mendLastLine() keeps whole lines, wherever a line was cut off", async () => {
  const whole = '{"a":1}\n{"b":"\u{1f600}"}\n';
  const bytes = new TextEncoder().encode(whole);
  assertEquals(await mended(whole), [whole, 0]);
  assertEquals(await mended(""), ["", 0]);
  for (let length = 1; length < 7; length++) {
    assertEquals(await mended(whole.slice(0, length)), ["", length]);
  }
  assertEquals(await mended('{"a":1}\n{"b":"\u{1f600}"'), ['{"a":1}\n', bytes.length - 10]);
});

Deno.test("mendLastLine() adds a line end that is all that is missing", async () => {
  assertEquals(await mended('{"a":1}\n{"b":2}'), ['{"a":1}\n{"b":2}\n', 0]);
});

Deno.test("mendLastLine() finds the last line end in a long file", async () => {
  const lines = `{"a":"${"x".repeat(1000)}"}\n`.repeat(200);
  assertEquals(await mended(`${lines}{"a":"${"x".repeat(150_000)}`), [lines, 150_006]);
});

Deno.test("mendLastLine() keeps whatever is JSON", async () => {
  for (const last of ["12", "true", '"a"', "null", "[1]", "{}"]) {
    const path = await Deno.makeTempFile();
    await Deno.writeTextFile(path, `{}\n${last}`);
    assertEquals([await mendLastLine(path), await Deno.readTextFile(path)], [0, `{}\n${last}\n`]);
    await Deno.remove(path);
  }
});
