import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Types } from "../text/inference.ts";
import { TextFault } from "../text/lines.ts";
import { Module } from "../text/module.ts";
import type { Expression } from "../text/syntax.ts";
import type { Type } from "../text/value_type.ts";
import { aroundWord, replyText, serviceNames, wordsOf } from "./services.ts";
import { kernelOf } from "./testdata/graph_of.ts";

Deno.test("servicesOf() reads signatures, and how many words each parameter takes", () => {
  const { services, module } = kernelOf(`
    const TURN = 40000u;
    @service(TURN + 1) fn turn(v: vec3f, @other half: bool) -> vec2u;
    @cast @service(40002) fn tell();
    fn own(a: u32) -> u32 { return a; }
    fn kernel() {}`);
  const [turn, tell] = [...services.values()];
  assertEquals([turn!.name, tell!.name, services.size], ["turn", "tell", 2]);
  const { opcode, isCast, parameters, result } = turn!;
  assertEquals([module.textOf(opcode as Expression), isCast, result?.name], [
    "TURN + 1",
    false,
    "vec2",
  ]);
  assertEquals(parameters.map(({ name, words }) => [name, words.length]), [["v", 3], ["half", 1]]);
  assertEquals([tell!.isCast, tell!.parameters, tell!.result], [true, [], undefined]);
});

Deno.test("an opcode is a whole number that shows", () => {
  const cases = [
    ["COUNT", "current value is COUNT"],
    ["40000.5", "current value is 40000.5"],
    ["70000", "from 32768 to 65535: current value is 70000"],
    ["1", "current value is 1"],
    ["-1", "current value is -1"],
  ] as const;
  for (const [opcode, reason] of cases) {
    const { message } = assertThrows(
      () => kernelOf(`@service(${opcode}) fn f();\nfn kernel() { f(); }`),
      TextFault,
    );
    assertStringIncludes(message, reason);
  }
});

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

Deno.test("wordsOf() takes a value apart, one word after the other", () => {
  const paths = (text: string) =>
    wordsOf(...typed(text))?.map(({ path, scalar }) => `${path} ${scalar}`);
  assertEquals(paths("u32"), [" u32"]);
  assertEquals(paths("vec3f"), [".x f32", ".y f32", ".z f32"]);
  assertEquals(paths("mat2x2f"), ["[0].x f32", "[0].y f32", "[1].x f32", "[1].y f32"]);
  assertEquals(paths("array<i32, 2u>"), ["[0] i32", "[1] i32"]);
  assertEquals(paths("array<u32, 100>")?.length, 100);
  assertEquals(paths("Part"), [
    ".on bool",
    ".list[0].x f32",
    ".list[0].y f32",
    ".list[1].x f32",
    ".list[1].y f32",
  ]);
});

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

Deno.test("aroundWord() and replyText() are ways there and back", () => {
  const reply = (text: string) => replyText(...typed(text), { reply: "reply" });
  const [first, second] = wordsOf(...typed("Part"))!;
  assertEquals(aroundWord(first!).join("a"), "select(0u, 1u, a.on)");
  assertEquals(aroundWord(second!).join("a"), "bitcast<u32>(a.list[0].x)");
  assertEquals(aroundWord({ path: ".y", scalar: "u32" }).join("a"), "a.y");
  assertEquals(reply("u32"), "reply(0u)");
  assertEquals(
    reply("vec2i"),
    "vec2<i32>(bitcast<i32>(reply(0u)), bitcast<i32>(reply(1u)))",
  );
  const float = (word: number) => `bitcast<f32>(reply(${word}u))`;
  const list = [`vec2<f32>(${float(1)}, ${float(2)})`, `vec2<f32>(${float(3)}, ${float(4)})`];
  assertEquals(
    reply("Part"),
    `Part((reply(0u) != 0u), array<vec2<f32>, 2>(${list.join(", ")}))`,
  );
});
