import { assertEquals } from "@std/assert";
import { linkLibrary } from "./link.ts";
import { Module } from "./module.ts";
import { Parser } from "./parser.ts";

const PARTS = [
  "struct lane { sent: u32 } fn sent(lane: u32) { let sent_ = lane; }",
  "fn go() { sent(1u); } fn apart() { go(); }",
];

function linked(author: string, options?: Parameters<typeof linkLibrary>[2]): string {
  return linkLibrary(PARTS, new Module(author), options);
}

Deno.test("linkLibrary() gives the names of the author back", () => {
  assertEquals(linked("fn mine() { sent(); }"), PARTS.join("\n"));
  assertEquals(
    linked("const sent = 1; fn go() { }"),
    `struct lane { sent: u32 } fn sent__2(lane: u32) { let sent_ = lane; }
fn go_() { sent__2(1u); } fn apart() { go_(); }`,
  );
  assertEquals(
    linked("", { changed: new Map([["sent", "s"], ["lane", "l"]]) }).split("\n")[0],
    "struct l { sent: u32 } fn s(lane: u32) { let sent_ = lane; }",
  );
});

Deno.test("linkLibrary() leaves functions out that nothing wanted reaches", () => {
  assertEquals(linked("", { wanted: ["go"] }), `${PARTS[0]}\nfn go() { sent(1u); } `);
  const rest = "struct lane { sent: u32 } \n ";
  assertEquals(linked("", { wanted: [] }), rest);
});

Deno.test("linkLibrary() reads a text of the library once", () => {
  const original = Parser.prototype.module;
  let readCount = 0;
  Parser.prototype.module = function () {
    readCount++;
    return original.call(this);
  };
  try {
    const part = "fn only_here() {}";
    for (const author of ["fn only_here() {}", "const only_here = 1;"]) {
      linkLibrary([part], new Module(author));
    }
  } finally {
    Parser.prototype.module = original;
  }
  assertEquals(readCount, 3); // two authors, and one part
});
