import { assertEquals } from "@std/assert";
import { Bit } from "../flow/graph.ts";
import { droppedFinding } from "../finding.ts";
import { nodeAt, SmallGraph } from "../testdata/small_graph.ts";
import { enteredFrom, presentState, report, unfinishedAt } from "./report.ts";
import { solve } from "./solve.ts";
import { UNKNOWN } from "./transfer.ts";

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

function reported(graph: SmallGraph): readonly string[] {
  const texts: string[] = [];
  const solution = solve(graph);
  report(graph.main, solution, {
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
