import { assertEquals, assertThrows } from "@std/assert";
import { BareWorker } from "./bare_worker.ts";

/** Runs a program in a bare worker; what it gives to `report` comes back through shared memory. */
async function run(program: string): Promise<{ report: unknown; errors: string[] }> {
  const errors: string[] = [];
  const source = `
    onmessage = async ({ data }) => {
      const report = (value) => {
        const bytes = new TextEncoder().encode(JSON.stringify(value));
        new Uint8Array(data, 8).set(bytes);
        const words = new Int32Array(data, 0, 2);
        words[1] = bytes.length;
        Atomics.store(words, 0, 1);
        Atomics.notify(words, 0);
      };
      ${program}
    };`;
  const worker = new BareWorker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    onError: ({ message }) => errors.push(message),
  });
  const memory = new SharedArrayBuffer(1 << 16);
  worker.post(memory);
  const words = new Int32Array(memory, 0, 2);
  const alive = setInterval(() => {}, 1000);
  await Atomics.waitAsync(words, 0, 0).value;
  clearInterval(alive);
  worker.terminate();
  const text = new TextDecoder().decode(new Uint8Array(memory, 8, words[1]!).slice());
  return { report: JSON.parse(text), errors };
}

/** The names of the errors of what is tried. */
const TRY = `
  const names = {};
  const attempt = async (name, work) => {
    try {
      await work();
      names[name] = "reached";
    } catch (error) {
      names[name] = /^(Requires|Can't escalate)/.test(error.message) ? "refused" : String(error);
    }
  };`;

Deno.test("a bare worker has no permissions, nor has what it imports or starts", async () => {
  const file = JSON.stringify(import.meta.url);
  const { report } = await run(`${TRY}
    const url = (text) => "data:text/javascript," + encodeURIComponent(text);
    await attempt("read", () => Deno.readTextFileSync(new URL(${file})));
    await attempt("node read", async () => (await import("node:fs")).readFileSync(new URL(${file})));
    await attempt("fetch file", () => fetch(${file}));
    await attempt("write", () => Deno.writeTextFileSync("/tmp/never", ""));
    await attempt("env", () => Deno.env.get("PATH"));
    await attempt("sys", () => Deno.hostname());
    await attempt("run", () => new Deno.Command("true").outputSync());
    await attempt("net", () => Deno.connect({ port: 9 }));
    await attempt("fetch", () => fetch("http://127.0.0.1:9999/"));
    await attempt("ffi", () => Deno.dlopen("libc.so.6", {}));
    await attempt("import file", () => import(${file} + ""));
    // Not as one text: what can be read out of a worker's own module its parent loads.
    await attempt("import http", () => import("http://127.0.0.1:9999/" + "x.js"));
    await attempt("data imports file", () => import(url("import " + JSON.stringify(${file}))));
    await attempt("data imports text", () => import(url(
      "import text from " + JSON.stringify(${file}) + " with { type: 'text' }")));
    await attempt("blob imports file", () => import(URL.createObjectURL(
      new Blob(["import " + JSON.stringify(${file})], { type: "text/javascript" }))));
    await attempt("worker with more", () =>
      new Worker(url(""), { type: "module", deno: { permissions: { read: true } } }));
    await attempt("request", async () => {
      const { state } = await Deno.permissions.request({ name: "read" });
      if (state !== "granted") throw new Error("Requires permission: " + state);
    });
    report(names);`);
  assertEquals(
    Object.entries(report as Record<string, string>).filter(([, name]) => name !== "refused"),
    [],
  );
});

Deno.test("nothing that a bare worker posts is heard, or harms", async () => {
  const { report, errors } = await run(`
    for (const message of [null, undefined, 1, "done", { kind: "done", id: 0 }, { kind: "failed" },
      { kind: "note" }, { id: 0, request: {} }, new Error("x")]) postMessage(message);
    const { port1 } = new MessageChannel();
    postMessage({ port1 }, [port1]);
    setTimeout(() => report("posted"), 10);`);
  assertEquals([report, errors], ["posted", []]);
});

Deno.test("a bare worker that throws is told of, and a runtime without workers refused", async () => {
  const { promise, resolve } = Promise.withResolvers<Error>();
  const url = new URL(`data:text/javascript,import "none:";`);
  const worker = new BareWorker(url, { onError: resolve });
  assertEquals(
    (await promise).message.startsWith("Cannot go on with the worker as it threw"),
    true,
  );
  worker.terminate();
  const { Worker } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, "Worker");
    assertThrows(() => new BareWorker(url, { onError() {} }), TypeError, "knows none");
  } finally {
    globalThis.Worker = Worker;
  }
});
