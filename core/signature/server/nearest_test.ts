import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { nearest } from "./nearest.ts";

Deno.test("nearest() finds a name that one letter was changed, added or left out of", () => {
  const names = ["alpha.open", "beta.close", "gamma.write"];
  for (const [index, name] of names.entries()) {
    for (let place = 0; place < name.length; place++) {
      const [left, right] = [name.slice(0, place), name.slice(place + 1)];
      for (const typo of [left + right, `${left}#${right}`, `${left}#${name[place]}${right}`]) {
        assertEquals(nearest(typo, names), names[index]);
      }
    }
  }
});

Deno.test("nearest() finds the name itself, and nothing among none", () => {
  const some = fc.uniqueArray(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(some, fc.nat(), (names, which) => {
    const name = names[which % names.length]!;
    assertEquals(nearest(name, names), name);
  }));
  assertEquals(nearest("x", []), undefined);
});

Deno.test("nearest() compares no more than 64 letters of a name", () => {
  const reads: string[] = [];
  const name = new Proxy(new String("x".repeat(1e6)), {
    get: (text, key) => {
      reads.push(String(key));
      const value = Reflect.get(text, key);
      return typeof value === "function" ? value.bind(text) : value;
    },
  }) as unknown as string;
  assertEquals(nearest(name, ["x".repeat(64) + "tail", "y"]), "x".repeat(64) + "tail");
  assertEquals([...new Set(reads)], ["slice"]);
});
