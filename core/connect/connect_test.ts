import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { WorkerEndedError } from "./answer.ts";
import { connect, type RemoteFunctions } from "./connect.ts";
import type { Functions } from "./testdata/math_worker.ts";

const MATH = new URL("./testdata/math_worker.ts", import.meta.url);

function module(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

Deno.test("connect() makes functions callable, blocking and not, at once or later", async () => {
  using math = await connect<Functions>(MATH);
  assertEquals([math.add(2, 3), await math.add.async(4, 5)], [5, 9]);
  assertEquals(math.echoLater("late", 5), "late");
  const later = math.echoLater.async("later", 20);
  assertEquals([math.add(1, 1), math.echo(undefined), await later], [2, undefined, "later"]);
  const rich = { map: new Map([[1n, new Set([NaN])]]), bytes: new Uint8Array(300_000).fill(7) };
  assertEquals([math.echo(rich), await math.echo.async(rich)], [rich, rich]);
});

Deno.test("what a function throws is thrown whole, and what cannot be copied is refused", async () => {
  using math = await connect<Functions>(MATH);
  for (const call of [() => math.fail("no"), () => math.fail.async("no")]) {
    // deno-lint-ignore no-explicit-any
    const error: any = await assertRejects(async () => await call(), RangeError, "no");
    assertEquals([error.code, error.cause.message], [7, "deeper"]);
    assert(error.stack.includes("math_worker"));
  }
  assertEquals(await math.throwText.async().catch((thrown: unknown) => thrown), "only a text");
  assertThrows(() => math.makeSymbol(), TypeError, "Cannot send the result of makeSymbol");
  const refused = { list: [Symbol("none")] };
  assertThrows(() => math.echo(refused), TypeError, "the arguments of echo[0].list[0]");
  await assertRejects(() => math.echo.async(refused), TypeError, "it is a symbol");
  const promise = { later: Promise.resolve(1) };
  assertThrows(() => math.echo(promise), TypeError, "echo[0].later as it cannot be copied");
  assertThrows(() => math.echo(promise), TypeError, "it is a promise: await it first");
  assertEquals(math.add(1, 2), 3);
});

Deno.test("a late answer is not taken for the next call's, and a timeout or a signal ends a call", async () => {
  using math = await connect<Functions>(MATH);
  const late = math.echoLater.with({ timeoutSeconds: 0.01 });
  assertThrows(
    () => late("old", 200),
    DOMException,
    "Cannot finish the call of echoLater within 0.01 s",
  );
  await assertRejects(() => late.async("old", 5000), DOMException, "within 0.01 s");
  for (let time = 0; time < 100; time++) assertEquals(math.echoLater(time, 3), time);
  const wait = math.echoLater.with({ signal: AbortSignal.timeout(5) });
  await assertRejects(() => wait.async("old", 5000), DOMException);
  assertThrows(() => math.add.with({ signal: AbortSignal.abort() })(1, 1), DOMException);
  assertEquals(math.add(1, 2), 3);
  assertThrows(() => math.add.with({ timeout: 1 } as object), TypeError, "no option timeout");
  using limited = await connect<Functions>(MATH, { timeoutSeconds: 0.01 });
  assertThrows(() => limited.spin(300), DOMException, "within 0.01 s");
  assertEquals(limited.echoLater.with({ timeoutSeconds: 60 })(1, 50), 1);
});

for (const how of ["crash", "leave", "exit"] as const) {
  Deno.test(`a worker that ends in the middle of a call fails it at once: ${how}`, async () => {
    await using math = await connect<Functions>(MATH);
    const start = performance.now();
    const other = math.echoLater.async(1, 60_000);
    const calls = { crash: () => math.crash("boom"), leave: math.leave, exit: math.exit };
    const error = assertThrows(() => calls[how](), WorkerEndedError, `the call of ${how}`);
    await assertRejects(() => other, WorkerEndedError, "the call of echoLater");
    assertThrows(() => math.add(1, 2), WorkerEndedError, "the call of add");
    await assertRejects(() => math.add.async(1, 2), WorkerEndedError);
    assertEquals((error.cause as Error | undefined)?.message, how === "crash" ? "boom" : undefined);
    assert(performance.now() - start < 20_000, "not by a timeout");
  });
}

Deno.test("a worker that crashes fails a call that waits on the event loop", async () => {
  await using math = await connect<Functions>(MATH);
  await assertRejects(() => math.crash.async("boom"), WorkerEndedError, "boom");
});

Deno.test("the end of a connection fails what is under way, and all later calls", async () => {
  const math = await connect<Functions>(MATH);
  const call = math.echoLater.async(1, 60_000);
  math[Symbol.dispose]();
  await assertRejects(() => call, WorkerEndedError, "the connection was ended");
  assertThrows(() => math.add(1, 2), WorkerEndedError, "the connection was ended");
  await math[Symbol.asyncDispose]();
});

Deno.test("a flood of calls is answered, whole and in any order", async () => {
  using math = await connect<Functions>(MATH);
  const bytes = new Uint8Array(500);
  const calls = Array.from({ length: 10_000 }, (_, index) => math.echo.async({ index, bytes }));
  const between = math.add(1, 2);
  const answers = await Promise.all(calls) as { readonly index: number }[];
  assertEquals([between, answers.every(({ index }, at) => index === at)], [3, true]);
});

Deno.test("the worker's timers go on while this thread waits, and while it calls without a pause", async () => {
  using math = await connect<Functions>(MATH);
  const first = math.ticks();
  math.echoLater(1, 30);
  const second = math.ticks();
  assert(second > first);
  for (const end = performance.now() + 60; performance.now() < end;) math.add(1, 2);
  assert(math.ticks() > second);
});

Deno.test("several workers take the calls in turns", async () => {
  using math = await connect<Functions>(MATH, { workers: 3 });
  const ids = await Promise.all([1, 2, 3].map(() => math.meet.async(3)));
  assertEquals(new Set(ids).size, 3);
  assertEquals(math.add(1, 2), 3);
});

Deno.test("a worker that has ended gets no call while another one is there", async () => {
  using math = await connect<Functions>(MATH, { workers: 2 });
  assertThrows(() => math.crash("first"), WorkerEndedError);
  for (let index = 0; index < 5; index++) assertEquals(math.add(index, 1), index + 1);
  assertEquals(await Promise.all([1, 2, 3].map((value) => math.add.async(value, 1))), [2, 3, 4]);
  assertThrows(() => math.crash("second"), WorkerEndedError, "second");
  assertThrows(() => math.add(1, 2), WorkerEndedError, "the call of add");
  await assertRejects(() => math.add.async(1, 2), WorkerEndedError, "the call of add");
});

Deno.test("an error says which of the caller's lines called", async () => {
  using math = await connect<Functions>(MATH);
  function callHere(): never {
    return math.fail("no");
  }
  async function callLater(): Promise<never> {
    return await math.fail.async("no");
  }
  async function waitForEnd(): Promise<never> {
    return await math.crash.async("boom");
  }
  for (const call of [callHere, callLater, waitForEnd]) {
    const error = await assertRejects(async () => await call(), Error);
    const [there, here] = error.stack!.split("\n    at <the call>\n");
    const own = here!.split("\n")[0]!;
    assert(call === waitForEnd || !there!.includes("core/connect/call_"), there);
    assert(own.includes(call.name) && own.includes("connect_test.ts"), own);
    assert(call === waitForEnd || there!.includes("math_worker"));
  }
});

Deno.test("connect() takes a worker that was started before, or a function that starts one", async () => {
  const start = () => new Worker(MATH, { type: "module" });
  const early = start();
  const heard: unknown[] = [];
  early.onmessage = ({ data }) => heard.push(data);
  while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  {
    using math = await connect<Functions>(early);
    assertEquals(math.add(1, 2), 3);
  }
  using pool = await connect<Functions>(start, { workers: 2 });
  assertEquals(pool.add(1, 2), 3);
});

Deno.test("a worker that whoever started it terminates fails what is under way, and all later calls", async () => {
  const worker = new Worker(MATH, { type: "module" });
  using math = await connect<Functions>(worker, { timeoutSeconds: 10 });
  const call = math.echoLater.async(1, 60_000);
  worker.terminate();
  await assertRejects(() => call, WorkerEndedError, "it was terminated");
  assertThrows(() => math.add(1, 2), WorkerEndedError, "it was terminated");
});

Deno.test("the end of one connection of a worker is the other's, which is told", async () => {
  const worker = new Worker(MATH, { type: "module" });
  const [one, other] = [await connect<Functions>(worker), await connect<Functions>(worker)];
  assertEquals([one.add(1, 2), other.add(3, 4)], [3, 7]);
  const late = other.echoLater.async("never", 60_000);
  one[Symbol.dispose]();
  await assertRejects(() => late, WorkerEndedError);
  assertThrows(() => other.add(1, 1), WorkerEndedError, "as it was terminated");
});

Deno.test("connect() waits for a module that serves late", async () => {
  const serve = new URL("./serve.ts", import.meta.url);
  const late = module(`
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { serve } = await import("${serve}");
    serve({ add: (left, right) => left + right });`);
  using math = await connect<Functions>(late, { startTimeoutSeconds: 20 });
  assertEquals(math.add(1, 2), 3);
});

Deno.test("connect() says what is wrong with a worker", async () => {
  const silent = module("await new Promise((resolve) => setTimeout(resolve, 1e6))");
  const options = { startTimeoutSeconds: 0.2 };
  await assertRejects(
    () => connect(silent, options),
    Error,
    "the module must call serve(functions)",
  );
  await assertRejects(() => connect(module("throw new Error('at once')")), Error, "at once");
  const missing = new URL("./missing.ts", import.meta.url);
  await assertRejects(() => connect(missing), Error, `Cannot connect to ${missing}: `);
  for (const source of [undefined, null, {}, () => undefined, () => Promise.resolve(1)]) {
    await assertRejects(() => connect(source as never), TypeError, "the source must be the URL of");
  }
  const misspelt: object = { wokers: 2 };
  await assertRejects(
    () => connect(MATH, misspelt),
    TypeError,
    "no option wokers: the options are",
  );
  await assertRejects(() => connect("./math_worker.ts"), TypeError, "must be absolute");
  const starts: Worker[] = [];
  const second = () => {
    if (starts.length > 0) throw new Error("no second");
    const worker = new Worker(MATH, { type: "module" });
    const end = worker.terminate.bind(worker);
    worker.terminate = () => [end(), ended.resolve()];
    return starts.push(worker), worker;
  };
  const ended = Promise.withResolvers<void>();
  await assertRejects(() => connect(second, { workers: 2 }), Error, "no second");
  await ended.promise;
  await assertRejects(() => connect(MATH, { workers: 0 }), RangeError, "workers must be");
  await assertRejects(() => connect(MATH, { timeoutSeconds: -1 }), RangeError, "timeoutSeconds");
  const worker = new Worker(MATH, { type: "module" });
  await assertRejects(() => connect(worker, { workers: 2 }), TypeError, "several workers of one");
  worker.terminate();
});

Deno.test("connect() keeps to the limits of both sides", async () => {
  const serve = new URL("./serve.ts", import.meta.url);
  const small = module(`
    import { serve } from "${serve}";
    serve({ make: (length) => new Uint8Array(length), lengthOf: (bytes) => bytes.length }, { limitBytes: 1000 });`);
  interface Small {
    make(length: number): Uint8Array;
    lengthOf(bytes: Uint8Array): number;
  }
  using worker = await connect<Small>(small, { limitBytes: 2000, timeoutSeconds: 30 });
  const [result, values] = ["limitBytes of connect() is 2000", "limitBytes of serve() is 1000"];
  for (const length of [3000, 3_000_000]) {
    const bytes = new Uint8Array(length);
    const later = worker.lengthOf.async(new Uint8Array(10));
    assertThrows(() => worker.make(length), RangeError, result);
    await assertRejects(() => worker.make.async(length), RangeError, result);
    assertThrows(() => worker.lengthOf(bytes), RangeError, values);
    await assertRejects(() => worker.lengthOf.async(bytes), RangeError, values);
    assertEquals([worker.make(1000).length, worker.lengthOf(bytes.slice(0, 900))], [1000, 900]);
    assertEquals(await later, 10);
  }
});

Deno.test("a worker is started, called and ended again and again, and leaves nothing", async () => {
  for (let time = 0; time < 20; time++) {
    await using math = await connect<Functions>(MATH);
    assertEquals(math.add(time, 1), time + 1);
  }
});

Deno.test("RemoteFunctions has what can be called: no other members, and no name that begins with _", () => {
  type Names = keyof RemoteFunctions<{ add(value: number): void; _hidden(): void; size: number }>;
  const name: Names = "add";
  // @ts-expect-error: it cannot be called
  const hidden: Names = "_hidden";
  assertEquals([name, hidden], ["add", "_hidden"]);
});
