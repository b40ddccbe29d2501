import { assertEquals } from "@std/assert";
import { insertion, type TextEdit, WgslText } from "./wgsl_text.ts";

const BREAKS = ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"];

Deno.test("WgslText ends lines by line feeds, but in strings", () => {
  for (const end of BREAKS) {
    const { source, lineCount } = new WgslText(`a // b${end}/* ${end} */${end}c`);
    assertEquals([source, lineCount], ["a // b\n/* \n */\nc", 4]);
  }
  const text = new WgslText('\ufeffput("a\u2028b");\r\nc');
  assertEquals(text.source, 'put("a\u2028b");\nc');
  assertEquals(text.positionAt(text.source.indexOf("c")), { line: 2, column: 1 });
  assertEquals(text.lineOf(1), 'put("a\u2028b");');
});

Deno.test("WgslText sees the same tokens, whatever ends its lines", () => {
  const source =
    `// "no" /* \n"yes" // "no\n/* /* \n */ "no" // */ a // */\n"b // \n/**/"c" /*"*/ d`;
  const texts = new WgslText(source).tokens.map(({ text }) => text);
  assertEquals(texts, ['"yes"', "a", '"b // ', '"c"', "d"]);
  for (const end of BREAKS) {
    // What JSON allows in a string ends none.
    const isInString = /[\u0085\u2028\u2029]/.test(end);
    const found = new WgslText(source.replaceAll("\n", end)).tokens.map(({ text }) => text);
    if (!isInString) assertEquals(found, texts, JSON.stringify(end));
    else assertEquals(found[2], `"b // ${end}/**/"`);
  }
});

Deno.test("WgslText.positionAt() counts lines and columns from 1, in UTF-16 units", () => {
  const text = new WgslText("a😀b\n\ncd");
  assertEquals(text.positionAt(0), { line: 1, column: 1 });
  assertEquals(text.positionAt(text.source.indexOf("b")), { line: 1, column: 4 });
  assertEquals(text.positionAt(text.source.indexOf("d")), { line: 3, column: 2 });
  assertEquals(text.positionAt(text.source.length), { line: 3, column: 3 });
  assertEquals([1, 2, 3, 4].map((line) => text.lineOf(line)), ["a😀b", "", "cd", ""]);
  assertEquals([1, 3, 4].map((line) => text.indexAt({ line, column: 2 })), [1, 7, -1]);
});

Deno.test("WgslText.called has what parentheses follow", () => {
  const { called } = new WgslText('fn f() { g (1u); a[h(2u)] = "i()"; if (true) {} } // j()');
  assertEquals([...called], ["f", "g", "h", "if"]);
});

const SOURCE = "ab cd\nef gh ij\nkl";
const EDITS: readonly TextEdit[] = [
  insertion(SOURCE.indexOf("gh"), "+++"),
  insertion(SOURCE.indexOf(" ij"), "++"),
];

Deno.test("WgslText.edited() inserts and replaces, in any order", () => {
  const at = SOURCE.indexOf("ij");
  const more = [{ index: at, end: at + 2, text: "  " }, { index: 0, end: 2, text: "XYZ" }];
  assertEquals(new WgslText(SOURCE).edited([...more, ...EDITS]), "XYZ cd\nef +++gh++   \nkl");
});

Deno.test("WgslText.originalPosition() leads each character back to where it was", () => {
  const text = new WgslText(SOURCE);
  const longer = { index: 0, end: 2, text: "ab..." };
  const edits = [...EDITS.toReversed(), longer];
  const edited = new WgslText(text.edited(edits));
  for (const letter of "abcdefghijkl") {
    const found = edited.positionAt(edited.source.indexOf(letter));
    const wanted = text.positionAt(SOURCE.indexOf(letter));
    assertEquals(text.originalPosition(edits, found), wanted, letter);
  }
  for (const column of [4, 5, 6]) {
    assertEquals(text.originalPosition(edits, { line: 2, column }), { line: 2, column: 4 });
  }
  assertEquals(text.originalPosition(edits, { line: 9, column: 9 }), { line: 9, column: 9 });
});
