import { assertEquals, assertStringIncludes } from "@std/assert";
import { Module } from "../text/module.ts";
import { fn, hostApi, i32 } from "../../signature/mod.ts";
import { libraryText, usesApi } from "./program_library.ts";

const GRID = { threadCount: 3, blockCount: 2 };

function inFunction(statements: string): Module {
  return new Module(`fn main() {\n${statements}\n}`);
}

function textOf(source: string): string {
  return libraryText(new Module(source), GRID);
}

/** Names of the functions and constants that a text declares outside of functions. */
function declaredIn(text: string): string[] {
  return [...text.matchAll(/^(?:@service\(\w+\) )?(?:fn|const) (\w+)/gm)].map(([, name]) => name!);
}

Deno.test("libraryText() brings what is used, and nothing else", () => {
  assertEquals(textOf("fn main() { let a = 1u; }").trim(), "");
  assertEquals(declaredIn(textOf("fn main() { let a = global_index() + BLOCK_COUNT; }")), [
    "global_index",
    "BLOCK_COUNT",
  ]);
  const exits = declaredIn(textOf("fn main() { exit(1); }"));
  assertEquals(exits.includes("exit") && exits.includes("process_exit_call"), true);
  assertEquals(exits.some((name) => /fclose|time/.test(name)), false);
});

Deno.test("libraryText() leaves to the text what it declares, and printf to the kernel", () => {
  assertEquals(
    textOf("fn exit(a: i32) {} const THREAD_COUNT = 1u; fn f() { exit(1); }").trim(),
    "",
  );
  assertEquals(textOf('// exit\nfn main() { printf("exit"); }').trim(), "");
});

Deno.test("libraryText() brings what its own functions use", () => {
  const declared = declaredIn(textOf("fn main() { thread_index(); }"));
  assertEquals(declared.toSorted(), ["THREAD_COUNT", "global_index", "thread_index"]);
  const failing = textOf('fn main() { perror("a"); }');
  assertEquals(declaredIn(failing).includes("perror_of"), true);
  assertStringIncludes(failing, "fn perror(text: u32) { perror_of(text, host_errno); }");
  assertStringIncludes(failing, "var<private> host_errno: i32;");
});

Deno.test("libraryText() knows functions of files, memory and the system by bare names", () => {
  const declared = declaredIn(
    textOf("fn main() { f(fopen, malloc, free, getenv, files_fclose); }"),
  );
  for (const name of ["fopen", "malloc", "free", "getenv"]) {
    assertEquals(declared.includes(name), true, name);
  }
  assertEquals(declared.includes("fclose"), false);
});

Deno.test("libraryText() brings functions of a program's own APIs by their long names", () => {
  const api = hostApi("more", { fclose: fn([i32], i32), other: fn([], i32) });
  const text = (source: string) => declaredIn(libraryText(inFunction(source), GRID, [api]));
  assertEquals(text("other();"), []);
  const both = text("fclose(file); more_fclose(1);");
  assertEquals(both.includes("fclose") && both.includes("more_fclose"), true);
  assertEquals(both.includes("more_other"), false);
  assertEquals([
    usesApi(inFunction("more_other();"), api),
    usesApi(inFunction("other();"), api),
  ], [
    true,
    false,
  ]);
});
