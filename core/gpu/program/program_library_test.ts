import { assertEquals } from "@std/assert";
import { tokensOf } from "../syntax/tokens.ts";
import { libraryText } from "./program_library.ts";

const GRID = { threadCount: 3, blockCount: 2 };
const textOf = (source: string) => libraryText(tokensOf(source), GRID);
/** Names of the functions and constants that a text declares outside of functions. */
const declaredIn = (text: string) =>
  [...text.matchAll(/^(?:@service\(\w+\) )?(?:fn|const) (\w+)/gm)].map(([, name]) => name!);

Deno.test("libraryText() brings what is used, and nothing else", () => {
  assertEquals(textOf("fn main() { let a = 1u; }").trim(), "");
  assertEquals(declaredIn(textOf("let a = thread_index() + BLOCK_COUNT;")), [
    "BLOCK_COUNT",
    "thread_index",
  ]);
  const exits = declaredIn(textOf("exit(1);"));
  assertEquals(exits.includes("exit") && exits.includes("program_exit_call"), true);
  assertEquals(exits.some((name) => /fclose|time/.test(name)), false);
});

Deno.test("libraryText() leaves to the text what it declares, and printf to the kernel", () => {
  assertEquals(
    textOf("fn exit(a: i32) {} const THREAD_COUNT = 1u; fn f() { exit(1); }").trim(),
    "",
  );
  assertEquals(textOf('// exit\nprintf("exit");').trim(), "");
});

Deno.test("libraryText() says where a thread is in its grid", () => {
  const text = textOf("thread_index block_index global_index THREAD_COUNT");
  assertEquals(text.includes("const THREAD_COUNT = 3u;"), true);
  const bodies = [...text.matchAll(/return (.*);/g)].map(([, body]) => body);
  const index = "(wave_index * LANE_COUNT + lane_index)";
  assertEquals(bodies, [`${index} % 3u`, `${index} / 3u`, index]);
});
