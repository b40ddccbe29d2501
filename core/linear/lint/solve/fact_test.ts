import { assertEquals } from "@std/assert";
import { ENTRY_COUNT, SmallGraph } from "../testdata/small_graph.ts";
import { Facts } from "./fact.ts";

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
