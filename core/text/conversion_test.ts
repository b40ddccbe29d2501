import { assertEquals, assertThrows } from "@std/assert";
import { type Conversion, parseFormat, scalarOf } from "./conversion.ts";

function only(format: string): Conversion {
  const pieces = parseFormat(format);
  if (pieces.length !== 1 || typeof pieces[0] === "string") throw new TypeError(format);
  return pieces[0]!;
}

function texts(format: string): string[] {
  return parseFormat(format).map((piece) => typeof piece === "string" ? piece : piece.text);
}

Deno.test("parseFormat() tells text from conversions", () => {
  assertEquals(texts("a %d b%% %u"), ["a ", "%d", " b% ", "%u"]);
  assertEquals(texts("%%"), ["%"]);
  assertEquals(texts("%d%d"), ["%d", "%d"]);
  assertEquals(texts(""), []);
  assertEquals(texts("%%%d%%d"), ["%", "%d", "%d"]);
});

Deno.test("parseFormat() reads flags, width and precision", () => {
  assertEquals(only("%-+ 0#12.5f"), {
    text: "%-+ 0#12.5f",
    flags: "-+ 0#",
    width: 12,
    precision: 5,
    size: 1,
    letter: "f",
  });
  assertEquals([only("%.f").precision, only("%f").precision], [0, undefined]);
  assertEquals([only("%*.*f").width, only("%*.*f").precision], ["*", "*"]);
});

Deno.test("parseFormat() reads vectors, with size and letter or with none", () => {
  assertEquals([only("%v3f").size, only("%v3f").letter], [3, "f"]);
  assertEquals([only("%5.1v2e").size, only("%5.1v2e").precision], [2, 1]);
  assertEquals([only("%v").size, only("%v").letter], [0, "v"]);
  assertEquals(texts("%vf"), ["%v", "f"]);
  assertEquals(texts("%v, %v\n"), ["%v", ", ", "%v", "\n"]);
});

Deno.test("each conversion says which scalar it takes", () => {
  const scalars = [..."diuxXofFeEgG"].map((letter) => scalarOf(only(`%${letter}`)));
  const wanted = ["i32", "i32", "u32", "u32", "u32", "u32", ...Array(6).fill("f32")];
  assertEquals(scalars, wanted);
  assertEquals([scalarOf(only("%s")), scalarOf(only("%v"))], [undefined, undefined]);
});

Deno.test("parseFormat() refuses what is no conversion, and says what is one", () => {
  const cases = [
    ["%q", "%q is no conversion: use %d"],
    ["100%", "% is no conversion"],
    ["%5%", "%5% is no conversion"],
    ["%y", "%y is no conversion"],
    ["%n", "%n is no conversion"],
    ["%v5f", "%v5f is no conversion"],
    ["%v3s", "%v3s is no conversion"],
    ["%v3", "%v3 is no conversion"],
    ["%lu", "%l has a length, and numbers of WGSL have one length only: leave l out"],
    ["%4096d", "a width or precision is at most 4095: %4096d has 4096"],
    ["%.99999999999f", "at most 4095"],
  ] as const;
  for (const [format, reason] of cases) assertThrows(() => parseFormat(format), TypeError, reason);
});
