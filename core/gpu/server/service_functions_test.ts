import { assert, assertEquals, assertThrows } from "@std/assert";
import { Module } from "../text/module.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { type ServedText, servedText } from "./service_functions.ts";

function served(source: string, laneWords = 16): ServedText {
  return servedText(new Module(source), laneWords);
}

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
