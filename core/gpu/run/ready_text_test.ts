import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { TextFault } from "../text/lines.ts";
import { Module } from "../text/module.ts";
import { type OverrideValues, readyText } from "./ready_text.ts";

const TEXT = `@id(3) override count: u32 = 4; // how many
override scale = 1.5; override on: bool = true; override shift = -1;
@service fn twice(x: u32) -> u32;
fn kernel() {
  var list: array<u32, count>;
  list[count - 1u] = twice(count);
  printf("%u %g %d %u", list[count - 1u], scale, shift, select(0u, twice(1u), on));
}`;

function ready(source: string, values: OverrideValues = {}): string {
  return readyText(new Module(source), values).text.printed().text;
}

Deno.test("readyText() knows the lengths that overrides make", () => {
  const lengthOf = (values: OverrideValues) => {
    const { text: { types, module } } = readyText(
      new Module("override a = 2u; override b = a + 1; var<private> x: array<u32, b>;"),
      values,
    );
    return types.ofVariable(module.variables[2]!)!.args[1]!.name;
  };
  assertEquals([lengthOf({}), lengthOf({ a: 5 }), lengthOf({ b: 9 })], ["3", "6", "9"]);
});

Deno.test("readyText() says what does not fit", () => {
  const cases: readonly (readonly [values: OverrideValues, text: string])[] = [
    [{ counts: 1 }, "no override counts: did you mean count"],
    [{ count: -1 }, "the constant count must be an integer from 0 to 4294967295"],
    [{ count: 1.5 }, "current value is 1.5"],
    [{ on: 1 }, "must be true or false"],
    [{ scale: Infinity }, "a finite number, f32"],
    [{ shift: true }, "an integer from -2147483648"],
  ];
  for (const [values, text] of cases) {
    assertStringIncludes(assertThrows(() => ready(TEXT, values), TypeError).message, text);
  }
  const fault = assertThrows(() => ready("\noverride n: u32;"), TextFault, "constants: { n: 1 }");
  assertEquals(fault.start, 10);
});
