import { assertEquals, assertThrows } from "@std/assert";
import { filesOfTar } from "./tar.ts";

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
