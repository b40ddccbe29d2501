import { assertEquals, assertStrictEquals } from "@std/assert";
import { changed, Hooks, overlay } from "./hooks.ts";

class Counter {
  count = 0;
  add(step: number): number {
    return this.count += step;
  }
}

Deno.test("Hooks replace methods of one object, and put back what was there", () => {
  const [one, other] = [new Counter(), new Counter()];
  const own = () => 7;
  Object.assign(other, { add: own });
  const hooks = new Hooks();
  for (const counter of [one, other]) {
    hooks.replace(counter, "add", (real) => (step) => real.call(counter, step) * 10);
  }
  assertEquals([one.add(2), other.add(2), new Counter().add(2)], [20, 70, 2]);
  hooks.undo();
  assertEquals([one.add(2), Object.keys(one)], [4, ["count"]]);
  assertStrictEquals(other.add, own);
});

Deno.test("Hooks leave alone what somebody else has put on top", () => {
  const counter = new Counter();
  const hooks = new Hooks();
  hooks.replace(counter, "add", (real) => (step) => real.call(counter, step) * 10);
  const below = counter.add;
  counter.add = (step) => below(step) + 1;
  hooks.undo();
  assertEquals(counter.add(2), 21);
});

Deno.test("overlay() gives an object other methods, and keeps its class", () => {
  const counter = overlay(new Counter(), Hooks, (real) => ({
    add(step: number) {
      return real.add!.call(this, step * 2);
    },
    nothing: () => 1, // not a method of the class
  }));
  assertEquals([counter.add(3), counter instanceof Counter, "nothing" in counter], [
    6,
    true,
    false,
  ]);
});

Deno.test("changed() replaces members, and shows those of any object", () => {
  class Given {
    readonly a = 1;
    get b(): number {
      return 2;
    }
  }
  const { a, b } = changed(new Given() as { readonly a: number; readonly b: number }, { a: 5 });
  assertEquals([a, b], [5, 2]);
});
