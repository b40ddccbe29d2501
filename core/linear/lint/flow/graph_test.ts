import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { type Act, Bit, bitsAfter, faultOf, firstBits, joinStates, Procedure } from "./graph.ts";
import { Binding, Scope } from "../syntax/binding.ts";
import { checkedFile } from "../testdata/marked_source.ts";
import type { ts } from "../program/compiler.ts";
import type { LinearKind } from "../syntax/vocabulary.ts";

const [NODE, EARLY, LATE] = checkedFile("a; b; c;").source.statements as unknown as [
  ts.Node,
  ts.Node,
  ts.Node,
];

Deno.test("Procedure.owns() what it declares, but not what it is given to work on", () => {
  const procedure = new Procedure(NODE);
  const scope = new Scope();
  const port = new Binding(NODE, { scope, declaredAs: "parameter" });
  assertEquals(procedure.owns(port), false);
  scope.owner = procedure;
  assertEquals(procedure.owns(port), true);
  port.isReference = true;
  assertEquals(procedure.owns(port), false);
});

Deno.test("Procedure.reset() forgets the graph, not who calls it", () => {
  const procedure = new Procedure(NODE);
  const { entry, callSites } = procedure;
  procedure.uses.add(procedure);
  procedure.hasPorts = true;
  callSites.push(entry);
  procedure.reset();
  assertEquals([procedure.uses.size, procedure.hasPorts, procedure.entry === entry], [
    0,
    false,
    false,
  ]);
  assertEquals(procedure.callSites.length, 1);
  assertEquals([procedure.exit.isEnd, procedure.failed.isEnd, procedure.entry.isEnd], [
    true,
    true,
    false,
  ]);
});

const { none, live, unchecked, asked, moved, escaped, due } = Bit;
const ACTS: readonly Act[] = [
  "declare",
  "define",
  "overwrite",
  "clear",
  "use",
  "move",
  "escape",
  "dispose",
  "release",
  "schedule",
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
  assertEquals(bitsAfter("dispose", live | moved, "port"), moved);
  assertEquals(bitsAfter("schedule", live | moved, "port"), due | moved);
});

Deno.test("firstBits() says who has to see to a value's end", () => {
  assertEquals(firstBits("port"), live);
  assertEquals(firstBits("port", { isNullable: true }), live | none);
  assertEquals(firstBits("maybe"), unchecked);
  assertEquals(firstBits("either", { isLoan: true }), escaped);
});

Deno.test("bitsAfter() follows the life of a Maybe", () => {
  assertEquals(bitsAfter("define", 0, "maybe"), unchecked);
  assertEquals(bitsAfter("present", unchecked, "maybe"), live);
  assertEquals(bitsAfter("absent", unchecked, "maybe"), none);
  assertEquals(bitsAfter("ask", unchecked, "maybe"), asked);
  assertEquals(bitsAfter("present", asked | none, "maybe"), live);
  for (const open of [asked, moved, due]) assertEquals(bitsAfter("absent", open, "maybe"), none);
});

Deno.test("bitsAfter() ends paths that no run takes", () => {
  assertEquals(bitsAfter("absent", live, "maybe"), 0);
  assertEquals(bitsAfter("present", none, "maybe"), 0);
  assertEquals(bitsAfter("absent", live, "port"), 0);
  assertEquals(bitsAfter("absent", live, "either"), 0);
  assertEquals(bitsAfter("present", Bit.waiting, "either"), 0);
});

Deno.test("faultOf() names the rule that an act breaks", () => {
  assertEquals(faultOf("use", moved | live), "use-after-move");
  assertEquals(faultOf("move", moved), "double-move");
  assertEquals(faultOf("leave", live | moved), "unconsumed-port");
  assertEquals(faultOf("clear", live), "unconsumed-port");
  assertEquals(faultOf("leave", unchecked), "unchecked-maybe");
  assertEquals(faultOf("move", unchecked, { inside: true }), "unchecked-maybe");
  assertEquals(faultOf("move", none, { inside: true }), "unchecked-maybe");
  assertEquals(faultOf("move", none | live, { inside: true }), undefined);
  assertEquals(faultOf("move", unchecked), undefined);
  assertEquals(faultOf("release", moved), undefined);
  assertEquals(faultOf("dispose", moved), undefined);
  assertEquals(faultOf("move", due), "double-move");
  assertEquals(faultOf("use", due), undefined);
  assertEquals(faultOf("leave", asked), undefined);
  assertEquals(faultOf("leave", asked, { isConsumed: false }), "unconsumed-port");
  for (const act of ACTS) assertEquals(faultOf(act, escaped), undefined);
});

/** Not to be monotone would let the fixed point depend on the order of the paths. */
Deno.test("bitsAfter() is monotone: knowing less never tells more", () => {
  const bits = fc.integer({ min: 0, max: 127 });
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

Deno.test("joinStates() keeps the earliest places, whatever the order", () => {
  const [made, early, late] = [NODE, EARLY, LATE];
  const closed = { bits: moved, madeAt: made, movedAt: late, movedBy: "close()" };
  const sent = { bits: moved, madeAt: made, movedAt: early, movedBy: "send()" };
  assertEquals(joinStates(closed, sent), sent);
  assertEquals(joinStates(sent, closed), sent);
  assertEquals(joinStates({ bits: live, madeAt: late }, sent), { ...sent, bits: live | moved });
  assertEquals(joinStates(sent, { bits: moved }) === sent, true);
});
