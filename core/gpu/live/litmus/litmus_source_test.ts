import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { translate } from "naga-wasm";
import { litmusSource } from "./litmus_source.ts";
import { caseOf, LITMUS_CASES, type LitmusOrder, ORDERS } from "./litmus_table.ts";

function playOf(name: string, order: LitmusOrder, wave: "first" | "second", drops = false) {
  const text = litmusSource({ test: caseOf(name), order, wave, dropsBarriers: drops });
  return text.slice(text.indexOf("fn play("));
}

Deno.test("litmusSource() writes the wave's program, and no other", () => {
  assertEquals(
    playOf("message_passing", "release", "first"),
    `fn play(instance: u32, x: u32, y: u32, lane: u32) {
  { plain[x] = 1u; }
  { atomicStore(&words[y], 1u); }
}
`,
  );
  assertEquals(
    playOf("message_passing", "release", "second"),
    `fn play(instance: u32, x: u32, y: u32, lane: u32) {
  { let seen = atomicLoad(&words[y]); keep(instance, 0u, lane, seen); }
  { let seen = plain[x]; keep(instance, 1u, lane, seen); }
}
`,
  );
});

Deno.test("litmusSource() flips by exchanges where the order says so", () => {
  const text = playOf("store_buffering", "exchange", "first");
  assertStringIncludes(text, "_ = atomicExchange(&words[x], 1u);");
});

Deno.test("litmusSource() puts a barrier between all lanes' words and the flag of one", () => {
  const whole = /x \+ lane\] = 1u; }\n {2}workgroupBarrier\(\);\n {2}if lane == 0u { atomicStore/;
  assertMatch(playOf("vector", "release", "first"), whole);
  assertEquals(playOf("vector", "release", "first", true).includes("workgroupBarrier"), false);
});

Deno.test("litmusSource() is WGSL for each test, order and side", () => {
  for (const test of LITMUS_CASES) {
    for (const order of ORDERS) {
      for (const wave of ["first", "second"] as const) {
        const source = litmusSource({ test, order, wave });
        assertEquals(translate({ from: "wgsl", to: "spirv", source }) instanceof Uint32Array, true);
      }
    }
  }
});
