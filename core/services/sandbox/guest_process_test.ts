/** Guests that do their worst: to fill what there is, to get out, to end their host. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { onLinux } from "../../testing/fixtures/on_linux.ts";
import { startGuest } from "./testdata/guests.ts";

const limits = { memoryBytes: 1 << 26, logBytes: 1 << 16, startTimeoutSeconds: 60 };
/** More than it has: by a process, and by what it printed before it was ended. */
const LOG_BYTES_BEYOND = 4096;

/** What a guest does, and what its caller hears of it, in the answer or the error. Without memory a
 * guest hears so, or ends, as V8 decides. */
const WORST: Readonly<Record<string, readonly [body: string, heard: RegExp]>> = {
  "fills the heap": [
    `const all = []; for (;;) all.push(new Array(1000).fill(0.5));`,
    /SIGTRAP ended/,
  ],
  "fills memory beside the heap": [
    `const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1));`,
    /Array buffer allocation failed|SIGTRAP ended/,
  ],
  "fills memory of WebAssembly": [
    `const all = []; for (;;) { const { buffer } = new WebAssembly.Memory({ initial: 256 });
       all.push(new Uint8Array(buffer).fill(1)); }`,
    /could not allocate memory|SIGTRAP ended/,
  ],
  "grows shared memory": [
    `const all = new SharedArrayBuffer(1, { maxByteLength: 2 ** 31 }); all.grow(2 ** 31);`,
    /Out of memory/,
  ],
  "makes a text that V8 has no room for": [
    `return JSON.stringify("x".repeat(2 ** 28)).repeat(2);`,
    /SIGTRAP ended/,
  ],
  "never ends": [`for (;;);`, /Cannot wait longer than 1 s/],
  "sleeps": [
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
    /Cannot wait longer than 1 s/,
  ],
  "closes what it tells by": [
    `Deno.stdout.close(); Deno.stdin.close(); for (;;);`,
    /Cannot wait longer than 1 s/,
  ],
  "hears signals": [
    `for (const one of ["SIGTERM", "SIGXCPU"]) Deno.addSignalListener(one, () => {}); for (;;);`,
    /Cannot wait longer than 1 s/,
  ],
  "fills the log": [`for (;;) console.log("x");`, /its log is full/],
  "fills the log by empty lines": [
    `const lines = new Uint8Array(65536).fill(10); for (;;) Deno.stdout.writeSync(lines);`,
    /its log is full/,
  ],
  "calls without end": [`for (;;) host.names.of("x");`, /its log is full/],
  "rings its bell for nothing": [
    `const rings = new Uint8Array(4096).fill(7); for (;;) Deno.stdout.writeSync(rings);`,
    /rings more often than its calls do/,
  ],
  "rings its bell now and then, for nothing": [
    `for (;;) { await Deno.stdout.write(Uint8Array.of(7)); }`,
    /rings more often than its calls do/,
  ],
  "throws where nobody catches it": [
    `Promise.reject(new Error("\\u001b[2J")); setTimeout(() => { throw 1; });
     return new Promise((resolve) => setTimeout(resolve, 5, "lives"));`,
    /lives/,
  ],
  "makes threads": [
    `for (;;) new Worker("data:text/javascript,", { type: "module" });`,
    /Cannot go on with the guest/,
  ],
  "asks for a Worker with permissions": [
    `new Worker("data:text/javascript,", { type: "module", deno: { permissions: { read: true } } });
     for (;;) await new Promise((resolve) => setTimeout(resolve, 9));`,
    /its process ended with code/,
  ],
  "takes Node's modules": [
    `return (await import("node:fs")).readFileSync("/etc/passwd", "utf8");`,
    /its process ended with code/,
  ],
  "changes what all objects inherit": [
    `Object.defineProperty(Object.prototype, "kind", { get: () => "allow", set() {} });
     for (const one of ["map", "join", "push"]) Array.prototype[one] = () => "FORGED";
     JSON.stringify = () => "FORGED"; TextEncoder.prototype.encode = () => new Uint8Array(9);
     for (;;) try { host.names.of("FORGED"); } catch {}`,
    /Cannot (wait|go on)/,
  ],
};

onLinux("a guest that does its worst ends alone, and all of it is in the log", async () => {
  await Promise.all(
    Object.entries(WORST).map(async ([name, [body, heard]]) => {
      const guest = await startGuest(`exports.run = async () => {${body}};`, {
        // All at once, on a machine that may do something else: the others end by themselves.
        limits: { ...limits, timeoutSeconds: heard.source.includes("wait") ? 1 : 60 },
        name,
      });
      const { lines, sandbox } = guest;
      const answer = `${await sandbox.call("run").catch(String)}`;
      assertMatch(answer, heard, name);
      await sandbox.terminate();
      const loggedBytes = lines.join("").length;
      assert(loggedBytes < limits.logBytes + LOG_BYTES_BEYOND, `${name}: ${loggedBytes}`);
      if (heard.source.includes("log")) assert(loggedBytes >= limits.logBytes, name);
      assert(lines.some((line) => line.includes('"sandbox.end"')), name);
      if (answer.includes("SIGTRAP")) {
        assert(lines.some((line) => /sandbox.stderr.*Fatal/.test(line)), lines.join(""));
      }
      assert(lines.every((line) => /^[\x20-\x7e]+\n$/.test(line)), name);
    }),
  );
  assertEquals(Object.keys(Object.prototype), []);
});

onLinux("a guest that works between its calls comes to the end of its time", async () => {
  const script = `exports.run = () => void setTimeout(() => { for (;;); });`;
  const { sandbox } = await startGuest(script, { limits: { cpuSeconds: 1 } });
  // A call may be answered before the work of the one before it begins.
  let error: unknown;
  while (!error) error = await sandbox.call("run").catch(String);
  assert(`${error}`.includes("SIGXCPU ended it: its time"), `${error}`);
  await sandbox.terminate();
});

/** What reaches for more than a process has, by what the runtime leaves it; each throws. */
const REACHES = [
  `Deno.readTextFileSync("/etc/passwd")`,
  `Deno.writeTextFileSync("/tmp/guest", "")`,
  `Deno.openSync("/dev/stdout", { write: true })`,
  `Deno.openSync("/proc/self/mem")`,
  `[...Deno.readDirSync(".")]`,
  `Deno.watchFs("/")`,
  `Deno.chdir("/tmp")`,
  `await (await fetch("file:///etc/passwd")).text()`,
  `await import("file:///etc/passwd")`,
  `await import("file:///etc/passwd", { with: { type: "text" } })`,
  `(await caches.open("x")).put("http://x/", new Response("x"))`,
  `localStorage.setItem("x", "y")`,
  `new (await import("node:sqlite")).DatabaseSync("/tmp/guest.db").exec("create table x(y)")`,
  `new (await import("node:sqlite")).DatabaseSync(":memory:").exec("attach '/tmp/guest' as x")`,
  `Deno.listen({ port: 0 })`,
  `await fetch("http://127.0.0.1:9/")`,
  `await Deno.connect({ port: 9 })`,
  `await Deno.connect({ transport: "unix", path: "/tmp/socket" })`,
  `await Deno.resolveDns("localhost", "A")`,
  `await new Promise((_, no) => { new WebSocket("ws://127.0.0.1:9/").onerror = no; })`,
  `await import("http://127.0.0.1:9/")`,
  `await import("npm:chalk@5.4.1")`,
  `await import("jsr:@std/assert@1.0.0")`,
  `(await navigator.gpu.requestAdapter()).info`,
  `new Deno.Command("true").outputSync()`,
  `Deno.kill(1, "SIGTERM")`,
  `Deno.kill(Deno.ppid, "SIGTERM")`,
  `Deno.kill(Deno.pid, "SIGSTOP")`,
  `Deno.umask(0)`,
  `Deno.dlopen("libc.so.6", {})`,
  `Deno.UnsafePointer.create(4096n)`,
  `new Deno.UnsafeCallback({ parameters: [], result: "void" }, () => {})`,
  `Deno[Deno.internal].core.ops.op_ffi_ptr_create(4096n)`,
  `(await import("node:v8")).setFlagsFromString("--allow-natives-syntax"); new Function("%DebugTrace()")`,
  `Deno.env.toObject()`,
  `Deno.hostname()`,
  `(await import("node:os")).userInfo()`,
  `(await import("node:os")).networkInterfaces()`,
  `Deno.systemMemoryInfo()`,
  `(await import("node:inspector")).open(0)`,
  `if ((await Deno.permissions.request({ name: "read" })).state !== "granted") throw 1`,
  `Error.stackTraceLimit = 9`,
];

onLinux(
  "a guest reaches nothing beyond its process, whatever the runtime leaves it",
  async () => {
    const attempts = REACHES.map((code) => `async () => { ${code}; }`);
    const script = `exports.run = async () => {
    const reached = [];
    for (const [index, attempt] of [${attempts}].entries()) {
      try { await attempt(); reached.push(index); } catch {}
    }
    return reached;
  };`;
    await using guest = await startGuest(script);
    const reached = await guest.sandbox.call("run") as number[];
    assertEquals(reached.map((index) => REACHES[index]), []);
  },
);

onLinux("a guest may import what is a text of its own, and shares no file by memory", async () => {
  const script = `
    exports.data = async (text) => (await import("data:text/javascript," + encodeURIComponent(text))).value;
    exports.blob = async (text) => {
      const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      return (await import(url)).value;
    };`;
  await using guest = await startGuest(script, { limits: { timeoutSeconds: 5 } });
  for (const name of ["data", "blob"]) {
    const text = `export const value = "${crypto.randomUUID()}";`; // that no cache has
    assert(text.includes(await guest.sandbox.call(name, text) as string), name);
  }
  const shared = childrenOf(Deno.pid).flatMap((pid) =>
    Deno.readTextFileSync(`/proc/${pid}/maps`).split("\n").filter((line) => /^\S+ ...s/.test(line))
  );
  assertEquals(shared.length, 2);
  assert(shared.every((line) => line.includes("/memfd:portlab ")), shared.join("\n"));
});

function childrenOf(parent: number): string[] {
  const isChild = (pid: string) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/status`).includes(`\nPPid:\t${parent}\n`);
    } catch {
      return false; // it has ended
    }
  };
  return [...Deno.readDirSync("/proc")].map(({ name }) => name).filter(isChild);
}
