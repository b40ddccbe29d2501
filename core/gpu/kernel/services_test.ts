import { assertEquals } from "@std/assert";
import { Types } from "../text/inference.ts";
import { Module } from "../text/module.ts";
import type { Type } from "../text/value_type.ts";
import { serviceNames, wordsOf } from "./services.ts";
import { kernelOf } from "./testdata/graph_of.ts";

Deno.test("serviceNames() are what the author calls functions of the host", () => {
  const { module, services } = kernelOf(`
    const TURN = 0x9c40u; // const TURN = 1;
    @service(TURN + 1) fn turn();
    @service(40001u) fn again();
    @service(40002) fn files_fread_call() -> u32;
    fn fread() -> u32 { return files_fread_call(); }
    @service(40003) fn lonely_call();
    @service(OPCODE_NOOP + 9) fn unknown();
    fn helper() { turn(); }
    fn kernel() { _ = fread(); again(); helper(); _ = fread();
      _ = fread(); again(); // turn()
      turn();
      turn(); }`);
  assertEquals(
    [...serviceNames(module, services.values())].filter(([opcode]) => opcode >= 40_000),
    [
      [40_001, { name: "turn or again", place: "in line 9, 10, 11 or 2 others" }],
      [40_002, { name: "fread", place: "in line 10 or 11" }],
      [40_003, { name: "lonely_call", place: "" }],
    ],
  );
});

const STRUCT = "struct Part { on: bool, list: array<vec2f, 2> }\n";

function typed(text: string): readonly [Types, Type] {
  const module = new Module(`${STRUCT}var<private> value: ${text};`);
  const types = new Types(module);
  return [types, types.ofVariable(module.variables[0]!)!];
}

Deno.test("wordsOf() is undefined for what no packet holds", () => {
  const texts = [
    "f16",
    "vec2h",
    "array<u32>",
    "array<u32, N>",
    "array<u32, 5000>",
    "Nothing",
    "sampler",
  ];
  for (const text of texts) assertEquals(wordsOf(...typed(text)), undefined, text);
});
