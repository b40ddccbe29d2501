import { assertEquals } from "@std/assert";
import { wasmOf } from "../testing/wat_source.ts";
import { WasmCode } from "./wasm_code.ts";

const TEXT = `(module
  (import "numbers" "one" (global $one i32))
  (func (export "next") (param $number i32) (result i32)
    (i32.add (local.get $number) (global.get $one))))`;
const BYTES = btoa(String.fromCharCode(...wasmOf(TEXT)));

interface Functions {
  readonly next: (number: number) => number;
}

Deno.test("WasmCode.over() gives the functions over what they import, each time others", () => {
  const code = new WasmCode<Functions>(BYTES);
  const functions = [1, 10].map((one) => code.over({ numbers: { one } }));
  assertEquals(functions.map((each) => each?.next(5)), [6, 15]);
});

Deno.test("WasmCode.over() gives nothing where its module is refused, and does not ask again", () => {
  const { Module } = WebAssembly;
  let askedCount = 0;
  const refuse = function () {
    askedCount++;
    throw new WebAssembly.CompileError("the policy of the page");
  };
  try {
    WebAssembly.Module = refuse as unknown as typeof Module;
    const code = new WasmCode<Functions>(BYTES);
    const given = [1, 2].map((one) => code.over({ numbers: { one } }));
    assertEquals([given, askedCount], [[undefined, undefined], 1]);
  } finally {
    WebAssembly.Module = Module;
  }
});
