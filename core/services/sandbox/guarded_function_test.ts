import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { connectApi, ErrnoError, f64, fn, hostApi } from "../../signature/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import { Server } from "../../toggle/server/server.ts";
import { AuditLog } from "./audit_log.ts";
import { Gate } from "./gate.ts";
import { allow } from "./policy.ts";
import { gated } from "./testdata/gated.ts";

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
  const entries: { error?: string; result?: number }[] = [];
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel, { onFault: (fault) => gate.logFault(fault) });
  const limits = { lineBytes: 2048, logBytes: 1 << 20 };
  const log = new AuditLog("guest", (line) => entries.push(JSON.parse(line)), limits);
  const gate: Gate = new Gate(server, { policy: [allow("*")], log });
  let isWaiting = Promise.withResolvers<void>();
  const late = hostApi("late", { add: fn([f64, f64], f64) });
  gate.serve(late, {
    add(first, second) {
      let looksLeft = first;
      const poll = () => {
        isWaiting.resolve();
        if (second < 0) throw new RangeError("negative");
        assertEquals(entries.length, 0);
        return looksLeft-- > 0 ? undefined : first + second;
      };
      return new Pending({ poll });
    },
  });
  const served = server.serveAsync();
  const { add } = connectApi(new Client(channel), late);
  assertEquals(await add.async(3, 4), 7);
  assertEquals(entries.splice(0).map(({ result }) => result), [7]);
  assert(`${await add.async(0, -1).catch(String)}`.includes("negative"));
  assertEquals(entries.splice(0).map(({ error }) => error), ["RangeError: negative"]);
  isWaiting = Promise.withResolvers<void>();
  const gone = add.async(Infinity, 1).catch(String);
  await isWaiting.promise;
  channel.stop();
  await Promise.all([served, gone]);
  assertEquals(entries.length, 1);
  assert(entries[0]!.error, JSON.stringify(entries));
});
