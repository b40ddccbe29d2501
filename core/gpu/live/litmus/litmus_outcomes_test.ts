import { assert, assertEquals } from "@std/assert";
import { allowedOutcomes } from "./litmus_outcomes.ts";
import {
  caseOf,
  LITMUS_CASES,
  type LitmusOrder,
  type LitmusSetting,
  ORDERS,
} from "./litmus_table.ts";

type WavePlace = LitmusSetting["wave"];

const WAVES: readonly WavePlace[] = ["first", "second"];

function outcomes(name: string, order: LitmusOrder, wave: WavePlace = "first") {
  return allowedOutcomes({ test: caseOf(name), order, wave });
}

/** What an order allows that no sequence of whole steps gives. */
function weak(name: string, order: LitmusOrder, wave: WavePlace): string[] {
  return [...outcomes(name, order, wave).values()]
    .filter(({ kind }) => kind === "weak").map(({ results }) => results).sort();
}

Deno.test("allowedOutcomes() allow each order what it leaves open, and no more", () => {
  const expected: Readonly<Record<string, readonly (readonly string[])[]>> = {
    // By the orders relaxed, release and exchange.
    message_passing: [["1 0 x=1"], [], []],
    vector: [["1 0", "1 2"], [], []],
    store_buffering: [["0 0 x=1"], ["0 0 x=1"], []],
    load_buffering: [["1 1 x=1"], [], []],
  };
  for (const { name } of LITMUS_CASES) {
    for (const wave of WAVES) {
      ORDERS.forEach((order, at) => {
        // Only one side is weak: what a vector's reader may miss, its writer may miss, too.
        assertEquals(weak(name, order, wave), expected[name]?.[at] ?? [], `${name} ${order}`);
      });
    }
  }
});

Deno.test("allowedOutcomes() of steps in turn are the same whatever the order is", () => {
  for (const { name } of LITMUS_CASES) {
    const inTurn = ORDERS.map((order) =>
      [...outcomes(name, order).values()].filter(({ kind }) => kind === "interleaved")
        .map(({ results }) => results).sort()
    );
    assertEquals(inTurn[1], inTurn[0]);
    assertEquals(inTurn[2], inTurn[0]);
  }
});

Deno.test("allowedOutcomes() of updates let none be lost", () => {
  assertEquals([...outcomes("add", "relaxed").keys()].sort(), [
    "0 1 3 7 x=15",
    "0 13 1 5 x=15",
    "0 5 1 7 x=15",
    "12 13 0 4 x=15",
    "4 13 0 5 x=15",
    "4 5 0 7 x=15",
  ]);
  assertEquals([...outcomes("compare_exchange", "relaxed").keys()].sort(), [
    "0 1 1 1 x=8",
    "0 8 1 1 x=8",
    "4 4 0 2 x=2",
    "4 4 0 4 x=2",
  ]);
});

Deno.test("allowedOutcomes() tell each outcome in a sentence, with the wave's part in it", () => {
  const first = outcomes("message_passing", "relaxed", "first");
  assertEquals(
    first.get("1 1 x=1")!.text,
    "In turn: wave: write x 1, wave: write y 1, host: read y, host: read x",
  );
  assertEquals(first.get("1 0 x=1")!.text, "The flag was seen before what it tells of");
  const second = outcomes("message_passing", "relaxed", "second");
  assertEquals(
    second.get("0 0 x=1")!.text,
    "In turn: wave: read y, wave: read x, host: write x 1, host: write y 1",
  );
  for (const { name } of LITMUS_CASES) {
    for (const { text } of outcomes(name, "relaxed").values()) assert(text.length > 10, name);
  }
});
