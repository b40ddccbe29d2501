import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { moduleOf } from "../testdata/graph_of.ts";
import { ModuleText } from "./kernel_module.ts";
import { aroundWord, replyText, serviceNames, wordsOf } from "./services.ts";
import { KernelCompileError } from "../../wgsl/kernel_compile.ts";
import { namedType, type ValueType } from "../../syntax/value_type.ts";

Deno.test("servicesOf() reads signatures, and how many words each parameter takes", () => {
  const { services, tokens } = moduleOf(`
    const TURN = 40000u;
    @service(TURN + 1) fn turn(v: vec3f, @other half: bool) -> vec2u;
    @cast @service(40002) fn tell();
    fn own(a: u32) -> u32 { return a; }
    fn kernel() {}`);
  assertEquals([...services.keys()], ["turn", "tell"]);
  const { opcode, isCast, parameters, result } = services.get("turn")!;
  const opcodeText = tokens.slice(opcode.start, opcode.end).map(({ text }) => text).join(" ");
  assertEquals([opcodeText, isCast, result?.name], ["TURN + 1", false, "vec2"]);
  assertEquals(parameters.map(({ name, words }) => [name, words.length]), [["v", 3], ["half", 1]]);
  const tell = services.get("tell")!;
  assertEquals([tell.isCast, tell.parameters, tell.result], [true, [], undefined]);
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
      () => moduleOf(`@service(${opcode}) fn f();\nfn kernel() { f(); }`),
      KernelCompileError,
    );
    assertStringIncludes(message, reason);
  }
});

Deno.test("serviceNames() are what the author calls functions of the host", () => {
  const module = moduleOf(`
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
  assertEquals([...serviceNames(module)].filter(([opcode]) => opcode >= 40_000), [
    [40_001, { name: "turn or again", place: "in line 9, 10, 11 or 2 others" }],
    [40_002, { name: "fread", place: "in line 10 or 11" }],
    [40_003, { name: "lonely_call", place: "" }],
  ]);
});

const STRUCT = "struct Part { on: bool, list: array<vec2f, 2> }\n";

function typed(text: string): readonly [ModuleText, ValueType] {
  const module = new ModuleText(new WgslText(`${STRUCT}var<private> value: ${text};`));
  return [module, namedType(module, module.declarations.variables[0]!.type)];
}

Deno.test("wordsOf() takes a value apart, one word after the other", () => {
  const paths = (text: string) =>
    wordsOf(...typed(text))?.map(({ path, scalar }) => `${path} ${scalar}`);
  assertEquals(paths("u32"), [" u32"]);
  assertEquals(paths("vec3f"), [".x f32", ".y f32", ".z f32"]);
  assertEquals(paths("mat2x2f"), ["[0].x f32", "[0].y f32", "[1].x f32", "[1].y f32"]);
  assertEquals(paths("array<i32, 2u>"), ["[0] i32", "[1] i32"]);
  assertEquals(paths("Part"), [
    ".on bool",
    ".list[0].x f32",
    ".list[0].y f32",
    ".list[1].x f32",
    ".list[1].y f32",
  ]);
});

Deno.test("wordsOf() looks no scalar up", () => {
  const nowhere = {} as ModuleText;
  for (const name of ["u32", "i32", "f32", "bool"] as const) {
    assertEquals(wordsOf(nowhere, { name, args: [] }), [{ path: "", scalar: name }]);
  }
});

Deno.test("wordsOf() is undefined for what no packet holds", () => {
  const texts = [
    "f16",
    "vec2h",
    "array<u32>",
    "array<u32, N>",
    "array<u32, 65>",
    "Nothing",
    "sampler",
  ];
  for (const text of texts) assertEquals(wordsOf(...typed(text)), undefined, text);
});

Deno.test("aroundWord() and replyText() are ways there and back", () => {
  const [first, second] = wordsOf(...typed("Part"))!;
  assertEquals(aroundWord(first!).join("a"), "select(0u, 1u, a.on)");
  assertEquals(aroundWord(second!).join("a"), "bitcast<u32>(a.list[0].x)");
  assertEquals(aroundWord({ path: ".y", scalar: "u32" }).join("a"), "a.y");
  assertEquals(replyText(...typed("u32")), "reply(0u)");
  assertEquals(
    replyText(...typed("vec2i")),
    "vec2<i32>(bitcast<i32>(reply(0u)), bitcast<i32>(reply(1u)))",
  );
  const float = (word: number) => `bitcast<f32>(reply(${word}u))`;
  const list = [`vec2<f32>(${float(1)}, ${float(2)})`, `vec2<f32>(${float(3)}, ${float(4)})`];
  assertEquals(
    replyText(...typed("Part")),
    `Part((reply(0u) != 0u), array<vec2<f32>, 2>(${list.join(", ")}))`,
  );
});
