import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Place } from "../facts/places.ts";
import { ts } from "../program/compiler.ts";
import { BITS, isSame, join, outside, type State, withBits } from "./state.ts";

const node = ts.factory.createTrue();

function placeOf(name: string, more: Partial<Place> = {}): Place {
  const plain = { isShared: false, isField: false, isHoisted: false, isOptional: false } as const;
  return { kind: "port", name, declaration: node, within: undefined, ...plain, ...more };
}

const [a, b] = [placeOf("a"), placeOf("b")];

function stateOf(...bits: readonly (readonly [Place, number])[]): State {
  return new Map(bits.map(([place, bits]) => [place, { bits, at: undefined }]));
}

Deno.test("join() of two paths says all that may be true, and where a port was consumed", () => {
  const moved: State = new Map([[a, { bits: BITS.MOVED, at: node }]]);
  const both = join(stateOf([a, BITS.OWNED], [b, BITS.OWNED]), moved)!;
  assertEquals(both.get(a), { bits: BITS.OWNED | BITS.MOVED, at: node });
  assertEquals(both.get(b)!.bits, BITS.OWNED);
  assertStrictEquals(join(moved, undefined), moved);
  assertStrictEquals(join(undefined, moved), moved);
});

Deno.test("isSame() compares what is true, not where", () => {
  assertEquals(isSame(stateOf([a, 1]), withBits(stateOf([a, 2]), a, 1)), true);
  assertEquals(isSame(stateOf([a, 1]), stateOf([a, 1], [b, 1])), false);
  assertEquals([isSame(undefined, undefined), isSame(stateOf(), undefined)], [true, false]);
});

Deno.test("outside() of a block its own names are gone", () => {
  const field = placeOf("this.port", { isShared: true });
  const [variable, part] = [placeOf("v", { isHoisted: true }), placeOf("a.port", { within: a })];
  const state = stateOf([a, 1], [b, 1], [field, 1], [variable, 1], [part, 1]);
  assertEquals([...outside(state, stateOf([a, 4])).keys()], [a, field, variable, part]);
  assertStrictEquals(outside(state, state), state);
});
