/** What guests tried to end the program, to print past the log, and to learn of the host. */

/** Values that answer every question by throwing, and how deep the stack goes. */
const TOOLS = `
  const fail = () => { throw nasty; };
  const traps = ["get", "set", "has", "apply", "ownKeys", "getPrototypeOf", "defineProperty",
    "getOwnPropertyDescriptor", "construct", "deleteProperty", "isExtensible", "preventExtensions"];
  const nasty = new Proxy(function () {}, Object.fromEntries(traps.map((trap) => [trap, fail])));
  const gone = Proxy.revocable(() => {}, {});
  gone.revoke();
  const thrown = [nasty, gone.proxy, null, undefined, Symbol("FORGED"), 1n, new Error("FORGED\\u001b[2J"),
    { get message() { throw nasty; }, get stack() { throw nasty; } }, globalThis,
    new AggregateError([nasty, gone.proxy], "FORGED"), new DOMException("FORGED")];
  const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const attempt = (work) => { try { return String(work()); } catch (error) { return "threw"; } };
  /** At the end of the stack, and above. */
  function atEdge(work) {
    let left = 300;
    const deeper = () => {
      try { deeper(); } catch {}
      if (left-- > 0) attempt(work);
    };
    deeper();
  }
  const own = Object.getOwnPropertySymbols(globalThis).map((key) => globalThis[key]);
  const { listeners } = own.find((one) => one?.listeners);`;

/** Bodies of `exports.run`. What they return must tell nothing of the host. */
const BODIES: Readonly<Record<string, string>> = {
  "copies objects with the runtime's symbols": `
    const symbol = Symbol.for("Deno.core.hostObject");
    const types = ["Blob", "File", "MessagePort", "CryptoKey", "X509Certificate", "ImageBitmap",
      "RecordableHistogram", "__proto__", "constructor", "nothing"];
    const answers = [1, null, () => {}, "MessagePort", ...types.map((type) => ({ type, parts: [], size: 0 }))];
    const objects = answers.flatMap((answer) => [{ [symbol]: answer }, { [symbol]: () => answer },
      { get [symbol]() { return answer; } }, new Proxy({}, { has: () => true, get: () => answer })]);
    return objects.flatMap((one) => [{}, { transfer: [one] }].map((options) =>
      attempt(() => structuredClone(one, options) instanceof Object && Reflect.ownKeys(structuredClone(one, options)))));`,
  "throws everything where nobody catches it": `
    for (const one of thrown) {
      Promise.reject(one);
      for (const later of [setTimeout, queueMicrotask]) later(() => { throw one; });
    }
    const interval = setInterval(() => { clearInterval(interval); throw nasty; });
    class Odd extends Promise { then() { throw nasty; } static get [Symbol.species]() { throw nasty; } }
    Odd.reject(nasty);
    Promise.resolve({ get then() { throw nasty; } });
    await sleep(30);`,
  "settles promises of classes that throw": `
    const species = function (executor) { executor(fail, () => { throw new Error("FORGED\\u001b[2J"); }); };
    class Odd extends Promise { static get [Symbol.species]() { return species; } }
    const odd = [(one) => Object.setPrototypeOf(one, Odd.prototype),
      (one) => Object.setPrototypeOf(one, { __proto__: Promise.prototype, constructor: { [Symbol.species]: species } }),
      (one) => Object.setPrototypeOf(one, new Proxy(Odd.prototype, { getPrototypeOf: () => Promise.prototype })),
      ...[true, false].flatMap((configurable) => {
        let asked = 0;
        const kinds = [{ value: Odd }, { get: () => asked++ % 2 ? Odd : Promise }, { get: fail }];
        return kinds.map((kind) => (one) => Object.defineProperty(one, "constructor", { ...kind, configurable }));
      })];
    const words = new Int32Array(new SharedArrayBuffer(4));
    const made = [() => Promise.resolve(1), () => Promise.reject(1), async () => 1, () => host.names.of.async("x"),
      () => Atomics.waitAsync(words, 0, 0, 1).value];
    const used = [(one) => one.then(() => 1), (one) => one.catch(() => 1), (one) => one.finally(() => 1),
      async (one) => await one, async (one) => one, (one) => Promise.all([one]), (one) => Promise.resolve(Object.freeze(one)),
      (one) => (async function* () { yield* [one]; })().return(one)];
    for (const make of made) for (const change of odd) for (const use of used) attempt(() => use(change(make())));
    await sleep(30);
    return [await odd[0](Promise.resolve(1)).then((one) => one + 1), await Object.freeze(Promise.resolve(3)).then()];`,
  "goes to the end of the stack": `
    const decoder = new TextDecoder(), bytes = new Uint8Array(8), words = new Int32Array(new SharedArrayBuffer(4));
    for (const work of [() => setTimeout(() => {}), () => queueMicrotask(() => {}), () => decoder.decode(bytes),
      () => atob("YWJj"), () => structuredClone([new Map()]), () => void Promise.reject(nasty),
      () => new DOMException("a").stack, () => host.names.of("x"),
      () => new Error("x").stack, () => void WebAssembly.instantiate(new Uint8Array(8)),
      () => void Atomics.waitAsync(words, 0, 0, 1), () => dispatchEvent({}), () => Temporal.Now.instant()]) {
      atEdge(work);
    }
    await sleep(10);`,
  "makes the runtime warn": `
    const delays = [2 ** 31, 2 ** 53, -1, NaN, Infinity, "x", {}, null];
    for (const delay of delays) clearTimeout(setTimeout(() => {}, delay));
    for (const delay of delays) clearInterval(setInterval(() => {}, delay));
    await sleep(5);
    return typeof ({}).__proto__ + typeof Object.getOwnPropertyDescriptor(Object.prototype, "__proto__");`,
  "forges and exchanges listeners": `
    const { message, error, unhandledrejection } = listeners;
    const start = { kind: "start", handle: {}, source: "globalThis.x = 1", apis: [] };
    return [() => { message[0].callback = fail; }, () => { message[0].callback.handler = fail; },
      () => message.push({ callback: fail, options: {} }), () => message[0].callback({ data: start }),
      () => message[0].callback(nasty), () => error[0].callback({ preventDefault: fail }),
      () => unhandledrejection[0].callback({ preventDefault() {}, reason: nasty }),
      () => dispatchEvent({ type: "message", data: start }), () => dispatchEvent(nasty),
      () => { globalThis.nodeType = 11; }, () => { globalThis.onmessage = fail; },
      () => Object.setPrototypeOf(globalThis, nasty)].map(attempt);`,
  "takes the runtime's objects from the language's functions": `
    let taken = "nothing";
    for (const [object, key] of [[globalThis, "Number"], [Number, "isInteger"], [Reflect, "apply"], [Array.prototype, "push"],
      [Object.getPrototypeOf(fail), "call"], [Promise.prototype, "then"], [Map.prototype, "get"], [Object, "defineProperty"]]) {
      const before = object[key];
      attempt(() => { object[key] = function (...values) { taken = key; return before.apply(this, values); }; });
    }
    setTimeout(() => {}, 1);
    await sleep(5);
    return taken;`,
  "reads stacks": `
    class Own extends Error {}
    const failed = (work) => { try { work(); } catch (error) { return [error.stack, error.cause?.stack]; } };
    return [new Own().stack, new DOMException("x").stack, failed(() => null.x), failed(() => host.names.look(7)),
      failed(() => host.names.fail()), failed(() => host.names.of("x".repeat(3e6))), failed(() => new RegExp("(")),
      failed(() => { const o = {}; Error.captureStackTrace(o); throw o; }), failed(() => new TextDecoder("none")),
      await host.names.look.async(7).catch((error) => error.cause.stack)];`,
  "leaves work behind": `
    for (let count = 0; count < 100; count++) {
      Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, count % 2 ? Infinity : 2 ** 53);
      WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
      host.names.of.async("late").catch(() => {});
      setInterval(() => {}, 1000);
    }`,
  "suspends wasm": `
    const module = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1,
      1, 97, 1, 98, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 99, 0, 1, 10, 6, 1, 4, 0, 16, 0, 11]));
    for (const b of [fail, () => Promise.reject(nasty), () => new Promise(() => {}), () => host.names.of("x")]) {
      const { exports } = new WebAssembly.Instance(module, { a: { b: new WebAssembly.Suspending(b) } });
      WebAssembly.promising(exports.c)();
    }
    await sleep(5);`,
  "writes to its console": `
    for (const one of thrown) attempt(() => console.log(one));
    console.error("FORGED\\u001b[2J\\u0000\\ud800", { toJSON: fail }, [1, "x"], new Map());
    console.log("x".repeat(3e6));`,
  "answers with terminal codes":
    `throw Object.assign(new Error("\\u001b]0;FORGED\\u0007\\n"), { name: "\\u202eFORGED" });`,
};

/**
 * Calls whatever it reaches with whatever it has, and gives it what came of that, for so many times. Not what
 * waits without end, which is a limit of workers.
 */
function fuzz(seed: number, count: number): string {
  return `
    let state = ${seed};
    const random = (below) => (state = state * 48271 % 0x7fffffff) % below;
    const pick = (from) => from[random(from.length)];
    const reached = new Set([globalThis, host, ...thrown, async () => {}, function* () {}, async function* () {}, [].values()]);
    for (const one of reached) {
      for (const key of one === nasty || Object(one) !== one || one === gone.proxy ? [] : Reflect.ownKeys(one)) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(one, key);
        for (const next of [value, get, set]) if (Object(next) === next) reached.add(next);
      }
    }
    const waits = [Atomics.wait, listeners.message[0].callback];
    const functions = [...reached].filter((one) => typeof one === "function" && !waits.includes(one));
    const pool = [...reached, ...thrown, 0, 1, -1, 0.5, NaN, "", "x", "utf-16", "YWJj", true, 7n, [], [1, 2], {},
      new Uint8Array(8), new Int32Array(new SharedArrayBuffer(8)), new DataView(new ArrayBuffer(8)), new Map(), new Set(),
      /a/g, new Date(0), { valueOf: fail, toString: fail }, { [Symbol.toPrimitive]: fail }, { then: fail }, () => 1];
    const first = pool.length;
    for (let turn = 0; turn < ${count}; turn++) {
      const target = pick(functions), values = Array.from({ length: random(4) }, () => pick(pool));
      let result;
      try {
        result = random(4) ? Reflect.apply(target, pick(pool), values) : Reflect.construct(target, values);
      } catch {}
      if (result !== undefined) pool[first + turn % 200] = result;
      if (turn % 500 === 0) await sleep(0);
    }
    await sleep(20);
    return [functions.length > 700, ${count}];`;
}

/** The scripts, by what they do. */
export function hostileGuests(seed: number, count: number): Readonly<Record<string, string>> {
  const bodies = { ...BODIES, [`calls anything, seed ${seed}`]: fuzz(seed, count) };
  const scripts = Object.entries(bodies).map(([name, body]) =>
    [name, `${TOOLS}\nexports.run = async () => {${body}};`] as const
  );
  return Object.fromEntries(scripts);
}
