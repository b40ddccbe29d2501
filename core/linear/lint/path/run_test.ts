import { assertEquals, assertInstanceOf, assertThrows } from "@std/assert";
import { checkedFile, testMarked } from "../testdata/marked_source.ts";
import { type Interpreter, type Known, Run, type Steps } from "./run.ts";
import { Abandoned, Thrown } from "./thrown.ts";
import { Future, Unknown, type Value } from "./value.ts";

function runOn(...prefix: readonly number[]): Run {
  const known: Known = {
    visited: new Set(),
    heavy: new Set(),
    declarations: new Map(),
    calls: new Map(),
    stepCount: 0,
    losses: [],
  };
  const interpreter = {} as Interpreter;
  return new Run({ file: checkedFile("a"), interpreter, known, isLater: false }, prefix);
}

Deno.test("Run.choose() follows what it is given, then takes the usual way", () => {
  const run = runOn(1, 2);
  assertEquals([run.choose(2), run.choose(3), run.choose(3), run.choose(1)], [1, 2, 0, 0]);
  assertEquals(run.decisions.map(({ taken, count }) => [taken, count]), [[1, 2], [2, 3], [0, 3]]);
});

Deno.test("Run gives up a path that takes too long", () => {
  const [decides, works] = [runOn(), runOn()];
  const repeat = (work: () => void) => () => {
    for (let count = 0; count < 100_000; count++) work();
  };
  for (const work of [() => decides.choose(2), () => works.step()]) {
    assertInstanceOf(assertThrows(repeat(work)), Abandoned);
  }
});

Deno.test("Run.answer() is the same for the same question", () => {
  const run = runOn();
  const [a, b] = [new Unknown(), new Unknown()];
  assertEquals(run.answer("===", a, b) === run.answer("===", a, b), true);
  assertEquals(run.answer("===", a, b) === run.answer("===", a, a), false);
  assertEquals(run.answer("<", a, 1) === run.answer("<", a, 2), false);
  assertEquals([run.keyOf(1), run.keyOf(a) === run.keyOf(b)], ["1", false]);
});

Deno.test("Run.areSame() decides once, and takes what is the same to be one", () => {
  const run = runOn(1, 0);
  const [a, b, c] = [new Unknown(), new Unknown(), new Unknown()];
  assertEquals([run.areSame(a, b, true), run.areSame(b, c, true)], [false, true]);
  assertEquals([run.areSame(a, c, true), run.areSame(c, a, false)], [false, false]);
  for (const one of [a, b]) one.isUnique = true;
  assertEquals(run.areSame(a, b, true), false);
  assertEquals(run.decisions.length, 2);
});

Deno.test("Run.start() goes on when what it waits for is settled", () => {
  const run = runOn();
  const seen: Value[] = [];
  function* wait(future: Future): Steps<Value> {
    try {
      seen.push(yield { awaited: future });
    } catch (error) {
      seen.push((error as Thrown).value);
    }
    return "done";
  }
  const [well, badly] = [new Future(), new Future()];
  const both = [run.start(wait(well)), run.start(wait(badly))];
  run.drain();
  assertEquals(both.map(({ state }) => state), ["pending", "pending"]);
  run.reject(badly, new Thrown("bad", false));
  const inner = new Future();
  run.fulfil(well, inner);
  run.fulfil(inner, "well");
  run.drain();
  assertEquals(seen, ["bad", "well"]);
  assertEquals(both.map(({ state, value }) => [state, value]), [
    ["fulfilled", "done"],
    ["fulfilled", "done"],
  ]);
});

testMarked("run", {
  "what is shorter than a wait comes first, and timers come in both orders": `
    const port = client.open(1), other = client.open(2);
    let isOver = false;
    setTimeout(() => { isOver = true; port.close(); });
    queueMicrotask(() => { if (!isOver) port.use(fill); });
    setTimeout(() => other.close());
    load().then(() => other.use(fill)); //! use-after-move`,
  "code after an await runs when all that called it is done": `
    const port = client.open(1);
    async function f() { await undefined; port.close(); port.use(fill); } //! use-after-move
    f();
    port.use(fill);`,
  "an async function that never ends": `
    const port = client.open(1);
    async function turn() { for (;;) await pause(); }
    turn();
    port.close();
    port.close(); //! double-move`,
  "recursion, and loops that do not end": `
    let port: PartialPort<true> | undefined;
    function one() {
      port = client.open(1); //! unconsumed-port
      if (ready) other();
    }
    function other() { port?.close(); port = undefined; one(); }
    one();
    export function f() { const last = client.open(1); for (;;) { last.close(); } } //! double-move
    export function g(): void { g(); }`,
});
