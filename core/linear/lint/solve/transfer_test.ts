import { assertEquals } from "@std/assert";
import { Bit, type PortState } from "../flow/graph.ts";
import { ENTRY_COUNT, nodeAt, SmallGraph } from "../testdata/small_graph.ts";
import { type Fact, Facts, reachOf, Transfer, usersOf } from "./transfer.ts";

Deno.test("Facts.of() is one for an own name, and one for each state of an outer name", () => {
  const graph = new SmallGraph();
  const inner = graph.procedure();
  const port = graph.port(graph.main);
  const facts = new Facts();
  assertEquals(facts.of(graph.main, port).map(({ entry }) => entry), [0]);
  assertEquals(facts.of(inner, port).length, ENTRY_COUNT);
  assertEquals(facts.of(inner, port) === facts.of(inner, port), true);
  assertEquals(facts.of(inner, port) === facts.of(graph.procedure(), port), false);
});

Deno.test("reachOf() carries outer names to whoever uses a procedure", () => {
  const graph = new SmallGraph();
  const [one, two, three] = [graph.procedure(), graph.procedure(), graph.procedure()];
  const [port, own] = [graph.port(graph.main), graph.port(three)];
  three.touches.add(port).add(own);
  two.uses.add(three);
  one.uses.add(two);
  graph.main.uses.add(one);
  const reach = reachOf(graph.procedures, "touches");
  const sizes = [three, two, one, graph.main].map((procedure) => reach.get(procedure)!.size);
  assertEquals(sizes, [2, 1, 1, 0]);
  assertEquals([...reach.get(one)!], [port]);
});

Deno.test("reachOf() comes to an end when procedures use each other", () => {
  const graph = new SmallGraph();
  const [one, two] = [graph.procedure(), graph.procedure()];
  const port = graph.port(graph.main);
  one.consumes.add(port);
  one.uses.add(two);
  two.uses.add(one);
  assertEquals([...reachOf(graph.procedures, "consumes").get(two)!], [port]);
});

Deno.test("usersOf() turns round who uses what", () => {
  const graph = new SmallGraph();
  const inner = graph.procedure();
  graph.main.uses.add(inner);
  assertEquals([...usersOf(graph.procedures).get(inner)!], [graph.main]);
  assertEquals(usersOf(graph.procedures).get(graph.main), undefined);
});
Deno.test("Transfer.entryOf() has every state that an outer name may come in with", () => {
  const graph = new SmallGraph();
  const inner = graph.procedure();
  const port = graph.port(graph.main);
  graph.add(inner.entry, ["use", port]);
  const entry = new Transfer(graph.procedures, new Set()).entryOf(inner);
  assertEquals([...entry].every(([fact, { bits }]) => fact.entry === bits), true);
  assertEquals(entry.size, Object.keys(Bit).length);
});

Deno.test("Transfer.step() passes on what a name got from another one", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const [a, b] = [graph.port(main), graph.port(main)];
  const transfer = new Transfer(graph.procedures, new Set());
  for (const carried of [Bit.none, Bit.escaped, Bit.live | Bit.none, Bit.moved]) {
    const state = new Map<Fact, PortState>([[transfer.facts.of(main, a)[0]!, { bits: carried }]]);
    transfer.step(state, { act: "move", binding: a, node: nodeAt(0), by: "" }, main);
    transfer.step(state, { act: "define", binding: b, node: nodeAt(1), from: a }, main);
    const expected = carried === Bit.moved ? Bit.live : carried;
    assertEquals(state.get(transfer.facts.of(main, b)[0]!)?.bits, expected);
  }
});

Deno.test("Transfer.step() gives what is handed on to whoever has it", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const closer = graph.procedure();
  const port = graph.port(main);
  closer.consumes.add(port);
  const handOn = { act: "later", isKept: false, procedure: closer, node: nodeAt(0) } as const;
  const transfer = new Transfer(graph.procedures, new Set([closer]));
  const [fact] = transfer.facts.of(main, port);
  for (const [before, after] of [[Bit.live, Bit.escaped], [Bit.moved, Bit.moved]] as const) {
    const state = new Map([[fact!, { bits: before }]]);
    transfer.step(state, handOn, main);
    assertEquals(state.get(fact!)?.bits, after);
  }
});

Deno.test("Transfer.afterCall() picks the answer for the state that the caller has", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const closer = graph.procedure();
  const port = graph.port(main);
  graph.add(closer.entry, ["move", port]);
  graph.call(main.entry, closer);
  const transfer = new Transfer(graph.procedures, new Set());
  const end = new Map(transfer.entryOf(closer));
  for (const event of closer.entry.events) transfer.step(end, event, closer);
  const [fact] = transfer.facts.of(main, port);
  const before = new Map([[fact!, { bits: Bit.live | Bit.none }]]);
  const after = transfer.afterCall(before, main.entry.call!, { end, caller: main });
  assertEquals(after?.get(fact!)?.bits, Bit.moved | Bit.none);
  const never = transfer.afterCall(before, main.entry.call!, { end: new Map(), caller: main });
  assertEquals(never, undefined);
});
