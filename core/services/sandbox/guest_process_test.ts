/** What becomes of a host whose guests do their worst in a process. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { fn, hostApi, string } from "../../signature/mod.ts";
import { allow } from "./policy.ts";
import { startSandbox } from "./sandbox.ts";
import { guestUrl } from "./testdata/guest_url.ts";
import { lines, namesOptions } from "./testdata/names_options.ts";

const ignore = Deno.build.os !== "linux";
const names = hostApi("names", { of: fn([string], string) });

Deno.test({
  name: "a guest in a process is called, calls its host, prints to the log and is ended",
  ignore,
  async fn() {
    const script = `
      console.log("begins");
      exports.greet = (who) => "Hello, " + host.names.of(who) + who.length;
      exports.later = async (values) => [await host.names.of.async("x"), values.get("a").getTime()];
      exports.fail = () => { throw new RangeError("too far"); };`;
    const options = namesOptions();
    const sandbox = await startSandbox(guestUrl(script), options);
    assertEquals(await sandbox.call("greet", "Ada"), "Hello, ADA3");
    assertEquals(await sandbox.call("later", new Map([["a", new Date(7)]])), ["X", 7]);
    await assertRejects(() => sandbox.call("fail"), Error, "RangeError: too far");
    await assertRejects(() => sandbox.call("greet", () => {}), TypeError);
    await sandbox.terminate();
    await assertRejects(() => sandbox.call("greet", "Bob"), Error, "as it was ended");
    const entries = lines.map((line) => JSON.parse(line));
    const isolation = entries.find(({ call }) => call === "sandbox.isolation");
    assertEquals([isolation.arguments, isolation.error], [["process"], undefined]);
    assertEquals(entries.map((one) => one.arguments?.[0]).includes("begins"), true);
    assert(entries.every(({ verdict }) => verdict === "allow"));
  },
});

/** What a guest does, and what its caller hears of it: a text that is in the answer or the error. */
const WORST: Readonly<Record<string, readonly [body: string, heard: string]>> = {
  "fills the heap": [
    `const all = []; for (;;) all.push(new Array(1000).fill(0.5));`,
    "SIGTRAP ended",
  ],
  "fills memory beside the heap": [
    `const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1));`,
    "Array buffer allocation failed",
  ],
  "grows shared memory": [
    `const all = new SharedArrayBuffer(1, { maxByteLength: 2 ** 31 }); all.grow(2 ** 31);`,
    "Out of memory",
  ],
  "makes a text that V8 has no room for": [
    `return JSON.stringify("x".repeat(2 ** 28)).repeat(2);`,
    "SIGTRAP ended",
  ],
  "never ends": [`for (;;);`, "Cannot wait longer than 1 s"],
  "sleeps": [
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
    "Cannot wait longer than 1 s",
  ],
  "fills the log": [`for (;;) console.log("x");`, "its log is full"],
  "calls without end": [`for (;;) host.names.of("x");`, "its log is full"],
  "rings its bell for nothing": [
    `const rings = new Uint8Array(4096).fill(7); for (;;) Deno.stdout.writeSync(rings);`,
    "rings more often than its calls do",
  ],
  "rings its bell now and then, for nothing": [
    `for (;;) { await Deno.stdout.write(Uint8Array.of(7)); }`,
    "rings more often than its calls do",
  ],
  "throws where nobody catches it": [
    `Promise.reject(new Error("\\u001b[2J")); setTimeout(() => { throw 1; });
     return new Promise((resolve) => setTimeout(resolve, 5, "lives"));`,
    "lives",
  ],
};

Deno.test({
  name: "a guest that does its worst ends alone, and all of it is in the log",
  ignore,
  async fn() {
    const limits = {
      memoryBytes: 1 << 26,
      logBytes: 1 << 16,
      startTimeoutSeconds: 60,
    };
    await Promise.all(
      Object.entries(WORST).map(async ([name, [body, heard]]) => {
        const audited: string[] = [];
        const sandbox = await startSandbox(guestUrl(`exports.run = async () => {${body}};`), {
          serve: (server) => void server.serve(names, { of: (text) => text }),
          policy: [allow("names.of")],
          audit: (line) => void audited.push(line),
          // All at once, on a machine that may do something else: the others end by themselves.
          limits: { ...limits, timeoutSeconds: heard.startsWith("Cannot wait") ? 1 : 60 },
          name,
        });
        const answer = `${await sandbox.call("run").catch(String)}`;
        assert(answer.includes(heard), `${name}: ${answer}`);
        await sandbox.terminate();
        assert(audited.some((line) => line.includes('"sandbox.end"')), name);
        if (answer.includes("SIGTRAP")) {
          assert(audited.some((line) => /sandbox.stderr.*Fatal/.test(line)), audited.join(""));
        }
        assert(audited.every((line) => /^[\x20-\x7e]+\n$/.test(line)), name);
      }),
    );
  },
});

Deno.test({
  name: "a guest that works between its calls comes to the end of its time",
  ignore,
  async fn() {
    const options = namesOptions();
    const script = `exports.run = () => void setTimeout(() => { for (;;); });`;
    const limits = { cpuSeconds: 1 };
    const sandbox = await startSandbox(guestUrl(script), { ...options, limits });
    await sandbox.call("run");
    await assertRejects(() => sandbox.call("run"), Error, "SIGXCPU ended it: its time");
    await sandbox.terminate();
  },
});

Deno.test("limits that are none are refused", async () => {
  for (const limits of [{ memoryBytes: 1e6 }, { memoryBytes: NaN }, { cpuSeconds: 0 }]) {
    await assertRejects(
      () => startSandbox(guestUrl(""), { ...namesOptions(), limits }),
      RangeError,
      "Cannot limit the",
    );
  }
});

/** What reaches for more than a process has, by what the runtime leaves it; each throws. */
const REACHES = [
  `Deno.readTextFileSync("/etc/passwd")`,
  `Deno.writeTextFileSync("/tmp/guest", "")`,
  `Deno.listen({ port: 0 })`,
  `await fetch("http://127.0.0.1:9/")`,
  `await Deno.connect({ port: 9 })`,
  `new Deno.Command("true").outputSync()`,
  `Deno.dlopen("libc.so.6", {})`,
  `Deno.env.toObject()`,
  `Deno.hostname()`,
  `Deno.kill(1, "SIGTERM")`,
  `await import("npm:chalk")`,
  `await import("file:///etc/passwd")`,
  `await import("file:///etc/passwd", { with: { type: "text" } })`,
  `(await caches.open("x")).put("http://x/", new Response("x"))`,
  `localStorage.setItem("x", "y")`,
];

Deno.test({
  name: "a guest reaches nothing beyond its process, whatever the runtime leaves it",
  ignore,
  async fn() {
    const attempts = REACHES.map((code) => `async () => { ${code}; }`);
    const script = `exports.run = async () => {
      const reached = [];
      for (const [index, attempt] of [${attempts}].entries()) {
        try { await attempt(); reached.push(index); } catch {}
      }
      return reached;
    };`;
    await using sandbox = await startSandbox(guestUrl(script), namesOptions());
    const reached = await sandbox.call("run") as number[];
    assertEquals(reached.map((index) => REACHES[index]), []);
  },
});
