/** What a client may try at a gate, by hand, in one thread. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Opcode } from "../../memory/opcode.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import type { PortWaiter } from "../../wait/inbox_waiter.ts";
import {
  bytes,
  connectApi,
  ends,
  ErrnoError,
  f64,
  fn,
  handle,
  hostApi,
  i32,
  nothing,
  nullable,
  string,
  variadic,
} from "../../signature/mod.ts";
import type { AuditEntry } from "./audit_line.ts";
import { AuditLog } from "./audit_log.ts";
import { Gate } from "./gate.ts";
import { allow, deny, type Policy, rewrite } from "./policy.ts";

const api = hostApi("demo", {
  open: fn([string], nullable(handle("Box")), { failsWith: null }),
  close: fn([ends("Box")], nothing),
  put: fn([handle("Box"), bytes("in"), variadic], i32, { failsWith: -1 }),
  sqrt: fn([f64], f64),
  fail: fn([string], nothing),
  secret: fn([], i32),
});

const POLICY: Policy = [
  deny("demo.open", (name: string) => name === "denied"),
  rewrite("demo.open", (name: string) => name === "other" ? ["else"] : undefined),
  rewrite("demo.sqrt", (value: number) => {
    if (value < 0) throw new Error("a rule that fails");
    return value === 9 ? [16] : undefined;
  }),
  deny("demo.secret"),
  allow("demo.*"),
];

/** 64 lanes, so that each message fits one packet, which one thread can serve. */
function gated(policy = POLICY, limits: { handlesMax?: number; limitBytes?: number } = {}) {
  const channel = Channel.create({ portCount: 2, laneCount: 64 });
  const lines: string[] = [];
  const state = { isBroken: false, made: [] as string[] };
  const log = new AuditLog("guest", (line) => {
    if (state.isBroken) throw new Error("disk full");
    lines.push(line);
  }, { lineBytes: 2048, logBytes: 1 << 20 });
  const server = new Server(channel, { onFault: (fault) => gate.logFault(fault) });
  const gate: Gate = new Gate(server, { policy, log, ...limits });
  gate.serve(api, {
    open(name) {
      state.made.push(`open ${name}`);
      if (name === "none") throw new ErrnoError(2, "open /home/of/the/host");
      return { name };
    },
    close: () => {},
    put: (_box, bytes) => bytes.length,
    sqrt: Math.sqrt,
    fail(text) {
      throw new RangeError(text);
    },
    secret: () => 42,
  });
  const waiter: PortWaiter = {
    wait(_index, _foreign, guard) {
      if (!server.serveOnce()) guard.check();
    },
    waitAsync: () => Promise.resolve(void server.serveOnce()),
  };
  const client = new Client(channel, { waiter });
  /** The entries since the last look, without what differs each time. */
  function entries(): Partial<AuditEntry>[] {
    return lines.splice(0).map((line) => {
      const { time, guest, microseconds, ...rest } = JSON.parse(line);
      assert(/^\d{4}-.*Z$/.test(time) && guest === "guest");
      assert(rest.verdict === "deny" || rest.verdict === "refuse" || microseconds >= 0, line);
      return rest;
    });
  }
  return { gate, client, state, entries, demo: connectApi(client, api) };
}

Deno.test("each call has one line: what it was, the verdict, and what came of it", () => {
  const { demo, entries } = gated();
  const box = demo.open("a.txt")!;
  demo.put(box, new Uint8Array(3), "text", 1n);
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
  assertEquals([errno.code, errno.message.includes("/home")], ["ENOENT", false]);
  const text = "x\n\u001b[2J";
  const error = assertThrows(() => demo.fail(text), CallError);
  const cause = error.cause as Error;
  assertEquals([cause.name, cause.message], ["RangeError", text]);
  assert(!`${cause.stack}`.includes("gate_test"), cause.stack);
  assertEquals(entries(), [
    { call: "demo.open", arguments: ["none"], verdict: "allow", errno: "ENOENT" },
    { call: "demo.fail", arguments: [text], verdict: "allow", error: `RangeError: ${text}` },
  ]);
});

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
  assertEquals(opcodes.size, 6); // five, and none for the secret one
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
    () => client.callBytes(opcode + 1, Uint8Array.of(1, 2, 3), { limitBytes: 100 }),
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

Deno.test("functions that may wait are judged and logged alike", async () => {
  const lines: string[] = [];
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel, { onFault: (fault) => gate.logFault(fault) });
  const limits = { lineBytes: 2048, logBytes: 1 << 20 };
  const log = new AuditLog("guest", (line) => lines.push(line), limits);
  const gate: Gate = new Gate(server, { policy: [allow("late.*", (value) => value > 0)], log });
  const late = hostApi("late", { root: fn([f64], f64) });
  gate.serveAsync(late, { root: (value) => Promise.resolve(Math.sqrt(value)) });
  const served = server.serveAsync();
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
});
