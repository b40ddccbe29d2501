import { assert, assertEquals, assertThrows } from "@std/assert";
import { Module } from "../text/module.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { type ServedText, servedText } from "./service_functions.ts";

function served(source: string, laneWords = 16): ServedText {
  return servedText(new Module(source), laneWords);
}

Deno.test("servedText() calls each function on the words of its packet", () => {
  const { source, generated, opcodes } = served(`
    const FIRST = 40000;
    struct Point { x: f32, on: bool }
    @service(FIRST) fn scale(p: Point, by: vec2f) -> vec2f { return by * p.x; }
    @service( 40001u )
    fn note(x: i32) { packet_set(3u, u32(x)); }`);
  assertEquals(opcodes, [40_000, 40_001]);
  assert(!source.includes("@service"), source);
  assertEquals(source.split("\n").length, 6, "lines stay where they are");
  assertEquals(generated.split("\n").filter((line) => line.includes("case ")), [
    "    case 40000u: { let answer = scale(Point(bitcast<f32>(packet_get(0u)), (packet_get(1u) != 0u)), " +
    "vec2<f32>(bitcast<f32>(packet_get(2u)), bitcast<f32>(packet_get(3u)))); " +
    "packet_set(0u, bitcast<u32>(answer.x)); packet_set(1u, bitcast<u32>(answer.y)); }",
    "    case 40001u: { note(bitcast<i32>(packet_get(0u))); }",
  ]);
});

Deno.test("servedText() leaves a text for GpuServer as it is", () => {
  const source = "fn operate(opcode: u32) { packet_set(0u, 1u); }";
  assertEquals(served(source), { source, generated: "" });
});

Deno.test("servedText() says what cannot be served, and where", () => {
  const refused = (source: string, reason: string, laneWords?: number) => {
    const error = assertThrows(() => served(source, laneWords), KernelCompileError);
    assert(error.message.includes(reason), error.message);
    return error.line;
  };
  assertThrows(() => served("fn f() {}"), TypeError, "has no function operate");
  assertEquals(refused("\n@service(40000) fn f(x: u32) -> u32;", "write its body"), 2);
  refused("@service(7) fn f() {}", "f needs an opcode from 32768 to 65535");
  refused("@service() fn f() {}", "f needs an opcode");
  const twice = "@service(40000) fn f() {}\n@service(40000u) fn g() {}";
  assertEquals(refused(twice, "opcode 40000 is another function's, too"), 2);
  refused("@service(40000) fn f(x: texture_2d<f32>) {}", "a packet holds numbers");
  refused(
    "@service(40000) fn f(x: vec4f) {}",
    "takes or gives back 4 words, and a packet has 3",
    3,
  );
});
