import { assertEquals, assertThrows } from "@std/assert";
import { type CConversion, parseCFormat } from "./c_format.ts";

function conversion(format: string): CConversion {
  return parseCFormat(format)[0] as CConversion;
}

Deno.test("parseCFormat() finds flags, extents, lengths and letters", () => {
  assertEquals(conversion("%-+08.3lld"), {
    text: "%-+08.3lld",
    flags: "-+0",
    width: 8,
    precision: 3,
    length: "ll",
    letter: "d",
  });
  assertEquals(conversion("%*.*Lf").width, "*");
  assertEquals([conversion("%.s").precision, conversion("%.-3d").precision], [0, undefined]);
  assertEquals(
    ["hh", "h", "l", "ll", "j", "z", "t", "q", "L"].map((length) =>
      conversion(`%${length}x`).length
    ),
    ["hh", "h", "l", "ll", "j", "z", "t", "q", "L"],
  );
});

Deno.test("parseCFormat() keeps text in UTF-8, and percent signs", () => {
  const pieces = parseCFormat("ä%%%d");
  assertEquals(pieces.slice(0, 2), [new TextEncoder().encode("ä"), new Uint8Array([37])]);
  assertEquals(pieces.length, 3);
  assertEquals(parseCFormat(""), []);
  for (const wrong of ["%", "%y", "%l", "%l%", "%n", "%5000d"]) {
    assertThrows(() => parseCFormat(wrong), TypeError);
  }
});
