/** What a guest may try in its worker, to reach anything but the channel. */
import { assert, assertEquals } from "@std/assert";
import { runInNewContext } from "node:vm";
import { type ApiServer, fn, hostApi, string } from "../../../signature/mod.ts";
import { allow } from "../policy.ts";
import { startSandbox } from "../sandbox.ts";
import { guestUrl } from "../testdata/guest_url.ts";
import { isolation } from "../testdata/names_options.ts";
import { type Walked, walkRealm } from "../testdata/walk_realm.ts";
import { describeThrown } from "./lock_realm.ts";

const names = hostApi("names", { of: fn([string], string) });

const OPTIONS = {
  serve: (server: ApiServer) => void server.serve(names, { of: (name) => name }),
  policy: [allow("names.of")],
  audit: () => {},
  isolation,
};

/** What comes of each attempt: `reached` and what, or the error's name. */
async function attempt(attempts: Readonly<Record<string, string>>): Promise<unknown> {
  const functions = Object.entries(attempts).map(([name, code]) =>
    `[${JSON.stringify(name)}, async () => { ${code} }]`
  );
  await using sandbox = await startSandbox(
    guestUrl(`exports.run = async () => {
      const results = {};
      for (const [name, attempt] of [${functions.join(", ")}]) {
        try {
          results[name] = "reached " + String(await attempt());
        } catch (error) {
          results[name] = error.name;
        }
      }
      return results;
    };`),
    OPTIONS,
  );
  return await sandbox.call("run");
}

Deno.test("the names of the runtime are gone", async () => {
  const gone =
    `Deno process Buffer global require fetch WebSocket EventSource Worker postMessage close
    self onmessage navigator location caches localStorage indexedDB BroadcastChannel MessageChannel
    Request Cache prompt alert confirm crypto reportError AbortController EventTarget Event eval
    Function FinalizationRegistry GPU`.split(/\s+/);
  const attempts = gone.map((name) => [name, `return ${name};`] as const);
  const kept = Object.fromEntries(gone.map((name) => [name, "ReferenceError"]));
  // `eval` by itself is a name that strict code may read.
  assertEquals(await attempt(Object.fromEntries(attempts)), kept);
});

Deno.test("no name is left but those of the language, and nothing can be put in the way", async () => {
  const found = await attempt({
    names: `
      const names = Object.getOwnPropertyNames(globalThis);
      return names.filter((name) => /^[a-z]/.test(name)).sort();`,
    prototype: `Object.setPrototypeOf(globalThis, {});`,
    dispatch: `globalThis.dispatchEvent = () => {};`,
    event: `try { dispatchEvent({ type: "message" }); } catch ({ message }) { return message; }`,
    streaming:
      `return typeof WebAssembly.compileStreaming + typeof WebAssembly.instantiateStreaming;`,
    define: `Object.defineProperty(globalThis, "dispatchEvent", { value() {} });`,
    listen: `Object.getPrototypeOf(Object.getPrototypeOf(Object.getPrototypeOf(globalThis)))
        .addEventListener.call(globalThis, "error", () => {});`,
    listeners: `for (const key of Object.getOwnPropertySymbols(globalThis)) {
        globalThis[key].listeners.error.length = 0;
      }`,
    onerror: `globalThis.onerror = () => {};`,
    absent: `Object.defineProperty(Object.prototype, "bubbles", { get() { throw 1; } });`,
    element: `Object.defineProperty(Array.prototype, "0", { set() { throw 1; } });`,
    promise: `Object.defineProperty(Promise.prototype, "constructor", { get() { throw 1; } });`,
    timers: `
      let count = 0;
      const late = setTimeout(() => count++, 1);
      const again = setInterval(() => count += 10, 1);
      clearTimeout(late);
      await new Promise((resolve) => setTimeout(resolve, 20));
      clearInterval(again);
      const before = count;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return [typeof late, typeof again, count % 10, count === before, count > 0];`,
    clock: `return Object.keys(performance) + typeof performance.now();`,
  });
  assertEquals(found, {
    names: "reached atob,btoa,clearInterval,clearTimeout,console,decodeURI,decodeURIComponent," +
      "dispatchEvent,encodeURI,encodeURIComponent,escape,globalThis,isFinite,isNaN,parseFloat," +
      "parseInt,performance,queueMicrotask,setInterval,setTimeout,structuredClone,undefined,unescape",
    prototype: "TypeError",
    dispatch: "TypeError",
    event: "reached Cannot dispatch what is no event of the runtime's",
    streaming: "reached undefinedundefined",
    define: "TypeError",
    listen: "TypeError",
    listeners: "TypeError",
    onerror: "TypeError",
    absent: "TypeError",
    element: "TypeError",
    promise: "TypeError",
    timers: "reached number,number,0,true,true",
    clock: "reached nownumber",
  });
});

/** What a guest has that no language gives it. */
const LISTED =
  `DOMException TextDecoder TextEncoder atob btoa clearInterval clearTimeout dispatchEvent
  performance setInterval setTimeout structuredClone performance.now structuredClone.prototype
  DOMException.prototype TextDecoder.prototype TextEncoder.prototype atob.prototype btoa.prototype
  clearInterval.prototype clearTimeout.prototype DOMException.prototype.code<get>
  DOMException.prototype.constructor<get> DOMException.prototype.constructor<set>
  DOMException.prototype.message<get> DOMException.prototype.name<get> TextDecoder.prototype.decode
  TextDecoder.prototype.encoding<get> TextDecoder.prototype.fatal<get>
  TextDecoder.prototype.ignoreBOM<get> TextEncoder.prototype.encode TextEncoder.prototype.encodeInto
  TextEncoder.prototype.encoding<get> %async.constructor.prototype
  globalThis.Symbol() globalThis.Symbol().listeners globalThis.__proto__.__proto__
  globalThis.__proto__.__proto__.__proto__`.split(/\s+/);

Deno.test("all that a guest reaches is the language's or listed, and frozen", async () => {
  const source = `(${walkRealm})`;
  const names = runInNewContext(`Object.getOwnPropertyNames(globalThis).sort()`) as string[];
  const plain = (runInNewContext(source) as typeof walkRealm)(names); // all in it can be changed
  const ofLanguage = new Set([...plain.paths, ...plain.loose]);
  const script = guestUrl(`exports.walk = ${source};`);
  await using inWorker = await startSandbox(script, OPTIONS);
  const { paths, loose } = await inWorker.call("walk", [...names]) as Walked;
  // Where the language has a value, there may be a getter and a setter, so that programs can assign.
  const others = paths.filter((path) =>
    !ofLanguage.has(path) && !ofLanguage.has(path.replace(/<[gs]et>$/, ""))
  );
  const listeners = others.filter((path) => path.startsWith("globalThis.Symbol().listeners."));
  assertEquals(others.filter((path) => !listeners.includes(path)).sort(), LISTED.sort());
  assertEquals(listeners.length, 3 * 4, "a list, its entry, callback and options for each event");
  assertEquals(loose, []);
  if (Deno.build.os !== "linux") return;
  await using inProcess = await startSandbox(script, { ...OPTIONS, isolation: "process" });
  const found = await inProcess.call("walk", [...names]) as Walked;
  assertEquals([found.paths.filter((path) => !paths.includes(path)), found.loose], [[], []]);
});

Deno.test("the runtime's events are frozen, also where no guest finds them", async () => {
  const url = new URL("../testdata/locked_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  const frozen = await new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
  worker.terminate();
  assertEquals(frozen, [true, true, true, true, true]);
});

Deno.test("programs assign what objects inherit, and change nothing of what is shared", async () => {
  const found = await attempt({
    own: `class Own extends Error {
        constructor(text) { super(text); this.name = "Own"; this.message += "!"; }
      }
      function Old() {}
      Old.prototype.toString = () => "old";
      const plain = {};
      plain.toString = () => "plain";
      plain.constructor = Old;
      return [new Own("x"), new Old(), plain, plain.constructor === Old, Object.keys(plain)];`,
    shared: `Object.prototype.toString = () => "changed";`,
    error: `Error.prototype.name = "changed";`,
    number: `globalThis.Number = () => 0;`,
    atomics: `Atomics.load = () => 0;`,
    symbols: `return typeof Object.getPrototypeOf(Error.prototype).__proto__;`,
  });
  assertEquals(found, {
    own: "reached Own: x!,old,plain,true,toString,constructor",
    shared: "TypeError",
    error: "TypeError",
    number: "TypeError",
    atomics: "TypeError",
    symbols: "reached undefined",
  });
});

Deno.test("no text becomes code, which could load modules", async () => {
  const load = `"return im" + "port('node:process')"`;
  const found = await attempt({
    function: `return (function () {}).constructor(${load})();`,
    async: `return (async function () {}).constructor(${load})();`,
    generator: `return (function* () {}).constructor(${load})();`,
    asyncGenerator: `return (async function* () {}).constructor(${load})();`,
    array: `return [].constructor.constructor(${load})();`,
    stub: `return host.names.of.constructor(${load})();`,
    prototype: `return Reflect.construct(Object.getPrototypeOf(class {}).constructor, [${load}]);`,
    again: `Object.defineProperty(Function.prototype, "constructor", {});`,
    timer: `setTimeout("globalThis.x = 1");`,
    interval: `setInterval({ toString: () => "1" });`,
    this: `return (function () { return this.constructor; })();`,
    caller: `return arguments.callee.caller;`,
  });
  const { again, caller, ...others } = found as Record<string, string>;
  assertEquals(new Set(Object.values(others)), new Set(["TypeError"]), JSON.stringify(found));
  assertEquals([again, caller], ["ReferenceError", "TypeError"]);
});

Deno.test("stacks do not tell where the files of the host are", async () => {
  const found = await attempt({
    stack: `try { host.names.of(1); } catch (error) { return error.stack; }`,
    own: `return new Error("own").stack;`,
    limit: `Error.stackTraceLimit = 100;`,
    prepare: `Error.prepareStackTrace = (error, sites) => sites;`,
  });
  const { stack, own, limit, prepare } = found as Record<string, string>;
  assert(!/file:|\.ts/.test(`${stack}${own}`), `${stack}${own}`);
  assertEquals([limit, prepare], ["TypeError", "TypeError"]);
});

Deno.test("a guest prints nothing by errors, and an endless one is given up", async () => {
  const report = await Deno.makeTempFile();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      new URL("../testdata/deno_guest_program.ts", import.meta.url).href,
      report,
    ],
    cwd: new URL("../../../..", import.meta.url),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assertEquals([code, text(stdout), text(stderr)], [0, "", ""]);
  const { noted, late, after, last, hasLeft } = JSON.parse(await Deno.readTextFile(report));
  await Deno.remove(report);
  assertEquals([noted, hasLeft], [["lives", "lives"], false]);
  assertEquals(late, "Error: Cannot wait longer than 2 s for the guest");
  assertEquals(after, late);
  assertEquals(JSON.parse(last).arguments, ["loops"]);
});

Deno.test("describeThrown() tells name and message, whatever was thrown", () => {
  const nasty = new Proxy({}, {
    getPrototypeOf() {
      throw new Error("asked");
    },
  });
  const told = [new RangeError("far"), "text", null, nasty].map(describeThrown);
  assertEquals(told, [
    "RangeError: far",
    "Error: text",
    "Error: null",
    "Error: what was thrown cannot be described",
  ]);
});
