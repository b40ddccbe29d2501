import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { WorkerLink } from "./worker_link.ts";

const SCOPE = new URL("./worker_scope.ts", import.meta.url);

/** The URL of a worker whose `answer` is the text. */
function workerOf(answer: string): string {
  const program = `import { answerParent } from "${SCOPE}";
    const parent = answerParent(${answer});`;
  return `data:text/typescript,${encodeURIComponent(program)}`;
}

Deno.test("WorkerLink.ask() gives each request its own answer, in any order", async () => {
  const link = new WorkerLink<number>(
    workerOf("(after) => new Promise((resolve) => setTimeout(() => resolve(after), after))"),
  );
  const order: number[] = [];
  const wait = async (after: number) => order.push(await link.ask<number>(after));
  await Promise.all([wait(60), wait(1)]);
  assertEquals(order, [1, 60]);
  link.terminate();
});

Deno.test("WorkerLink passes over what the worker's code posts by itself", async () => {
  const foreign = "[null, undefined, 7, 'text', {}, [], { jsonrpc: '2.0', id: 0, result: 42 }]";
  const link = new WorkerLink<number>(
    workerOf(`(value) => { for (const one of ${foreign}) postMessage(one); return value; }`),
    { onError: (error) => assertEquals(error, undefined) },
  );
  assertEquals(await link.ask<number>(5), 5);
  link.terminate();
});

Deno.test("WorkerLink.ask() rejects with the worker's own error", async () => {
  const link = new WorkerLink<string>(workerOf("(text) => { throw new RangeError(text) }"));
  const error = await assertRejects(() => link.ask("no port"), Error, "no port");
  assertEquals([error.name, error.stack!.includes("data:text")], ["RangeError", true]);
  link.terminate();
});

Deno.test("WorkerLink hears notes, and of an error that nobody caught", async () => {
  const notes: string[] = [];
  const failed = Promise.withResolvers<Error>();
  const link = new WorkerLink<string, string>(
    workerOf("(text) => { parent.note(text); setTimeout(() => { throw new Error('boom') }); }"),
    { onNote: (note) => notes.push(note), onError: failed.resolve },
  );
  await link.ask("hello");
  assertEquals(notes, ["hello"]);
  assertEquals((await failed.promise).message.includes("boom"), true);
});

Deno.test("WorkerLink rejects what was asked of a worker that does not load", async () => {
  const link = new WorkerLink<number>(new URL("./nowhere.ts", import.meta.url));
  await assertRejects(() => link.ask(1), Error, "Cannot go on with the worker");
});

Deno.test("WorkerLink.terminate() rejects what was asked and not answered", async () => {
  const link = new WorkerLink<number>(workerOf("() => new Promise(() => {})"));
  const asked = link.ask(1);
  link.terminate();
  await assertRejects(() => asked, Error, "was terminated");
});

Deno.test("WorkerLink starts, asks and ends a worker that does not keep the program alive", async () => {
  const words = new Int32Array(new SharedArrayBuffer(4));
  const counting = "(words) => void setInterval(() => Atomics.add(words, 0, 1))";
  const link = new WorkerLink<Int32Array>(workerOf(counting), { keepsAlive: false });
  const alive = setInterval(() => {}, 1000); // an answer that is awaited does not
  await link.ask(words);
  clearInterval(alive);
  assertEquals(await link.terminate(), false);
  const isStill = async () => {
    const before = Atomics.load(words, 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return Atomics.load(words, 0) === before;
  };
  for (let look = 0; !await isStill(); look++) assertEquals(look < 100, true, "it is ended");
});

Deno.test("WorkerLink.ask() throws for what cannot be copied, and nothing of it is left", async () => {
  const link = new WorkerLink<unknown>(workerOf("(value) => value"));
  const unhandled: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  addEventListener("unhandledrejection", note);
  assertThrows(() => link.ask(() => {}), DOMException);
  assertEquals(await link.ask(5), 5);
  link.terminate();
  await new Promise((resolve) => setTimeout(resolve, 0));
  removeEventListener("unhandledrejection", note);
  assertEquals(unhandled, []);
});

Deno.test("WorkerLink.tell() sends a request whose answer goes nowhere", async () => {
  const link = new WorkerLink<number>(
    workerOf("(() => { let sum = 0; return (n) => sum += n; })()"),
  );
  link.tell(40);
  assertEquals(await link.ask(2), 42);
  link.terminate();
});

Deno.test("WorkerLink: a program ends although its worker runs, if that was asked for", async () => {
  const link = new URL("./worker_link.ts", import.meta.url);
  const program = `import { WorkerLink } from "${link}";
    const worker = new WorkerLink("${workerOf("() => {}")}", { keepsAlive: false });
    const alive = setInterval(() => {}, 1000);
    await worker.ask(1);
    clearInterval(alive);
    console.log("asked");`;
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", program],
    stderr: "null",
  }).output();
  assertEquals([new TextDecoder().decode(stdout).trim(), success], ["asked", true]);
});

for (const end of ["Deno.exit(3)", "close()", "parent.close()"]) {
  Deno.test(`WorkerLink rejects what was asked of a worker that ends itself by ${end}`, async () => {
    const failed = Promise.withResolvers<[string, boolean]>();
    const link = new WorkerLink<number>(
      workerOf(`() => new Promise(() => setTimeout(() => ${end}))`),
      {
        onError: ({ message }, isDead) => failed.resolve([message, isDead]),
      },
    );
    const asked = link.ask(1);
    await assertRejects(() => asked, Error, "it ended itself");
    assertEquals((await failed.promise)[1], false);
    link.terminate();
  });
}
