import { assertEquals } from "@std/assert";
import { Bit, type PortState } from "../flow/port_state.ts";
import { nodeAt, SmallGraph } from "../testdata/small_graph.ts";
import type { Fact } from "./fact.ts";
import { Transfer } from "./transfer.ts";

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
  const handOn = { act: "later", procedure: closer, node: nodeAt(0) } as const;
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
