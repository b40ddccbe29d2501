import { assertEquals } from "@std/assert";
import { ToyOracle } from "./toy_oracle.ts";
import type { Toy } from "./toy_program.ts";

function verdictOf(main: readonly Toy[], helpers: readonly (readonly Toy[])[] = []): string {
  const oracle = new ToyOracle({ main, helpers });
  const rules = [...oracle.faults.values()].flatMap((rules) => [...rules]);
  return [...rules, ...(oracle.hasLeak ? ["leak"] : [])].join(" ");
}

const close: Toy = { act: "close", name: "p" };
const use: Toy = { act: "use", name: "p" };

Deno.test("ToyOracle knows what is wrong with a straight program", () => {
  assertEquals(verdictOf([]), "leak");
  assertEquals(verdictOf([close]), "");
  assertEquals(verdictOf([{ ...close }, { ...close }]), "double-move");
  assertEquals(verdictOf([close, use]), "use-after-move");
  assertEquals(verdictOf([{ act: "give", name: "q", from: "p" }]), "leak");
  assertEquals(verdictOf([{ act: "open", name: "p" }, close]), "leak");
});

Deno.test("ToyOracle takes every path", () => {
  assertEquals(verdictOf([{ act: "if", yes: [close], no: [] }]), "leak");
  assertEquals(verdictOf([{ act: "loop", isEndless: false, body: [close] }]), "double-move leak");
  assertEquals(verdictOf([{ act: "loop", isEndless: true, body: [close, { act: "break" }] }]), "");
  const caught: Toy = { act: "try", body: [use, close], handler: [], finalizer: undefined };
  assertEquals(verdictOf([caught]), "leak");
  const cleaned: Toy = {
    act: "try",
    body: [{ act: "return" }],
    handler: undefined,
    finalizer: [close],
  };
  assertEquals(verdictOf([cleaned]), "");
});

Deno.test("ToyOracle follows calls, also of functions that call themselves", () => {
  const call: Toy = { act: "call", helper: 0 };
  assertEquals(verdictOf([call], [[close]]), "");
  assertEquals(verdictOf([call, { ...call }], [[close]]), "double-move");
  const again: Toy = { act: "if", yes: [{ act: "call", helper: 0 }], no: [close] };
  assertEquals(verdictOf([call], [[again]]), "");
});
