import { assertEquals, assertThrows } from "@std/assert";
import { checkC, type Conversion, FormatCache, parseFormat, scalarOf } from "./conversion.ts";

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
    length: "",
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
    ["%.-3f", "%.-3f is no conversion"],
    ["%qd", "%qd is no conversion"],
    ["%hhu", "%h has a length, and numbers of WGSL have one length only: leave h out"],
    ["%v3lf", "%v3l has a length"],
    ["%lu", "%l has a length, and numbers of WGSL have one length only: leave l out"],
    ["%4096d", "a width or precision is at most 4095: %4096d has 4096"],
    ["%.99999999999f", "at most 4095"],
  ] as const;
  for (const [format, reason] of cases) assertThrows(() => parseFormat(format), TypeError, reason);
});

function ofC(format: string): Conversion {
  const [piece] = parseFormat(format, checkC);
  if (piece === undefined || typeof piece === "string") throw new TypeError(format);
  return piece;
}

Deno.test("parseFormat() finds flags, extents, lengths and letters of C", () => {
  assertEquals(ofC("%-+08.3lld"), {
    text: "%-+08.3lld",
    flags: "-+0",
    width: 8,
    precision: 3,
    size: 1,
    length: "ll",
    letter: "d",
  });
  assertEquals(ofC("%*.*Lf").width, "*");
  assertEquals([ofC("%.s").precision, ofC("%.-3d").precision], [0, undefined]);
  const lengths = ["hh", "h", "l", "ll", "j", "z", "t", "q", "L"];
  assertEquals(lengths.map((length) => ofC(`%${length}x`).length), lengths);
  assertEquals(parseFormat("ä%%%d", checkC).slice(0, 1), ["ä%"]);
});

Deno.test("parseFormat() refuses what is no conversion of C", () => {
  const cases = [
    ["%", '"%" as it is no conversion of C'],
    ["%l%", '"%l%" as it is no conversion of C'],
    ["%5%", '"%5%" as it is no conversion of C'],
    ["%v", '"%v" as it is no conversion of C'],
    ["%v3f", '"%v3f" as it is no conversion of C'],
    ["%y", "no conversion of C"],
    ["%l", "no conversion of C"],
    ["%n", "%n as it writes to memory: leave it out"],
    ["%hhn", "%hhn as it writes to memory"],
    ["%5000d", "widths and precisions are at most 4095: current value is 5000"],
  ] as const;
  for (const [format, reason] of cases) {
    assertThrows(() => parseFormat(format, checkC), TypeError, reason, format);
  }
  assertEquals(ofC("%.5000s").precision, 5000, "takes letters away only");
});

Deno.test("FormatCache finds the one that is meant of those with a key", () => {
  const cache = new FormatCache<number, string>();
  assertEquals(["ab", "cd"].map((made) => cache.learn(2, 2, made)), ["ab", "cd"]);
  const find = (made: string) => cache.find(2, (one) => one === made);
  assertEquals([find("ab"), find("cd"), find("ef")], ["ab", "cd", undefined]);
});

Deno.test("FormatCache begins anew where it is full, and keeps no long ones", () => {
  const cache = new FormatCache<string, number>();
  const has = (key: number) => cache.find(String(key), () => true) !== undefined;
  for (let made = 0; made < 256; made++) cache.learn(String(made), 1024, made);
  assertEquals([has(0), has(255)], [true, true]);
  assertEquals(cache.learn("256", 1, 256), 256);
  assertEquals([has(0), has(255), has(256)], [false, false, true]);
  assertEquals(cache.learn("257", 1025, 257), 257);
  assertEquals(has(257), false);
});
