import { assertEquals, assertRejects } from "@std/assert";
import { lastResults, trial, type TrialOptions } from "./trial.ts";

Deno.test("trial() makes as many calls as it is told, each with the state alone", async () => {
  const calls: unknown[] = [];
  const made = await trial((...given: [string]) => void calls.push(given), {
    setup: () => Promise.resolve("ready"),
  });
  await made.run(3);
  await made.run(1);
  assertEquals(calls, [["ready"], ["ready"], ["ready"], ["ready"]]);
});

Deno.test("trial() keeps results where the engine cannot leave them out", async () => {
  let call = 0;
  await (await trial(() => call++)).run(5);
  assertEquals(lastResults.sum, 1 + 2 + 3 + 4);
  await (await trial(() => ({ call: call++ }))).run(5);
  assertEquals(lastResults.other, { call: 9 });
});

Deno.test("trial() hands results to a sink, and the state to dispose once", async () => {
  const [taken, disposed]: [number[], number[]] = [[], []];
  let call = 0;
  const made = await trial((state: number) => state + call++, {
    setup: () => 10,
    sink: (result) => void taken.push(result),
    dispose: (state) => void disposed.push(state),
  });
  await made.run(3);
  await made[Symbol.asyncDispose]();
  await made[Symbol.asyncDispose]();
  assertEquals([taken, disposed], [[10, 11, 12], [10]]);
});

Deno.test("trial() awaits each call of asynchronous work before the next", async () => {
  let [call, under, most, sum] = [0, 0, 0, 0];
  const made = await trial(async () => {
    most = Math.max(most, ++under);
    await Promise.resolve();
    under--;
    return call++;
  }, { sink: (result) => void (sum += result) });
  await made.run(4);
  assertEquals([most, under, sum], [1, 0, 6]);
  await assertRejects(
    async () => {
      await (await trial(() => Promise.reject(new Error("no disk")))).run(2);
    },
    Error,
    "no disk",
  );
});

Deno.test("trial() rejects what it cannot repeat, and says what it takes", async () => {
  const wrong: readonly (readonly [work: unknown, options: unknown, text: string])[] = [
    [undefined, {}, "its work must be a function, such as () => copy(): it is undefined"],
    [null, {}, "it is null"],
    [() => 1, { setUp: () => 1 }, 'it has no option "setUp": options are setup'],
    [() => 1, { sink: 1 }, "its sink must be a function: it is number"],
  ];
  for (const [work, options, text] of wrong) {
    await assertRejects(
      () => trial(work as () => unknown, options as TrialOptions<unknown, unknown>),
      TypeError,
      text,
    );
  }
  let call = 0;
  const mixed = await trial(() => call++ === 0 ? 1 : Promise.resolve(1));
  await assertRejects(async () => await mixed.run(3), TypeError, "in each call, or in none");
});
