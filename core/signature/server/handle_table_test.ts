import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { HANDLE_INDEXES } from "../wire/slot.ts";
import { HandleTable } from "./handle_table.ts";

const WHY = "it has ended or never was";

Deno.test("HandleTable behaves as a map whose keys are never used again", () => {
  const step = fc.tuple(fc.constantFrom("add", "get", "end"), fc.nat(9), fc.constantFrom("A", "B"));
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const table = new HandleTable({ handlesMax: 5 });
    const live = new Map<number, readonly [string, object]>();
    const all: number[] = [];
    for (const [what, which, name] of steps) {
      const handle = all[which % Math.max(all.length, 1)] ?? 0;
      const known = live.get(handle);
      if (what === "add") {
        if (live.size === 5) {
          assertThrows(() => table.add(name, {}), RangeError, "there are 5 already: end some");
          continue;
        }
        const object = {};
        const made = table.add(name, object);
        assert(!all.includes(made) && made > 0 && made < 2 ** 52);
        all.push(made);
        live.set(made, [name, object]);
      } else if (known?.[0] === name) {
        assert(table.get(name, handle) === known[1]);
        if (what === "end") table.end(name, handle);
        if (what === "end") live.delete(handle);
      } else {
        const use = () => what === "get" ? table.get(name, handle) : table.end(name, handle);
        assertThrows(use, RangeError, known ? `it is one of a ${known[0]}` : WHY);
      }
      assertEquals(table.count, live.size);
    }
  }));
});

Deno.test("HandleTable refuses handles of another table, and numbers that are none", () => {
  const table = new HandleTable({ handlesMax: 2 });
  const handle = table.add("A", "object");
  const other = new HandleTable({ handlesMax: 2 });
  other.add("A", "object");
  const near = [handle + 1, handle + HANDLE_INDEXES, handle - HANDLE_INDEXES];
  const strangers = [0, 1, ...near, -1, NaN, 2 ** 52 - 1];
  for (const one of strangers) assertThrows(() => table.get("A", one), RangeError, WHY);
  assertThrows(() => other.get("A", handle), RangeError, WHY);
  assertThrows(() => table.get("constructor", handle), RangeError, "it is one of a A");
});

Deno.test("HandleTable finds a handle by any of several names", () => {
  const table = new HandleTable({ handlesMax: 2 });
  const [first, other] = [table.add("A", "a"), table.add("B", "b")];
  assertEquals([table.get("A|B", first), table.get("B|A", other)], ["a", "b"]);
  const refused = "handle of a A or C as it is one of a B";
  assertThrows(() => table.get("A|C", other), RangeError, refused);
  assertThrows(() => table.get("AB|C", first), RangeError, "it is one of a A");
  table.end("B|A", first);
  const again = table.add("A", "a");
  assertEquals([again === first, table.get("A", again), table.count], [false, "a", 2]);
});

Deno.test("HandleTable lets go of the object when its handle ends", () => {
  const table = new HandleTable({ handlesMax: 1 });
  for (let round = 0; round < 3; round++) {
    const handle = table.add("A", { round });
    assertEquals(handle % HANDLE_INDEXES, 0);
    table.end("A", handle);
    assertThrows(() => table.end("A", handle), RangeError, WHY);
  }
  assertEquals(table.count, 0);
});

Deno.test("HandleTable.drop() ends the handle of an object, however often it was made", () => {
  const table = new HandleTable({ handlesMax: 2 });
  const object = {};
  const handle = table.add("A", object);
  table.add("A", object);
  table.drop("B", object);
  table.drop("A", {});
  assertEquals([table.get("A", handle), table.count], [object, 1]);
  table.drop("A", object);
  assertThrows(() => table.get("A", handle), RangeError, WHY);
  table.drop("A", object);
  assert(table.add("A", object) !== handle);
  assertEquals(table.count, 1);
});

Deno.test("HandleTable disposes what no caller gets", () => {
  const table = new HandleTable({ handlesMax: 2 });
  const disposed: string[] = [];
  const object = (name: string) => ({ [Symbol.dispose]: () => void disposed.push(name) });
  const [one, two] = [object("one"), object("two")];
  const fail = () => {
    throw new Error("nobody hears this");
  };
  table.add("A", one);
  const again = table.add("A", one);
  table.forget("A", again);
  const other = table.add("B", one);
  for (const extra of [two, "text", 0n, { [Symbol.dispose]: fail }]) {
    assertThrows(() => table.add("A", extra), RangeError, "there are 2 already");
  }
  assertEquals(disposed, ["two"]);
  table.forget("A", again);
  assertThrows(() => table.forget("A", again), RangeError, WHY);
  assertEquals([disposed, table.count], [["two"], 1]);
  table.forget("B", other);
  assertEquals([disposed, table.count], [["two", "one"], 0]);
});

Deno.test("HandleTable has a limit that is one", () => {
  for (const handlesMax of [-1, 0.5, NaN, Infinity, HANDLE_INDEXES + 1]) {
    const make = () => new HandleTable({ handlesMax });
    assertThrows(make, RangeError, `current value is ${handlesMax}`);
  }
  assertThrows(() => new HandleTable({ handlesMax: 0 }).add("A", 1), RangeError, "there are 0");
});

Deno.test("HandleTable gives one object one handle for each name, until it ended as often", () => {
  const table = new HandleTable({ handlesMax: 3 });
  const object = {};
  const handle = table.add("A", object);
  assertEquals([table.add("A", object), table.count], [handle, 1]);
  const other = table.add("B", object);
  assert(other !== handle);
  table.end("A", handle);
  assertEquals(table.get("A", handle), object);
  table.end("A", handle);
  assertThrows(() => table.get("A", handle), RangeError, WHY);
  assert(table.add("A", object) !== handle);
  assertEquals([table.get("B", other), table.count], [object, 2]);
});

Deno.test("no handle is 0, also when the generations of an index begin anew", () => {
  const { getRandomValues } = crypto;
  crypto.getRandomValues = ((words: Uint32Array) => words.fill(0xffff_ffff)) as never;
  try {
    const table = new HandleTable({ handlesMax: 1 });
    for (let count = 0; count < 3; count++) {
      const object = {};
      const handle = table.add("File", object);
      assertEquals([handle !== 0, table.get("File", handle) === object], [true, true]);
      table.end("File", handle);
    }
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
});

Deno.test("HandleTable.hold() takes a handle from everybody until it is settled, once for each that holds it", () => {
  const table = new HandleTable({ handlesMax: 2 });
  const object = {};
  const handle = table.add("A", object);
  table.add("A", object);
  const gone = () => assertThrows(() => table.get("A", handle), RangeError, WHY);
  // As a whole, and given back as it was.
  const whole = table.hold("A", handle, true);
  gone();
  assertEquals(table.count, 0);
  table.settle(whole, false);
  assertEquals([table.get("A", handle), table.add("A", object), table.count], [object, handle, 1]);
  // Each for itself: three were made.
  const each = [table.hold("A", handle), table.hold("A", handle)];
  assertEquals(table.get("A", handle), object);
  each.push(table.hold("A", handle));
  gone();
  table.settle(each[0]!, true);
  table.settle(each[1]!, false);
  assertEquals(table.get("A", handle), object);
  table.settle(each[2]!, true);
  table.end("A", handle);
  gone();
  // What is made meanwhile has another number, and only that is left.
  const first = table.add("A", object);
  const held = table.hold("A", first);
  const second = table.add("A", object);
  assert(second !== first);
  assertThrows(() => table.add("A", {}), RangeError, "there are 2 already"); // the index is not free yet
  table.settle(held, false);
  assertThrows(() => table.get("A", first), RangeError, WHY);
  assertEquals([table.get("A", second), table.count], [object, 1]);
  assert(table.add("A", {}) > 0);
});
