import { assert, assertEquals, assertRejects } from "@std/assert";
import { type ApiServer, f64, fn, hostApi } from "../../signature/mod.ts";
import { serveFiles } from "../files/files_api.ts";
import { MemoryFiles } from "../files/testdata/memory_files.ts";
import { allow } from "./policy.ts";
import { startSandbox } from "./sandbox.ts";
import { guestUrl } from "./testdata/guest_url.ts";
import { lines, names, namesOptions } from "./testdata/names_options.ts";

Deno.test("a guest is called, calls its host, and each call has a line", async () => {
  const script = `
    exports.greet = (who) => ({ text: "Hello, " + host.names.of(who), length: who.length });
    exports.later = async (who) => await host.names.of.async(who);
    exports.nothing = () => {};`;
  const sandbox = await startSandbox(guestUrl(script), namesOptions());
  assertEquals(await sandbox.call("greet", "Ada"), { text: "Hello, ADA", length: 3 });
  assertEquals(await sandbox.call("later", "Bob"), "BOB");
  assertEquals(await sandbox.call("nothing"), undefined);
  await sandbox.terminate();
  await sandbox.terminate();
  await assertRejects(() => sandbox.call("nothing"), Error, "as it was ended");
  const entries = lines.map((line) => JSON.parse(line));
  assertEquals(entries.map(({ call }) => call), [
    "sandbox.ready",
    "sandbox.isolation",
    "names.of",
    "sandbox.answer",
    "names.of",
    "sandbox.answer",
    "sandbox.answer",
    "sandbox.left",
    "sandbox.end",
  ]);
  assert(entries.every(({ guest, verdict }) => guest === "guest.js" && verdict === "allow"));
});

Deno.test("what a guest throws reaches its caller as text", async () => {
  const script = `
    exports.fail = () => { throw new RangeError("too\\0 far"); };
    exports.odd = () => { throw { toString() { throw 1; } }; };
    exports.circle = () => { const circle = {}; return circle.circle = circle; };
    exports.long = () => "x".repeat(5000);
    exports.value = 5;`;
  const limits = { callBytes: 4096 };
  await using sandbox = await startSandbox(guestUrl(script), { ...namesOptions(), limits });
  const texts = {
    fail: "RangeError: too far",
    odd: "cannot be described",
    circle: "circular",
    long: "limit",
    value: "exports no function value",
    toString: "exports no function toString",
  };
  for (const [name, text] of Object.entries(texts)) {
    await assertRejects(() => sandbox.call(name), Error, text);
  }
  await assertRejects(() => sandbox.call("fail", () => {}), TypeError); // cannot be copied
});

Deno.test("an API is no guest's own because of its name", async () => {
  const secrets = hostApi("sandbox", { print: fn([], f64) });
  await using sandbox = await startSandbox(guestUrl(`exports.run = () => host.sandbox.print();`), {
    ...namesOptions([]),
    serve: (server) => void server.serve(secrets, { print: () => 42 }),
  });
  await assertRejects(() => sandbox.call("run"), Error, "not a function");
});

Deno.test("times may be without end, and those that are none change nothing", async () => {
  const limits = { startTimeoutSeconds: Infinity, timeoutSeconds: 1e9 };
  const script = `exports.greet = (who) => host.names.of(who);`;
  const sandbox = await startSandbox(guestUrl(script), { ...namesOptions(), limits });
  assertEquals(await sandbox.call("greet", "Ada"), "ADA");
  await assertRejects(() => sandbox.terminate({ timeoutSeconds: NaN }), RangeError);
  assertEquals(await sandbox.call("greet", "Bob"), "BOB");
  await sandbox.terminate({ timeoutSeconds: Infinity });
});

Deno.test("a guest that does not start says why", async () => {
  const start = (script: string, more: object = {}) =>
    startSandbox(guestUrl(script), { ...namesOptions(), ...more });
  await assertRejects(() => start(`throw new Error("not today");`), Error, "not today");
  await assertRejects(() => start(`exports.`), Error, "SyntaxError");
  const limits = { sourceBytes: 10 };
  await assertRejects(() => start(`"x".repeat(5)`, { limits }), RangeError, "may have 10 bytes");
  const missing = new URL("./testdata/missing.js", import.meta.url);
  await assertRejects(() => startSandbox(missing, namesOptions()), Error);
  const typo = namesOptions([allow("names.fo")]);
  await assertRejects(() => startSandbox(guestUrl(""), typo), RangeError, "did you mean names.of");
  const wrong = { limits: { timeoutSeconds: NaN } };
  await assertRejects(() => start("", wrong), RangeError);
  const late = { limits: { startTimeoutSeconds: 0 } };
  await assertRejects(() => start("", late), Error, "longer than 0 s");
});

Deno.test("the host's functions wait for each other as far as a guest may have calls in flight", async () => {
  const slow = hostApi("slow", { echo: fn([f64], f64) });
  let [inFlight, most] = [0, 0];
  const script =
    `exports.run = () => Promise.all([1, 2, 3, 4, 5].map((n) => host.slow.echo.async(n)));`;
  await using sandbox = await startSandbox(guestUrl(script), {
    ...namesOptions([allow("slow.*")]),
    serve: (server) =>
      server.serveAsync(slow, {
        async echo(number) {
          most = Math.max(most, ++inFlight);
          await new Promise((resolve) => setTimeout(resolve, 5));
          inFlight--;
          return number;
        },
      }),
    limits: { callsInFlight: 2 },
  });
  assertEquals(await sandbox.call("run"), [1, 2, 3, 4, 5]);
  assertEquals(most, 2);
});

const FILE_GUEST = `
  let file;
  exports.open = (path, mode) => file = host.files.fopen(path, mode);
  exports.print = (to) => host.files.fprintf(to, "%s", "text");`;

Deno.test("files belong to the guest that opened them", async () => {
  const files = new MemoryFiles();
  const policy = [allow("files.fopen"), allow("files.fprintf"), allow("files.stdout")];
  const serve = (server: ApiServer) => void serveFiles(server, { host: files });
  const limits = { handles: 2 };
  const start = () =>
    startSandbox(guestUrl(FILE_GUEST), { ...namesOptions(policy), serve, limits });
  await using mine = await start();
  await using other = await start();
  const [file, foreign] = [await mine.call("open", "a", "w"), await other.call("open", "b", "w")];
  assertEquals(await mine.call("print", file), 4);
  for (const forged of [foreign, 0, 1, 2 ** 33, Number(file) + 2 ** 32]) {
    await assertRejects(() => mine.call("print", forged), Error, "handle");
  }
  assertEquals([files.text("a"), files.text("b"), files.text(1)], ["text", "", ""]);
  await mine.call("open", "c", "w");
  await assertRejects(() => mine.call("open", "d", "w"), Error, "there are 2 already");
});

Deno.test("a guest whose log is full is ended", async () => {
  const script = `exports.run = () => { for (;;) host.names.of("x"); };`;
  const limits = { logBytes: 1 << 12 };
  await using sandbox = await startSandbox(guestUrl(script), { ...namesOptions(), limits });
  await assertRejects(() => sandbox.call("run"), Error, "as its log is full");
  const countBytes = lines.join("").length;
  assert(countBytes >= 1 << 12 && countBytes < (1 << 12) + 2048);
});

Deno.test("a guest that is late is ended: nothing is asked of it any more", async () => {
  const script = `exports.never = () => new Promise(() => {}); exports.soon = () => 1;`;
  const limits = { timeoutSeconds: 0.1 };
  await using sandbox = await startSandbox(guestUrl(script), { ...namesOptions(), limits });
  const late = "Cannot wait longer than 0.1 s";
  await assertRejects(() => sandbox.call("never"), Error, late);
  await assertRejects(() => sandbox.call("soon"), Error, late);
});

Deno.test("a guest whose answers cannot be logged is late, and the error says why", async () => {
  const audit = () => {
    throw new Error("disk full");
  };
  const limits = { timeoutSeconds: 0.1 };
  await using sandbox = await startSandbox(guestUrl("exports.run = () => {};"), {
    ...namesOptions(),
    audit,
    limits,
  });
  await assertRejects(() => sandbox.call("run"), Error, "as its log takes no lines");
});

Deno.test("a guest goes on when its log does", async () => {
  const script = `exports.name = (name) => {
    try { return host.names.of(name); } catch (error) { return error.message; }
  };`;
  const made: string[] = [];
  const { audit, ...others } = namesOptions();
  let failsLeft = 0;
  await using sandbox = await startSandbox(guestUrl(script), {
    ...others,
    serve: (server) => void server.serve(names, { of: (name) => (made.push(name), name) }),
    audit(line) {
      if (failsLeft-- > 0) throw new Error("disk full");
      audit(line);
    },
  });
  assertEquals(await sandbox.call("name", "first"), "first");
  failsLeft = 1;
  const why = await sandbox.call("name", "second");
  assert(`${why}`.includes("Cannot go on without the audit log"), `${why}`);
  assertEquals(await sandbox.call("name", "third"), "third");
  assertEquals(made, ["first", "second", "third"]);
  assert(lines.some((line) => line.includes("1 lines were lost")));
});
