/** What a client may try at a gate, by hand, in one thread. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Opcode } from "../../memory/opcode.ts";
import { connectApi, ErrnoError, f64, fn, hostApi } from "../../signature/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { allow } from "./policy.ts";
import { api, gated, guard, POLICY } from "./testdata/gated.ts";
import { Pending } from "../../toggle/pending/pending.ts";

Deno.test("a function that no rule lets through does not exist, by name or opcode", () => {
  const { client, demo, entries, gate } = gated();
  assertThrows(() => demo.secret(), CallError, "Cannot find the function demo.secret");
  assertEquals(Object.keys(gate.apis[0]!.functions).includes("secret"), false);
  const call = (opcode: number) =>
    assertThrows(() => client.call(opcode, { fill() {}, use() {} }), CallError);
  for (const opcode of [Opcode.noop, Opcode.writeStdout, Opcode.printf, 0x7ffe, 0xffff]) {
    call(opcode);
  }
  const opcodes = new Set(
    Object.values(api.functions).map((one) => {
      try {
        return connectApi(client, { name: "x", functions: { one } }).one.opcode;
      } catch {
        return -1;
      }
    }),
  );
  assertEquals(opcodes.size, 7); // six, and none for the secret one
  const found = entries();
  assertEquals(found.length, 7);
  assert(found.every(({ verdict }) => verdict === "refuse"));
  assertEquals(found[1]!.call, "opcode 0");
});

Deno.test("handles that are forged, ended or another gate's are refused, and so are wrong requests", () => {
  const { client, demo, entries } = gated();
  const other = gated();
  const [box, foreign] = [demo.open("a")!, other.demo.open("b")!];
  demo.close(box);
  for (const forged of [box, foreign, 1, 2 ** 40] as (typeof box)[]) {
    assertThrows(() => demo.put(forged, new Uint8Array(1)), CallError, "has ended or never was");
    assertThrows(() => demo.close(forged), CallError, "has ended or never was");
  }
  const { opcode } = demo.put;
  assertThrows(
    () => client.callMessage(opcode + 1, Uint8Array.of(1, 2, 3), { limitBytes: 100 }),
    CallError,
    "another signature",
  );
  const refused = entries().slice(2);
  assertEquals(refused.length, 9);
  assert(refused.every(({ verdict, call }) => verdict === "refuse" && /^opcode \d+$/.test(call!)));
  assertEquals(other.entries().length, 1);
});

Deno.test("handles and bytes of a call are limited", () => {
  const { demo, entries } = gated(POLICY, { handlesMax: 2, limitBytes: 1000 });
  const boxes = ["a", "b"].map((name) => demo.open(name)!);
  assertThrows(() => demo.open("c"), CallError, "there are 2 already");
  assertThrows(() => demo.put(boxes[0]!, new Uint8Array(1001)), CallError, "limit");
  demo.close(boxes[1]!);
  demo.open("d");
  assertEquals(entries().filter(({ verdict }) => verdict === "refuse").length, 2);
});

Deno.test("functions that may wait are judged and logged alike", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const policy = [allow("late.*", (value) => value > 0)];
  const { gate, server, lines } = guard(channel, { policy });
  const late = hostApi("late", { root: fn([f64], f64) });
  gate.serveAsync(late, { root: (value) => Promise.resolve(Math.sqrt(value)) });
  const served = server.runAsync();
  const { root } = connectApi(new Client(channel), late);
  assertEquals(await root.async(4), 2);
  const error = await root.async(-4).catch(String);
  assert(`${error}`.includes("EPERM"), `${error}`);
  channel.shutDown();
  await served;
  assertEquals(lines.map((line) => JSON.parse(line).verdict), ["allow", "deny"]);
});

Deno.test("a gate serves all functions of an API, or says which is missing", () => {
  const { gate } = gated();
  const wrong = hostApi("wrong", { sqrt: fn([f64], f64) });
  gate.serve(wrong, {} as never); // no rule lets it through
  const all = gated([allow("*")]).gate;
  assertThrows(() => all.serve(wrong, {} as never), TypeError, "Cannot serve wrong.sqrt");
  for (const name of ["toString", "constructor", "valueOf"]) { // what every object inherits
    const inherited = hostApi("demo", { [name]: fn([f64], f64) });
    assertThrows(() => all.serve(inherited, {} as never), TypeError, "there is no function");
  }
});

Deno.test("each call has one line: what it was, the verdict, and what came of it", () => {
  const { demo, entries } = gated();
  const box = demo.open("a.txt")!;
  demo.put(box, new Uint8Array(3), "text", 1n);
  demo.move({ x: 1, box });
  demo.move(null);
  demo.close(box);
  assertEquals(entries(), [
    { call: "demo.open", arguments: ["a.txt"], verdict: "allow", result: { handle: "Box 1" } },
    {
      call: "demo.put",
      arguments: [{ handle: "Box 1" }, { bytes: 3 }, [
        { type: "string", value: "text" },
        { type: "i64", value: { bigint: "1" } },
      ]],
      verdict: "allow",
      result: 3,
    },
    {
      call: "demo.move",
      arguments: [{ x: 1, box: { handle: "Box 1" } }],
      verdict: "allow",
    },
    { call: "demo.move", arguments: [null], verdict: "allow" },
    { call: "demo.close", arguments: [{ handle: "Box 1" }], verdict: "allow" },
  ]);
});

Deno.test("a call is denied before the function runs, and rewritten where a rule says so", () => {
  const { demo, entries, state } = gated();
  const error = assertThrows(() => demo.open("denied"), ErrnoError);
  assertEquals(error.code, "EPERM");
  demo.open("other");
  assertEquals(state.made, ["open else"]);
  assertEquals(demo.sqrt(9), 4);
  assertThrows(() => demo.sqrt(-1), CallError, "operation not permitted");
  assertEquals(entries(), [
    { call: "demo.open", arguments: ["denied"], verdict: "deny", errno: "EPERM" },
    {
      call: "demo.open",
      arguments: ["other"],
      verdict: "rewrite",
      became: ["else"],
      result: { handle: "Box 1" },
    },
    { call: "demo.sqrt", arguments: [9], verdict: "rewrite", became: [16], result: 4 },
    {
      call: "demo.sqrt",
      arguments: [-1],
      verdict: "deny",
      error: "the policy failed: a rule that fails",
      errno: "EPERM",
    },
  ]);
});

Deno.test("what fails is logged, and nothing of where in the host it failed is told", () => {
  const { demo, entries } = gated();
  const errno = assertThrows(() => demo.open("none"), ErrnoError);
  assertEquals([errno.code, errno.message.includes("secret")], ["ENOENT", false]);
  const text = "x\n\u001b[2J";
  const error = assertThrows(() => demo.fail(text), CallError);
  const cause = error.cause as Error;
  assertEquals([cause.name, cause.message], ["RangeError", text]);
  assert(!`${cause.stack}`.includes("gated.ts"), cause.stack);
  const system = assertThrows(() => demo.fail("SYSTEM /host/secret"), CallError);
  assertEquals((system.cause as Error).message, "ENOENT");
  assertEquals(entries(), [
    { call: "demo.open", arguments: ["none"], verdict: "allow", errno: "ENOENT" },
    { call: "demo.fail", arguments: [text], verdict: "allow", error: `RangeError: ${text}` },
    {
      call: "demo.fail",
      arguments: ["SYSTEM /host/secret"],
      verdict: "allow",
      error: "RangeError: SYSTEM /host/secret",
    },
  ]);
});

Deno.test("no call is made while the log takes no line, and it says so afterwards", () => {
  const { demo, entries, state } = gated();
  state.isBroken = true;
  assertThrows(() => demo.open("a"), CallError, "without the audit log"); // made, but not given
  assertThrows(() => demo.open("b"), CallError, "without the audit log");
  assertThrows(() => demo.open("denied"), CallError, "without the audit log");
  assertEquals(state.made, ["open a"]);
  state.isBroken = false;
  demo.open("c");
  assertEquals(state.made, ["open a", "open c"]);
  assertEquals(entries().map(({ call, error }) => error ?? call), [
    "3 lines were lost",
    "demo.open",
  ]);
});

Deno.test("a call that is answered later has its line when it is over", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const { gate, server, lines } = guard(channel, { policy: [allow("*")] });
  const entries = () => lines.splice(0).map((line) => JSON.parse(line));
  let isWaiting = Promise.withResolvers<void>();
  const late = hostApi("late", { add: fn([f64, f64], f64) });
  gate.serve(late, {
    add(first, second) {
      let looksLeft = first;
      const poll = () => {
        isWaiting.resolve();
        if (second < 0) throw new RangeError("negative");
        assertEquals(lines.length, 0);
        return looksLeft-- > 0 ? undefined : first + second;
      };
      return new Pending({ poll });
    },
  });
  const served = server.runAsync();
  const { add } = connectApi(new Client(channel), late);
  assertEquals(await add.async(3, 4), 7);
  assertEquals(entries().map(({ result }) => result), [7]);
  assert(`${await add.async(0, -1).catch(String)}`.includes("negative"));
  assertEquals(entries().map(({ error }) => error), ["RangeError: negative"]);
  isWaiting = Promise.withResolvers<void>();
  const gone = add.async(Infinity, 1).catch(String);
  await isWaiting.promise;
  channel.stop();
  await Promise.all([served, gone]);
  const [only, ...others] = entries();
  assertEquals([typeof only.error, others], ["string", []]);
});
