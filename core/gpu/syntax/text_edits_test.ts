import { assertEquals } from "@std/assert";
import { editText, type Insertion, originalPosition } from "./text_edits.ts";
import { positionAt } from "./text_position.ts";

const SOURCE = "ab cd\nef gh ij\nkl";
const INSERTIONS: readonly Insertion[] = [
  { index: SOURCE.indexOf("gh"), text: "+++" },
  { index: SOURCE.indexOf(" ij"), text: "++" },
];

Deno.test("editText() inserts and replaces", () => {
  const replacements = [{ index: 0, text: "XY" }, { index: SOURCE.indexOf("ij"), text: "  " }];
  assertEquals(
    editText(SOURCE, { insertions: INSERTIONS, replacements }),
    "XY cd\nef +++gh++   \nkl",
  );
});

Deno.test("originalPosition() leads each character back to where it was", () => {
  const edited = editText(SOURCE, { insertions: INSERTIONS, replacements: [] });
  for (const letter of "abcdefghijkl") {
    const found = positionAt(edited, edited.indexOf(letter));
    assertEquals(
      originalPosition(SOURCE, INSERTIONS, found),
      positionAt(SOURCE, SOURCE.indexOf(letter)),
      letter,
    );
  }
});

Deno.test("originalPosition() of an insertion is where that begins", () => {
  for (const column of [4, 5, 6]) {
    assertEquals(originalPosition(SOURCE, INSERTIONS, { line: 2, column }), { line: 2, column: 4 });
  }
});
