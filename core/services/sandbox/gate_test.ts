/** What a client may try at a gate, by hand, in one thread. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Opcode } from "../../memory/opcode.ts";
import { connectApi, f64, fn, hostApi } from "../../signature/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { AuditLog } from "./audit_log.ts";
import { Gate } from "./gate.ts";
import { allow } from "./policy.ts";
import { api, gated, POLICY } from "./testdata/gated.ts";

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
  for (const name of ["toString", "constructor", "valueOf"]) { // what every object inherits
    const inherited = hostApi("demo", { [name]: fn([f64], f64) });
    assertThrows(() => all.serve(inherited, {} as never), TypeError, "there is no function");
  }
});
