import { assertEquals } from "@std/assert";
import { ModuleText } from "./module_text.ts";
import { aroundWord, replyText, wordsOf } from "./packet_words.ts";
import { namedType, type ValueType } from "../../syntax/value_type.ts";

const STRUCT = "struct Part { on: bool, list: array<vec2f, 2> }\n";

function typed(text: string): readonly [ModuleText, ValueType] {
  const module = new ModuleText(`${STRUCT}var<private> value: ${text};`);
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
