import { assertEquals } from "@std/assert";
import { Bit } from "../flow/graph.ts";
import { SmallGraph } from "../testdata/small_graph.ts";
import { report } from "./report.ts";
import { solve } from "./solve.ts";

/** The rules that are broken, with the bits of the name at that point. */
function faultsOf(graph: SmallGraph): readonly string[] {
  const faults: string[] = [];
  const solution = solve(graph);
  report(graph.main, solution, {
    onFault: (rule, { act }, { bits }) => faults.push(`${act} ${rule} ${bits}`),
    onFinding: ({ message }) => faults.push(message),
  });
  return faults;
}

Deno.test("solve() joins the paths that meet", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const port = graph.port(main);
  graph.add(main.entry, ["define", port]);
  const moving = graph.block(main, ["move", port]);
  const end = graph.block(main, ["leave", port]);
  main.entry.next.push(moving, end);
  moving.next.push(end);
  assertEquals(faultsOf(graph), [`leave unconsumed-port ${Bit.live | Bit.moved}`]);
});

Deno.test("solve() goes round a loop until nothing new comes", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const port = graph.port(main);
  graph.add(main.entry, ["define", port]);
  const round = graph.block(main, ["use", port], ["move", port]);
  main.entry.next.push(round);
  round.next.push(round);
  const both = Bit.live | Bit.moved;
  assertEquals(faultsOf(graph), [`use use-after-move ${both}`, `move double-move ${both}`]);
});

Deno.test("solve() reports nothing where no run comes", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const port = graph.port(main);
  graph.add(main.entry, ["define", port], ["absent", port], ["leave", port]);
  graph.block(main, ["define", port], ["leave", port]);
  assertEquals(faultsOf(graph), []);
});

Deno.test("solve() solves a procedure once, and answers each caller for its own state", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const [live, moved] = [graph.port(main), graph.port(main)];
  const closer = graph.procedure();
  graph.add(closer.entry, ["use", live]);
  closer.entry.next.push(closer.exit);
  graph.add(main.entry, ["define", live], ["define", moved], ["move", moved]);
  const after = graph.call(main.entry, closer);
  graph.add(after, ["move", live]);
  const last = graph.call(after, closer);
  graph.add(last, ["leave", live], ["leave", moved]);
  assertEquals(faultsOf(graph), [`use use-after-move ${Bit.live | Bit.moved}`]);
});

Deno.test("solve() comes to an end when procedures call each other", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const port = graph.port(main, "let");
  const [one, other] = [graph.procedure(), graph.procedure()];
  graph.add(one.entry, ["overwrite", port]);
  const between = graph.call(one.entry, other);
  between.next.push(one.exit);
  one.entry.next.push(one.exit);
  other.entry.next.push(graph.block(other, ["move", port]));
  graph.call(other.entry.next[0]!, one).next.push(other.exit);
  graph.add(main.entry, ["declare", port]);
  const after = graph.call(main.entry, one);
  graph.add(after, ["leave", port]);
  assertEquals(faultsOf(graph), [`leave unconsumed-port ${Bit.live}`]);
});

Deno.test("solve() stops when the work becomes too much, and says where", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const ports = Array.from({ length: 2000 }, () => graph.port(main));
  for (const port of ports) graph.add(main.entry, ["define", port]);
  let block = main.entry;
  for (const port of ports) {
    const next = graph.block(main, ["move", port]);
    block.next.push(next, graph.block(main, ["use", port]));
    block = next;
  }
  const solution = solve(graph);
  assertEquals(solution.unfinished.size > 0, true);
});
