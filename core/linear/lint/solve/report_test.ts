import { assertEquals } from "@std/assert";
import { droppedFinding } from "../finding.ts";
import { nodeAt, SmallGraph } from "../testdata/small_graph.ts";
import { enteredFrom } from "./entered.ts";
import { report, unfinishedAt } from "./report.ts";
import { solve } from "./solve.ts";

function reported(graph: SmallGraph): readonly string[] {
  const texts: string[] = [];
  const solution = solve(graph);
  report(solution, enteredFrom(graph.main, solution), {
    onFault: (rule, { act }) => texts.push(`${act} ${rule}`),
    onFinding: ({ rule }) => texts.push(rule),
  });
  return texts;
}

Deno.test("report() leaves out what the block disposes of, and what a refused call ends", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const [disposed, given, plain] = [graph.port(main, "using"), graph.port(main), graph.port(main)];
  given.isGiven = true;
  for (const port of [disposed, given, plain]) {
    graph.add(main.entry, ["define", port]);
    main.entry.events.push({ act: "leave", binding: port, node: nodeAt(0), isThrown: true });
  }
  assertEquals(reported(graph), ["leave unconsumed-port"]);
});

Deno.test("report() says at the call that a consumed port goes to somebody who minds", () => {
  for (
    const [isMinded, isConsumed, expected] of [
      [true, true, ["move double-move"]],
      [true, false, ["use use-after-move"]],
      [false, false, []],
    ] as const
  ) {
    const graph = new SmallGraph();
    const { main } = graph;
    const port = graph.port(main);
    const helper = graph.procedure();
    const parameter = graph.port(helper);
    parameter.isReference = true;
    if (isMinded) helper.minds.add(parameter);
    if (isConsumed) helper.consumes.add(parameter);
    graph.add(main.entry, ["define", port], ["move", port]);
    graph.call(main.entry, helper, [[parameter, port]]);
    assertEquals(reported(graph), expected);
  }
});

Deno.test("report() tells of a fault only where a run comes", () => {
  const graph = new SmallGraph();
  const { main } = graph;
  const port = graph.port(main);
  const finding = droppedFinding(nodeAt(0), "port");
  main.entry.events.push({ act: "fault", finding });
  graph.add(main.entry, ["define", port], ["absent", port]);
  main.entry.events.push({ act: "fault", finding });
  assertEquals(reported(graph), ["unconsumed-port"]);
});

Deno.test("unfinishedAt() finds the first place that was left", () => {
  const graph = new SmallGraph();
  const port = graph.port(graph.main);
  const [first, second] = [
    graph.block(graph.main, ["use", port]),
    graph.block(graph.main, ["use", port]),
  ];
  const solution = { ...solve(graph), unfinished: new Set([second, first]) };
  assertEquals(unfinishedAt(solution) === first, true);
  assertEquals(unfinishedAt(solve(graph)), undefined);
});
