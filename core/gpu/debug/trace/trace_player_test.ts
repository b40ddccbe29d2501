import { assertEquals, assertThrows } from "@std/assert";
import type { TraceStep } from "../debug_report.ts";
import { momentText, stepText, TracePlayer } from "./trace_player.ts";

function step(
  verb: string,
  written: string,
  { value = "", lines }: { readonly value?: string; readonly lines: readonly number[] },
): TraceStep {
  const names = ["f", "main"].slice(2 - lines.length);
  const frames = lines.map((line, at) => ({ name: names[at]!, position: { line, column: 1 } }));
  return { verb, written, value, position: frames[0]!.position, frames };
}
const STEPS = [
  step("enter", "main", { value: "", lines: [5] }),
  step("var", "x", { value: "1", lines: [6] }),
  step("enter", "f", { value: "", lines: [1, 7] }),
  step("parameter", "y", { value: "2", lines: [1, 7] }),
  step("return", "y * 2", { value: "4", lines: [2, 7] }),
  step("set", "x", { value: "4", lines: [7] }),
];
const SOURCE =
  "fn f(y: u32) -> u32 {\n  return y * 2;\n}\n\nfn main() {\n  var x = 1;\n  x = f(2);\n}";

Deno.test("TracePlayer knows the values of the running function at each step, both ways", () => {
  const player = new TracePlayer(STEPS);
  const values = () =>
    player.moment.values.map(({ name, value, isNew }) => `${isNew ? "*" : ""}${name}=${value}`)
      .join();
  const seen: string[] = [];
  do seen.push(values()); while (player.move(1));
  assertEquals(seen, ["", "*x=1", "", "*y=2", "y=2", "*x=4"]);
  const back: string[] = [];
  do back.push(values()); while (player.move(-1));
  assertEquals(back, seen.toReversed());
  assertEquals([player.move(99), player.index, player.move(1)], [true, 5, false]);
  assertEquals([player.moveToLine(1, -1), player.index, player.moveToLine(9)], [true, 3, false]);
  assertThrows(() => new TracePlayer([]), TypeError, "has no steps");
});

Deno.test("stepText() and momentText() show lines, calls and values", () => {
  assertEquals(STEPS.map(stepText).slice(2), [
    "   1 |   f()",
    "   1 |   y = 2",
    "   2 |   return 4",
    "   7 | x = 4",
  ]);
  const player = new TracePlayer(STEPS);
  player.move(3);
  assertEquals(
    momentText(player, SOURCE, 3),
    `step 4 of 6, in f:1 < main:7
>    1 | fn f(y: u32) -> u32 {
     2 |   return y * 2;
     3 | }
* y = 2
`,
  );
});
