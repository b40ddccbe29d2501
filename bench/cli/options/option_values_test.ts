import { assertEquals, assertThrows } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { durationSecondsOf, namesOf, resultsFolder, shardOf, shareOf } from "./option_values.ts";

const root = fromFileUrl(new URL("../../..", import.meta.url));

Deno.test("resultsFolder() is that of the project from within it, and one of its own from elsewhere", () => {
  assertEquals(resultsFolder(root), "results");
  assertEquals(resultsFolder(join(root, "notebooks")), join("..", "results"));
  assertEquals(resultsFolder(join(root, "results")), ".");
  assertEquals(resultsFolder(join(root, "..")), "results");
  assertEquals(resultsFolder(), resultsFolder(Deno.cwd()));
});

Deno.test("durationSecondsOf() adds the parts of a time", () => {
  const times = Object.entries({ "90s": 90, "2m": 120, "1h30m": 5400, "500ms": 0.5, "1.5s": 1.5 });
  for (const [text, seconds] of times) assertEquals(durationSecondsOf("budget", text), seconds);
  for (const text of ["2", "m", "2 m", "2m!", "-2m", "x2m"]) {
    assertThrows(() => durationSecondsOf("budget", text), SyntaxError, "such as 90s, 2m or 1h30m");
  }
});

Deno.test("shareOf() and shardOf() take their own form only", () => {
  assertEquals([shareOf("precision", "0.5%", { min: 0 }), shardOf("2/4")], [0.005, {
    index: 2,
    count: 4,
  }]);
  for (const text of ["0.5", "0%", "-1%", "five%"]) {
    assertThrows(
      () => shareOf("precision", text, { min: 0.01 }),
      SyntaxError,
      "a share such as 5%",
    );
  }
  for (const text of ["0/4", "5/4", "2", "1/0", "1.5/4"]) {
    assertThrows(() => shardOf(text), SyntaxError, "from 1/N to N/N");
  }
});

Deno.test("namesOf() says which name is the nearest", () => {
  const known = ["table", "markdown", "json"] as const;
  assertEquals(namesOf("format", { text: "json,table", known }), ["json", "table"]);
  assertThrows(
    () => namesOf("format", { text: "jsno", known }),
    SyntaxError,
    'no "jsno": it takes table, markdown, json; the nearest is "json"',
  );
});
