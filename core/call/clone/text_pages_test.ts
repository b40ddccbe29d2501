import { assertEquals } from "@std/assert";
import { pageText, TextPages } from "./text_pages.ts";

/** The strings of all pages. */
function textsOf(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 0; at < bytes.length;) {
    const [head, lengthBytes] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const text = pageText(bytes.subarray(at + 8, at + 8 + lengthBytes), (head & 1) === 1);
    assertEquals(text.length, head >>> 1);
    texts.push(text);
    at += 8 + lengthBytes;
  }
  return texts;
}

const LONG = "ä€😀x".repeat(3000);

for (
  const [texts, pages] of [
    [[], []],
    [["a", "bc"], ["abc"]],
    [["a", "\ufeffä"], ["a\ufeffä"]],
    [["a".repeat(4096), "b"], ["a".repeat(4096), "b"]],
    [["ä".repeat(40), "x".repeat(49), "€"], ["ä".repeat(40) + "x".repeat(49) + "€"]],
    [["a", "\ud800", "b"], ["a", "\ud800", "b"]],
    [["\udc00".repeat(9000), "z"], ["\udc00".repeat(9000), "z"]],
    [[LONG, LONG], [LONG, LONG]],
  ] as const
) {
  Deno.test(`TextPages keeps ${JSON.stringify(texts).slice(0, 40)}`, () => {
    const all = new TextPages();
    for (let message = 0; message < 2; message++) {
      for (const text of texts) all.add(text);
      assertEquals(textsOf(all.end()), [...pages]);
      all.reset();
    }
  });
}
