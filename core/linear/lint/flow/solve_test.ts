import { assertEquals } from "@std/assert";
import { Block, type FlowEvent } from "./graph.ts";
import { type Act, Bit } from "./port_state.ts";
import { Binding, Scope } from "../syntax/scope.ts";
import { solve } from "./solve.ts";

const NODE = { type: "Identifier", range: [0, 1] } as const;

function portNamed(declaredAs: string): Binding {
  const binding = new Binding(NODE, { scope: new Scope(), declaredAs });
  binding.kind = "port";
  return binding;
}

function event(act: Act, binding: Binding): FlowEvent {
  return { act, binding, node: NODE, by: act, inside: false, isNullable: false };
}

/** The rules that are broken, with the bits of the name at that point. */
function faultsOf(entry: Block): readonly string[] {
  const faults: string[] = [];
  solve(entry, (rule, { act }, { bits }) => faults.push(`${act} ${rule} ${bits}`));
  return faults;
}

Deno.test("solve() joins the paths that meet", () => {
  const port = portNamed("const");
  const [entry, moving, keeping, end] = [new Block(), new Block(), new Block(), new Block()];
  entry.events.push(event("define", port));
  entry.next.push(moving, keeping);
  moving.events.push(event("move", port));
  moving.next.push(end);
  keeping.next.push(end);
  end.events.push(event("leave", port));
  assertEquals(faultsOf(entry), [`leave unconsumed-port ${Bit.live | Bit.moved}`]);
});

Deno.test("solve() goes round a loop until nothing new comes", () => {
  const port = portNamed("const");
  const [entry, round] = [new Block(), new Block()];
  entry.events.push(event("define", port));
  entry.next.push(round);
  round.events.push(event("use", port), event("move", port));
  round.next.push(round);
  const both = Bit.live | Bit.moved;
  assertEquals(faultsOf(entry), [`use use-after-move ${both}`, `move double-move ${both}`]);
});

Deno.test("solve() reports nothing where no run comes", () => {
  const port = portNamed("const");
  const [entry, dead] = [new Block(), new Block()];
  entry.events.push(event("define", port), event("absent", port), event("leave", port));
  dead.events.push(event("define", port), event("leave", port));
  assertEquals(faultsOf(entry), []);
});

Deno.test("solve() keeps of outer names in a function only what can not change", () => {
  for (
    const [declaredAs, expected] of [["const", ["use use-after-move 16"]], ["let", []]] as const
  ) {
    const port = portNamed(declaredAs);
    const [entry, body] = [new Block(), new Block()];
    entry.events.push(event("define", port), event("move", port));
    entry.next.push(body);
    body.detachedDepth = 1;
    body.events.push(event("use", port));
    assertEquals(faultsOf(entry), expected);
  }
});

Deno.test("solve() leaves what the block disposes of", () => {
  const port = portNamed("using");
  const entry = new Block();
  entry.events.push(event("define", port), event("leave", port));
  assertEquals(faultsOf(entry), []);
});
