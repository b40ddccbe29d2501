import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Act, Bit, bitsAfter, faultOf, joinStates } from "./port_state.ts";
import type { LinearKind } from "../syntax/vocabulary.ts";

const { none, live, unchecked, asked, moved, escaped } = Bit;
const ACTS: readonly Act[] = [
  "declare",
  "define",
  "overwrite",
  "clear",
  "use",
  "move",
  "escape",
  "release",
  "ask",
  "present",
  "absent",
  "leave",
];
const KINDS: readonly LinearKind[] = ["port", "maybe", "either"];

Deno.test("bitsAfter() follows the life of a port", () => {
  assertEquals(bitsAfter("define", 0, "port"), live);
  assertEquals(bitsAfter("use", live, "port"), live);
  assertEquals(bitsAfter("move", live, "port"), moved);
  assertEquals(bitsAfter("move", live | none, "port"), moved | none);
  assertEquals(bitsAfter("escape", live | moved, "port"), escaped);
  assertEquals(bitsAfter("leave", live, "port"), 0);
});

Deno.test("bitsAfter() follows the life of a Maybe", () => {
  assertEquals(bitsAfter("define", 0, "maybe"), unchecked);
  assertEquals(bitsAfter("present", unchecked, "maybe"), live);
  assertEquals(bitsAfter("absent", unchecked, "maybe"), none);
  assertEquals(bitsAfter("ask", unchecked, "maybe"), asked);
  assertEquals(bitsAfter("present", asked | none, "maybe"), live);
});

Deno.test("bitsAfter() ends paths that no run takes", () => {
  assertEquals(bitsAfter("absent", live, "maybe"), 0);
  assertEquals(bitsAfter("present", none, "maybe"), 0);
  assertEquals(bitsAfter("absent", live, "port"), 0);
  assertEquals(bitsAfter("absent", live, "either"), live);
});

Deno.test("faultOf() names the rule that an act breaks", () => {
  assertEquals(faultOf("use", moved | live), "use-after-move");
  assertEquals(faultOf("move", moved), "double-move");
  assertEquals(faultOf("leave", live | moved), "unconsumed-port");
  assertEquals(faultOf("clear", live), "unconsumed-port");
  assertEquals(faultOf("leave", unchecked), "unchecked-maybe");
  assertEquals(faultOf("move", unchecked, true), "unchecked-maybe");
  assertEquals(faultOf("move", unchecked), undefined);
  assertEquals(faultOf("release", moved), undefined);
  for (const act of ACTS) assertEquals(faultOf(act, escaped), undefined);
});

/** Not to be monotone would let the fixed point depend on the order of the paths. */
Deno.test("bitsAfter() is monotone: knowing less never tells more", () => {
  const bits = fc.integer({ min: 0, max: 63 });
  fc.assert(fc.property(bits, bits, (left, right) => {
    for (const act of ACTS) {
      for (const kind of KINDS) {
        const both = bitsAfter(act, left | right, kind);
        const each = bitsAfter(act, left, kind) | bitsAfter(act, right, kind);
        assertEquals(both & each, each, `${act} on a ${kind}, ${left} and ${right}`);
      }
    }
  }));
});

Deno.test("joinStates() keeps the earliest move, whatever the order", () => {
  const early = { bits: moved, movedAt: { type: "A", range: [1, 2] }, movedBy: "send()" } as const;
  const late = { bits: moved, movedAt: { type: "B", range: [5, 6] }, movedBy: "close()" } as const;
  assertEquals(joinStates(early, late), early);
  assertEquals(joinStates(late, early), early);
  assertEquals(joinStates({ bits: live }, late), { ...late, bits: live | moved });
  const same = { bits: live | moved };
  assertEquals(joinStates(same, { bits: live }) === same, true);
});
