import { assertEquals, assertThrows } from "@std/assert";
import { declarationsOf } from "../syntax/declarations.ts";
import { editText } from "../syntax/text_edits.ts";
import { tokensOf } from "../syntax/tokens.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { programGlobals } from "./program_globals.ts";

function globalsOf(source: string) {
  const tokens = tokensOf(source);
  const { variables } = declarationsOf(tokens);
  const constants = "const THREAD_COUNT = 3u;";
  const { insertions, sizesBytes } = programGlobals({ source, tokens, variables, constants }, {
    firstBinding: 1,
    storageBuffersMax: 9,
  });
  return { text: editText(source, { insertions, replacements: [] }), sizesBytes };
}

Deno.test("programGlobals() makes bindings of what threads share, one after the other", () => {
  const source = `var<private> own: u32;
    var<storage, read_write> sum: atomic<u32>; const COUNT = 3u; // var<storage> x
    var<storage, read_write> counts: array<atomic<u32>, COUNT * 4u>;`;
  const { text, sizesBytes } = globalsOf(source);
  assertEquals(sizesBytes, [4, 48]);
  const bound = (binding: number) => `@group(1) @binding(${binding}) var<storage, read_write>`;
  const wanted = source.replace("var<storage, read_write> sum", `${bound(1)} sum`)
    .replace("var<storage, read_write> counts", `${bound(2)} counts`);
  assertEquals(text, wanted);
});

Deno.test("programGlobals() sizes structs, vectors and halves", () => {
  const global = (type: string) => `var<storage, read_write> value: ${type};`;
  const struct = "struct Totals { sum: atomic<u32>, at: vec3f, list: array<atomic<i32>, 2> }";
  assertEquals(globalsOf(`${struct} ${global("Totals")}`).sizesBytes, [48]);
  assertEquals(globalsOf(global("array<vec3<f32>, 2>")).sizesBytes, [32]);
  assertEquals(globalsOf(global("f16")).sizesBytes, [4]);
  assertEquals(globalsOf(global("array<u32, 2 * THREAD_COUNT>")).sizesBytes, [24]);
});

Deno.test("programGlobals() refuses what it cannot place, with the way out", () => {
  const wrong: readonly (readonly [source: string, reason: string])[] = [
    ["@group(1) @binding(0) var<storage, read_write> a: u32;", "leave out @group and @binding"],
    ["var<storage> a: u32;", "a global is var<storage, read_write>"],
    ["var<storage, read_write> a: array<u32>;", "its size is not known"],
    ["var<storage, read_write> a: Nothing;", "its size is not known"],
    [
      "var<storage, read_write> b: u32; var<storage, read_write> c: u32; var<storage, read_write> a: u32;",
      "at most 2 globals here, of the 9 storage buffers of this device: make members of one struct",
    ],
  ];
  for (const [source, reason] of wrong) {
    const error = assertThrows(() => globalsOf(source), KernelCompileError, reason);
    assertEquals(error.column, source.indexOf("a: ") + 1, source);
  }
  const valued = "var<storage, read_write> a: u32 = 3u;";
  const error = assertThrows(() => globalsOf(valued), KernelCompileError, "in fn begin()");
  assertEquals(error.column, valued.indexOf("3u") + 1);
});
