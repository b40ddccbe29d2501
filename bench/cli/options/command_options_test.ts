import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { readCommand, readOptions, usageText } from "./command_options.ts";

const options = {
  out: { value: "FILE", help: "where it goes" },
  axis: { value: "NAME=V", isList: true, help: "moves an axis" },
  quick: { help: "does little" },
} as const;

Deno.test("readOptions() has texts, lists, flags, and what is no option", () => {
  const { given, rest, isHelp } = readOptions(
    ["a", "--axis", "n=1", "--out=x", "--axis", "n=2", "--quick", "3"],
    options,
  );
  assertEquals([given.out, given.axis, given.quick], ["x", ["n=1", "n=2"], true]);
  assertEquals([rest, isHelp], [["a", "3"], false]);
  assertEquals(readOptions(["a", "--", "--out"], options).behind, ["--out"]);
  for (const help of ["--help", "-h"]) assertEquals(readOptions([help], options).isHelp, true);
  assertEquals(readOptions([], options).given.out, undefined);
});

Deno.test("readOptions() refuses what it does not know, twice the same, and no value", () => {
  const wrong = [
    [["--uot", "x"], 'the nearest is "--out"'],
    [["--out", "x", "--out", "y"], "--out is there twice"],
    [["--out"], "--out has no value"],
    [["--axis", " "], "--axis has no value"],
  ] as const;
  for (const [args, text] of wrong) {
    assertThrows(() => readOptions(args, options), SyntaxError, text);
  }
});

Deno.test("readCommand() says how many words a command takes", () => {
  const command = {
    usage: ["deno task a FILE"],
    words: [1, 1],
    does: "",
    options,
    ends: "",
  } as const;
  for (const line of ["x", "--help"]) readCommand([line], command);
  for (const [rest, told] of [[[], "nothing"], [["x", "y"], "x y"]] as const) {
    const text = `it must be deno task a FILE: beside options there is ${told}`;
    assertThrows(() => readCommand(rest, command), SyntaxError, text);
  }
  const { words: _, ...wordless } = command;
  assertThrows(() => readCommand(["x"], wordless), SyntaxError, "there is x");
});

Deno.test("usageText() lists every option in a column", () => {
  const text = usageText({ usage: ["one", "two"], does: "Does.", options, ends: "Ends." });
  assertMatch(text, /^Usage: one\n {7}two\n\nDoes\.\n\n {2}--out FILE {10}where it goes\n/);
  assertMatch(text, /--help {14}show this text\n\nEnds\.\n$/);
});
