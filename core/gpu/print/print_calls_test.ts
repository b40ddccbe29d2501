import { assertEquals, assertThrows } from "@std/assert";
import { Types } from "../text/inference.ts";
import { Module } from "../text/module.ts";
import { assertOf, type PrintCall, PrintFault, printingCalls, printOf } from "./print_calls.ts";

function callsOf(source: string): readonly PrintCall[] {
  const types = new Types(new Module(source));
  return printingCalls(types.module).map((call) =>
    call.text === "assert" ? assertOf(types, call) : printOf(types, call)
  );
}

/** What is wrong at the mark §, which is not in it, and what the reason says. */
const WRONG: readonly (readonly [statement: string, reason: string])[] = [
  ['let a = §printf("a");', "printf has no value and is a statement of its own"],
  ['const a = §printf("a");', "printf has no value"],
  ['f(§printf("a"));', "printf has no value"],
  ['_ = 1 + §printf("a");', "printf has no value"],
  ["let x = §assert(true);", "write assert(...);"],
  ["for (§assert(true); true; ) { }", "no part of a for"],
  ["§printf();", 'its format is missing: write printf("text\\n")'],
  [
    "printf(§text, 1);",
    "has to be a string literal, as WGSL has no strings: current value is text",
  ],
  ['printf(§"a" + b);', 'current value is "a" + b'],
  ['printf(§"\\q");', 'a string must be written like one in JSON: "\\q"'],
  ['§printf("%d");', 'the format "%d" takes 1 argument and 0 are given'],
  ['§printf("a", 1);', 'the format "a" takes 0 arguments and 1 is given'],
  ['§printf("%d %%", 1, 2);', "takes 1 argument and 2 are given"],
  ['§printf("%*d", 1);', "takes 2 arguments and 1 is given: each conversion takes one, each *"],
  ['§printf("%b %b", v < 2u, f > (2.0));', "write (a < b), (c > d)"],
  ['printf(§"%y", 1);', "%y is no conversion"],
  ['printf("%s", §name);', "the argument of %s has to be a string literal"],
  ['printf("%*s", §3, "a");', "has to be a string literal"],
  ['printf_if(§"a");', "its condition is missing: write printf_if(x > 1"],
  ["printf_if(true, §1);", "its format has to be a string literal"],
  ["§assert();", 'write assert(x < 4u, "x is %u", x)'],
  ['assert(§"x", v.x > 1);', 'write assert(false, "x")'],
  ['§assert(v.x > 1, "x", v);', "and %% none"],
  ['let a = §"text";', 'only printf, printf_if, assert take them: write printf("text")'],
  ['prinf(§"x");', 'write printf("x")'],
  ['} const c = §printf("a"); fn g() {', "printf stands outside of a function: it prints when"],
  ["} const c = §assert(true); fn g() {", "assert stands outside of a function: it checks when"],
];

Deno.test("what is wrong is told where it is, with the way out", () => {
  for (const [statement, reason] of WRONG) {
    const marked = `fn f(v: vec2f) {\n  ${statement}\n}`;
    const source = marked.replace("§", "");
    const { start } = assertThrows(() => callsOf(source), PrintFault, reason, statement);
    assertEquals(start, marked.indexOf("§"), statement);
  }
});
