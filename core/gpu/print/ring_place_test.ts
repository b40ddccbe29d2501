import { assertEquals, assertThrows } from "@std/assert";
import { Module } from "../text/module.ts";
import { PrintFault } from "./print_arguments.ts";
import { ringBinding, type RingPlace } from "./ring_place.ts";

function place(bindings: readonly string[], wanted = {}): RingPlace {
  const source = bindings.map((at, index) => {
    const [group, binding] = at.split(".");
    return `@group(${group}) @binding(${binding}) var<storage> v${index}: array<u32>;`;
  }).join("\n");
  return ringBinding(new Module(source), wanted);
}

Deno.test("the ring has a group of its own, as long as there is one", () => {
  const cases = [
    [[], { group: 0, binding: 0, isGroupShared: false }],
    [["0.0", "0.7"], { group: 1, binding: 0, isGroupShared: false }],
    [["1.0"], { group: 2, binding: 0, isGroupShared: false }],
    [["3.0u", "0.0"], { group: 1, binding: 0, isGroupShared: false }],
    [["0.0", "1.0", "2.0", "3.4", "3.2"], { group: 3, binding: 5, isGroupShared: true }],
  ] as const;
  for (const [bindings, wanted] of cases) assertEquals(place(bindings), wanted);
});

Deno.test("the options choose the place", () => {
  assertEquals(place(["0.0"], { group: 0 }), { group: 0, binding: 1, isGroupShared: true });
  assertEquals(place(["0.0"], { binding: 9 }), { group: 1, binding: 9, isGroupShared: false });
  assertEquals(place(["0.0"], { group: 7, binding: 3 }).group, 7);
});

Deno.test("a place that is the author's is refused", () => {
  const error = assertThrows(
    () => place(["0.0", "0.3"], { group: 0, binding: 3 }),
    PrintFault,
    "the options bind the ring where v1 is, at @group(0) @binding(3)",
  );
  assertEquals(
    error.start,
    "@group(0) @binding(0) var<storage> v0: array<u32>;\n@group(0) @binding(3) var<storage> "
      .length,
  );
});

Deno.test("numbers that only a compiler knows ask for the options", () => {
  assertThrows(() => place(["G.0"]), PrintFault, "by the options group and binding");
  assertThrows(() => place(["0.B + 1"], { group: 1 }), PrintFault, "by the options");
  assertEquals(place(["G.B"], { group: 2, binding: 1 }).binding, 1);
});

Deno.test("a number that is no index is refused", () => {
  assertThrows(() => place([], { group: -1 }), RangeError, "current value is -1");
  assertThrows(() => place([], { binding: 0.5 }), RangeError, "current value is 0.5");
});
