/** What passes between a guest and its host: calls, values, texts, and how either ends. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { onLinux } from "../../testing/fixtures/on_linux.ts";
import { type ApiServer, ErrnoError, f64, fn, handle, hostApi } from "../../signature/mod.ts";
import { serveFiles } from "../files/files_api.ts";
import { MemoryFiles } from "../files/testdata/memory_files.ts";
import { allow } from "./policy.ts";
import { type SandboxOptions, startSandbox } from "./sandbox.ts";
import { names, serveNames, startGuest } from "./testdata/guests.ts";

onLinux("a guest is called, calls its host, prints, and each call has a line", async () => {
  const guest = await startGuest(`
    console.log("begins");
    exports.greet = (who) => ({ text: "Hello, " + host.names.of(who), length: who.length });
    exports.later = async (map) => [await host.names.of.async("Bob"), map.get("a").getTime()];
    exports.where = () => [typeof process, typeof host.names.of];`);
  const { sandbox } = guest;
  assertEquals(await sandbox.call("greet", "Ada"), { text: "Hello, ADA", length: 3 });
  assertEquals(await sandbox.call("later", new Map([["a", new Date(7)]])), ["BOB", 7]);
  assertEquals(await sandbox.call("where"), ["undefined", "function"]);
  await sandbox.terminate();
  await sandbox.terminate();
  await assertRejects(() => sandbox.call("where"), Error, "as it was ended");
  const told = guest.entries().map(({ call }) => call.replace("sandbox.", ""));
  const calls = ["names.of", "answer", "names.of", "answer", "answer"];
  assertEquals(told, ["print", "ready", "isolation", ...calls, "left", "end"]);
  const isolation = guest.entries()[2]!;
  assertEquals([isolation.arguments, isolation.error], [["process"], undefined]);
  assert(guest.entries().every((one) => one.guest === "guest.js" && one.verdict === "allow"));
});

onLinux("what a guest throws, or cannot answer, reaches its caller as text", async () => {
  const limits = { callBytes: 4096 };
  const script = `
    exports.fail = () => { throw new RangeError("too\\0 far"); };
    exports.odd = () => { throw { toString() { throw 1; } }; };
    exports.circle = () => { const circle = {}; return circle.circle = circle; };
    exports.long = () => "x".repeat(5000);
    exports.codes = () => { throw new Error("\\u001b[2J\\u202eüber\\n"); };
    exports.value = 5;`;
  await using guest = await startGuest(script, { limits });
  const texts = {
    fail: "RangeError: too far",
    odd: "cannot be described",
    circle: "circular",
    long: "limit",
    codes: "Error: \\u{1b}[2J\\u{202e}über\\u{a}", // does nothing to a terminal
    value: "exports no function value",
    toString: "exports no function toString",
  };
  for (const [name, text] of Object.entries(texts)) {
    await assertRejects(() => guest.sandbox.call(name), Error, text);
  }
  await assertRejects(() => guest.sandbox.call("fail", () => {}), TypeError); // cannot be copied
});

/** What does not start, and why. */
const NO_STARTS: readonly (readonly [string, Partial<SandboxOptions>, string])[] = [
  [`throw new Error("not today\\u001b");`, {}, "not today\\u{1b}"],
  [`exports.`, {}, "SyntaxError"],
  [`"x".repeat(5)`, { limits: { sourceBytes: 10 } }, "may have 10 bytes"],
  ["", { policy: [allow("names.fo")] }, "did you mean names.of"],
  ["", { limits: { startTimeoutSeconds: 0 } }, "longer than 0 s"],
  ["", wrong({ limit: {} }), "there is no option limit: did you mean limits"],
  [
    "",
    wrong({ limits: { answerSeconds: 3 } }),
    "there is no option answerSeconds: there are calls",
  ],
  ["", wrong({ limits: { timoutSeconds: 3 } }), "did you mean timeoutSeconds"],
  ["", wrong({ limits: 5 }), "there is no option 5"],
  ["", wrong({ serve: undefined }), "serve must be a function: current value is undefined"],
  ["", wrong({ audit: undefined }), "audit must be a function: current value is undefined"],
  ...[undefined, "files.*", {}].map((policy) =>
    ["", wrong({ policy }), "it must be an array"] as const
  ),
  ...[{}, undefined, { calls: "names.of" }].map((rule) =>
    [
      "",
      wrong({ policy: [allow("names.of"), rule] }),
      "it must be an array of what allow()",
    ] as const
  ),
  ["", { serve: failing }, "not today"],
  [
    "",
    { serve: (server) => void failing(server).catch(() => {}) },
    "no such function: there are none",
  ],
];

function wrong(options: object): Partial<SandboxOptions> {
  return options;
}

async function failing(_server: ApiServer): Promise<void> {
  await Promise.resolve();
  throw new Error("not today");
}

onLinux("a guest starts when what is served to it is there", async () => {
  await using guest = await startGuest(`exports.greet = host.names.of;`, {
    async serve(server) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      serveNames(server);
    },
  });
  assertEquals(await guest.sandbox.call("greet", "Ada"), "ADA");
  const misspelt: object = { timeoutSecond: 1 };
  await assertRejects(() => guest.sandbox.terminate(misspelt), TypeError, "did you mean timeoutS");
});

onLinux("a guest that does not start says why", async () => {
  for (const [script, options, text] of NO_STARTS) {
    await assertRejects(() => startGuest(script, options), Error, text);
  }
  const absent = new URL("./testdata/absent.js", import.meta.url);
  await assertRejects(() => startSandbox(absent, { serve() {}, policy: [], audit() {} }), Error);
});

onLinux("an API is no guest's own because of its name", async () => {
  const secrets = hostApi("sandbox", { print: fn([], f64) });
  await using guest = await startGuest(`exports.run = () => host.sandbox.print();`, {
    policy: [],
    serve: (server) => void server.serve(secrets, { print: () => 42 }),
  });
  await assertRejects(() => guest.sandbox.call("run"), Error, "not a function");
});

onLinux("times may be without end, and those that are none change nothing", async () => {
  const limits = { startTimeoutSeconds: Infinity, timeoutSeconds: 1e9 };
  const { sandbox } = await startGuest(`exports.greet = host.names.of;`, { limits });
  assertEquals(await sandbox.call("greet", "Ada"), "ADA");
  await assertRejects(() => sandbox.terminate({ timeoutSeconds: NaN }), RangeError);
  assertEquals(await sandbox.call("greet", "Bob"), "BOB");
  await sandbox.terminate({ timeoutSeconds: Infinity });
});

onLinux("the host's functions wait for each other as far as calls may be in flight", async () => {
  const slow = hostApi("slow", { echo: fn([f64], f64) });
  let [inFlight, most] = [0, 0];
  const script =
    `exports.run = () => Promise.all([1, 2, 3, 4, 5].map((n) => host.slow.echo.async(n)));`;
  await using guest = await startGuest(script, {
    policy: [allow("slow.*")],
    serve: (server) =>
      void server.serveAsync(slow, {
        async echo(number) {
          most = Math.max(most, ++inFlight);
          await new Promise((resolve) => setTimeout(resolve, 5));
          inFlight--;
          return number;
        },
      }),
    limits: { callsInFlight: 2 },
  });
  assertEquals([await guest.sandbox.call("run"), most], [[1, 2, 3, 4, 5], 2]);
});

onLinux("files belong to the guest that opened them", async () => {
  const files = new MemoryFiles();
  const script = `
    exports.open = host.files.fopen;
    exports.print = (to) => host.files.fprintf(to, "%s", "text");`;
  const start = () =>
    startGuest(script, {
      policy: ["fopen", "fprintf", "stdout"].map((name) => allow(`files.${name}`)),
      serve: (server: ApiServer) => void serveFiles(server, { host: files }),
      limits: { handles: 2 },
    });
  await using guest = await start();
  await using other = await start();
  const mine = guest.sandbox;
  const file = await mine.call("open", "a", "w");
  const foreign = await other.sandbox.call("open", "b", "w");
  assertEquals(await mine.call("print", file), 4);
  for (const forged of [foreign, 0, 1, 2 ** 33, Number(file) + 2 ** 32]) {
    await assertRejects(() => mine.call("print", forged), Error, "handle");
  }
  assertEquals([files.text("a"), files.text("b"), files.text(1)], ["text", "", ""]);
  await mine.call("open", "c", "w");
  await assertRejects(() => mine.call("open", "d", "w"), Error, "there are 2 already");
});

onLinux("a guest that is late is ended: nothing is asked of it any more", async () => {
  const script = `exports.never = () => new Promise(() => {}); exports.soon = () => 1;`;
  await using guest = await startGuest(script, { limits: { timeoutSeconds: 0.1 } });
  for (const name of ["never", "soon"]) {
    await assertRejects(() => guest.sandbox.call(name), Error, "Cannot wait longer than 0.1 s");
  }
});

onLinux("a guest whose answers cannot be logged is late, and the error says why", async () => {
  await using guest = await startGuest("exports.run = () => {};", {
    audit: () => {
      throw new Error("disk full");
    },
    limits: { timeoutSeconds: 0.1 },
  });
  await assertRejects(() => guest.sandbox.call("run"), Error, "as its log takes no lines");
});

onLinux("a guest goes on when its log does", async () => {
  const script = `exports.name = (name) => {
    try { return host.names.of(name); } catch (error) { return error.message; }
  };`;
  const made: string[] = [];
  const lines: string[] = [];
  let failsLeft = 0;
  await using guest = await startGuest(script, {
    serve: (server) => void server.serve(names, { of: (name) => (made.push(name), name) }),
    audit(line) {
      if (failsLeft-- > 0) throw new Error("disk full");
      lines.push(line);
    },
  });
  const { sandbox } = guest;
  assertEquals(await sandbox.call("name", "a"), "a");
  failsLeft = 1;
  assert(`${await sandbox.call("name", "b")}`.includes("without the audit log"));
  assertEquals([await sandbox.call("name", "c"), made], ["c", ["a", "b", "c"]]);
  assert(lines.some((line) => line.includes("1 lines were lost")));
});

onLinux("a guest is not told where in the host's code something failed", async () => {
  const boxes = hostApi("boxes", { look: fn([handle("Box")], f64) });
  const script = `exports.ask = async (name) => {
  Reflect.set(Error, "stackTraceLimit", 50);
  const told = [new Error("own").stack];
  const asks = name ? [() => host.names.of(name)] : [() => host.boxes.look(7), () => host.boxes.look.async(7)];
  for (const ask of asks) {
    try { await ask(); } catch ({ message, stack, cause }) { told.push(message, stack, cause.message, cause.stack); }
  }
  return told.join();
};`;
  await using guest = await startGuest(script, {
    policy: [allow("*")],
    serve(server) {
      server.serve(boxes, { look: () => 0 });
      server.serve(names, {
        of(name) {
          if (name === "errno") throw new ErrnoError(2, "open hosts/secret/place");
          throw new RangeError(name.repeat(100)); // longer than a packet: with all that crosses
        },
      });
    },
  });
  const told = { errno: "call names.of", long: "longlong", "": "has ended or never was" };
  for (const [name, text] of Object.entries(told)) {
    const answer = await guest.sandbox.call("ask", name) as string;
    assert(answer.includes(text) && !/secret|file:|\.ts/.test(answer), answer);
  }
});

onLinux("what a guest prints, or throws where nobody catches, is in the log", async () => {
  const script = `
  exports.print = async () => {
    console.log("\\u001b[2J", { a: 1 }, 2n);
    console.warn(new RangeError("far"), undefined);
    setTimeout(() => { throw new Error("late"); });
    setTimeout(() => Promise.reject(null), 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  exports.long = (length) => {
    console.log("x".repeat(length));
    Promise.reject("y".repeat(length));
  };`;
  const limits = { callBytes: 4096 };
  await using guest = await startGuest(script, { limits });
  await guest.sandbox.call("print");
  const uncaught = ["Uncaught Error: late", "Uncaught Error: null"];
  const lines = ['\u001b[2J {"a":1} 2', "RangeError: far undefined", ...uncaught];
  assertEquals(guest.printed(), lines);
  for (const length of [30, 3000, 30_000]) {
    await using long = await startGuest(script, { limits });
    await long.sandbox.call("long", length);
    const [line] = long.printed().map((one) => JSON.stringify(one));
    assert(line!.includes("x".repeat(30)), `${length} letters: ${line}`);
    assert(length === 30 || line!.includes(`${length}`), `${length} letters`);
    await long.sandbox.terminate();
    const late = JSON.stringify(long.printed().slice(1));
    assert(late.includes(`Uncaught Error: ${"y".repeat(16)}`), late);
  }
});

onLinux("a guest that prints keeps its calls, and one with calls under way prints", async () => {
  const script = `
  exports.print = (count) => {
    for (let line = 0; line < count; line++) console.log(line);
    return host.names.of("a");
  };
  exports.hold = async () => {
    const call = host.names.of.async("x".repeat(5000));
    console.log("while all ports are in use");
    return (await call).length;
  };`;
  await using guest = await startGuest(script, { limits: { callsInFlight: 1 } });
  for (const count of [1, 20]) assertEquals(await guest.sandbox.call("print", count), "A");
  assertEquals([await guest.sandbox.call("hold"), guest.printed().length], [5000, 22]);
});

onLinux("names with line feeds forge no line", async () => {
  const forged = 'a\n{"time":"2026-01-01T00:00:00.000Z","guest":"another","call":"x.y"}\n';
  await using guest = await startGuest(`exports.name = (name) => host.names.of(name);`);
  await guest.sandbox.call("name", forged);
  await guest.sandbox.call(forged).catch(() => {});
  const entries = guest.lines.join("").trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(new Set(entries.map((one) => one.guest)), new Set(["guest.js"]));
  assertEquals(entries[2].arguments, [{ text: forged.slice(0, 64), letters: forged.length }]);
});
