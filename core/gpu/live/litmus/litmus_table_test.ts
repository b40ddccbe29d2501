import { assert, assertEquals } from "@std/assert";
import { allowedOutcomes } from "./litmus_outcomes.ts";
import { litmusSource } from "./litmus_source.ts";
import { hasResult, LITMUS_CASES, LITMUS_MUTANTS, UPDATES, valueAfter } from "./litmus_table.ts";

Deno.test("LITMUS_CASES have each update once, and names of their own", () => {
  const names = LITMUS_CASES.map(({ name }) => name);
  assertEquals(new Set(names).size, names.length);
  const kinds = LITMUS_CASES.flatMap(({ programs }) => [...new Set(programs.flat())])
    .map(({ kind }) => kind);
  for (const kind of UPDATES) assertEquals(kinds.filter((one) => one === kind).length, 4, kind);
});

Deno.test("LITMUS_CASES need plain accesses to `x` alone, which the other side's flag guards", () => {
  for (const { name, programs } of LITMUS_CASES) {
    const plain = programs.flat().filter(({ isPlain }) => isPlain);
    assert(plain.every(({ place }) => place === "x"), name);
    assert(programs.flat().some(hasResult), name);
  }
});

Deno.test("valueAfter() is what Atomics do, and unsigned for the largest and the least", () => {
  const words = new Int32Array(new SharedArrayBuffer(4));
  for (const held of [0, 1, -1, 0x7fffffff]) {
    for (const value of [0, 3, -2]) {
      for (const kind of ["add", "or", "and", "xor", "exchange"] as const) {
        words[0] = held;
        Atomics[kind](words, 0, value);
        assertEquals(valueAfter({ kind, value }, held), words[0], `${kind} ${held} ${value}`);
      }
    }
  }
  assertEquals(valueAfter({ kind: "max", value: -1 }, 1), -1);
  assertEquals(valueAfter({ kind: "min", value: -1 }, 1), 1);
  assertEquals(valueAfter({ kind: "compareExchange", value: 2, expected: 1 }, 1), 2);
  assertEquals(valueAfter({ kind: "compareExchange", value: 2, expected: 1 }, 3), 3);
  assertEquals(valueAfter({ kind: "read", value: 0 }, 3), 3);
});
Deno.test("LITMUS_MUTANTS have names of their own, and change what the wave runs", () => {
  assertEquals(new Set(LITMUS_MUTANTS.map(({ name }) => name)).size, LITMUS_MUTANTS.length);
  for (const { name, setting, run } of LITMUS_MUTANTS) {
    // How relaxed atomics are ordered is not in the text: liveSpirv() orders them.
    const isOrdered = setting.order !== "relaxed" && run.order === "relaxed";
    const [right, wrong] = [setting, run].map((one) => litmusSource(one));
    assertEquals(right !== wrong, !isOrdered, name);
  }
});

Deno.test("LITMUS_MUTANTS whose steps are whole may do what the right one may not", () => {
  for (const { name, setting, run } of LITMUS_MUTANTS) {
    if (run.test.programs.flat().some(({ isTorn }) => isTorn) || run.dropsBarriers) continue;
    const allowed = allowedOutcomes(setting);
    const extra = [...allowedOutcomes(run).keys()].filter((results) => !allowed.has(results));
    assert(extra.length > 0, name);
  }
});
