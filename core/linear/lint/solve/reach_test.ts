import { assertEquals } from "@std/assert";
import { SmallGraph } from "../testdata/small_graph.ts";
import { reachOf, usersOf } from "./reach.ts";

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
