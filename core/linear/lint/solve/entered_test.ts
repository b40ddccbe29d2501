import { assertEquals } from "@std/assert";
import { Bit } from "../flow/port_state.ts";
import { SmallGraph } from "../testdata/small_graph.ts";
import { enteredFrom, presentState } from "./entered.ts";
import { UNKNOWN } from "./fact.ts";
import { solve } from "./solve.ts";

Deno.test("enteredFrom() notes the states of outer names at each call", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const port = graph.port(main);
  const [user, unused] = [graph.procedure(), graph.procedure()];
  for (const one of [user, unused]) graph.add(one.entry, ["use", port]);
  user.entry.next.push(user.exit);
  graph.add(main.entry, ["define", port]);
  const after = graph.call(main.entry, user);
  graph.add(after, ["move", port]);
  graph.call(after, user);
  const entered = enteredFrom(main, solve(graph));
  assertEquals(entered.get(user)?.get(port)?.bits, Bit.live | Bit.moved);
  assertEquals(entered.has(unused), false);
});

Deno.test("enteredFrom() lets a function count on nothing but a moved name that stays", () => {
  for (const [isAssigned, expected] of [[false, Bit.moved], [true, Bit.escaped]] as const) {
    const graph = new SmallGraph();
    const { main } = graph;
    const port = graph.port(main, "let");
    port.isAssigned = isAssigned;
    const user = graph.procedure();
    graph.add(user.entry, ["use", port]);
    graph.add(main.entry, ["define", port], ["move", port]);
    graph.create(main.entry, user);
    assertEquals(enteredFrom(main, solve(graph)).get(user)?.get(port)?.bits, expected);
  }
});

Deno.test("enteredFrom() keeps from a function what is wrong with its argument", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const port = graph.port(main);
  const user = graph.procedure();
  const parameter = graph.port(user);
  parameter.isReference = true;
  graph.add(user.entry, ["use", parameter]);
  graph.add(main.entry, ["define", port]);
  main.entry.next.push(graph.block(main, ["move", port]));
  graph.call(main.entry.next[0]!, user, [[parameter, port]]);
  assertEquals(enteredFrom(main, solve(graph)).get(user)?.has(parameter), false);
});

Deno.test("presentState() looks only at the states that really come in", () => {
  const graph = new SmallGraph();
  const port = graph.port(graph.main);
  const inner = graph.procedure();
  graph.add(inner.entry, ["use", port]);
  const { transfer } = solve(graph);
  const facts = transfer.facts.of(inner, port);
  const state = transfer.entryOf(inner);
  assertEquals(presentState(facts, state, { bits: Bit.live })?.bits, Bit.live);
  assertEquals(presentState(facts, state, undefined), undefined);
  assertEquals(presentState(transfer.facts.of(graph.main, port), new Map(), undefined), UNKNOWN);
});
