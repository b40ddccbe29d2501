/** Functions that answer later: by packets, streams and messages, on servers that block or do not. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import { startServer } from "../../worker/start_server.ts";
import { connectApi } from "../client/connect_api.ts";
import { ErrnoError } from "../declare/errno.ts";
import * as s from "../mod.ts";
import { LoopServer, moduleOf } from "../testdata/served.ts";
import { functionOpcode } from "./function_table.ts";

const api = s.hostApi("late", {
  plain: s.fn([s.f64], s.f64),
  code: s.fn([s.i32], s.i32, {
    failsWith: -1,
    meaningOf: (errno) => ({ code: `E${errno}`, text: "late" }),
  }),
  text: s.fn([s.string], s.string),
  open: s.fn([s.i32], s.handle("Thing")),
  nothing: s.fn([s.i32], s.nothing),
});

/** A server of functions that are done when the test says so. */
class Late extends LoopServer {
  readonly late = connectApi(this.client, api);
  readonly cancelled: string[] = [];
  #isDone = false;

  constructor() {
    super((host) =>
      host.serve(api, {
        plain: (value) => this.#after(() => value + 1),
        code: (value) =>
          this.#after(() => {
            if (value < 0) throw new ErrnoError(-value, "do it");
            return value;
          }),
        text: (text) => this.#after(() => `${text}!`),
        open: (value) => this.#after(() => [value]),
        nothing: () => this.#after(() => null),
      }), { shape: { portCount: 8, laneCount: 1 } });
  }

  #after<T>(result: () => T): Pending<T> {
    return new Pending({
      poll: () => this.#isDone ? result() : undefined,
      cancel: ({ message }) => this.cancelled.push(message),
    });
  }

  /** Lets all calls end that have come. */
  async finish(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    this.#isDone = true;
  }
}

Deno.test("functions of every shape may answer later, and fail later", async () => {
  await using host = new Late();
  const { plain, code, text, open, nothing } = host.late;
  const calls = [plain.async(1.5), code.async(3), text.async("a".repeat(100)), nothing.async(1)];
  const failing = assertRejects(() => code.async(-7), ErrnoError, "call late.code: late (E7)");
  const opened = open.async(5);
  await host.finish();
  const results = await Promise.all(calls as Promise<unknown>[]);
  assertEquals(results, [2.5, 3, `${"a".repeat(100)}!`, undefined]);
  await failing;
  assertEquals(host.host.objectOf("Thing", await opened), [5]);
  assertEquals([host.host.handleCount, host.cancelled], [1, []]);
});

Deno.test("a call that its caller gave up is cancelled, in every shape", async () => {
  await using host = new Late();
  const { plain, text } = connectApi(new Client(host.channel), api, { timeoutSeconds: 0.02 });
  const calls = [plain.async(1), text.async("a")];
  await Promise.all(
    calls.map((call) => assertRejects(() => call as Promise<unknown>, DOMException)),
  );
  while (host.cancelled.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(host.cancelled, Array(2).fill("The client left the call"));
});

Deno.test("handles of lanes that are done end when a lane fails after them", async () => {
  const open = s.hostApi("late", { open: s.fn([s.i32], s.handle("Thing")) });
  const poll = (value: number) => () => {
    if (value === 2) throw new RangeError("two");
    return [value];
  };
  await using server = new LoopServer(
    (host) => host.serve(open, { open: (value) => new Pending({ poll: poll(value) }) }),
    { shape: { portCount: 1, laneCount: 3 } },
  );
  const call = server.client.callAsync(functionOpcode("late.open"), {
    fill: (packet) =>
      packet.forEachLane((lane) => {
        packet.setUint32(lane, 0, open.functions.open.hash);
        packet.setUint32(lane, 2, lane);
      }),
    use: () => {},
  });
  await assertRejects(() => call, CallError, "two");
  assertEquals(server.host.handleCount, 0);
});

/** Lanes that are done when as many have come as there are. */
const MEETING = moduleOf(`
  const api = s.hostApi("meet", {
    plain: s.fn([s.f64], s.f64),
    code: s.fn([s.i32], s.i32, { failsWith: -1 }),
    text: s.fn([s.string], s.string),
  });
  let come = 0;
  let cancelled = 0;
  function meet(value) {
    if (value === "one too many" || value === 99) throw new RangeError(\`\${cancelled} so far\`);
    come++;
    return new Pending({
      poll: () => come % 3 === 0 ? value : undefined,
      cancel: () => { cancelled++; come--; },
    });
  }
  export function addServices(server) {
    s.serveApi(server, api, { plain: meet, code: meet, text: meet });
  }`);

Deno.test("lanes of one call go on together, and end together", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 4 });
  await using _server = await startServer(channel, { services: [MEETING] });
  const meeting = s.hostApi("meet", {
    plain: s.fn([s.f64], s.f64),
    code: s.fn([s.i32], s.i32, { failsWith: -1 }),
    text: s.fn([s.string], s.string),
  });
  const { plain, code, text } = connectApi(new Client(channel), meeting, { timeoutSeconds: 10 });
  for (let round = 0; round < 2; round++) {
    assertEquals(plain.lanes([[0.5], undefined, [1.5], [2.5]]), [0.5, undefined, 1.5, 2.5]);
    assertEquals(code.lanes([[1], [2], undefined, [3]]), [1, 2, undefined, 3]);
    const texts = ["a".repeat(200), "", "b"];
    assertEquals(text.lanes(texts.map((text) => [text])), texts);
  }
  // The lanes before the one that throws are cancelled.
  assertThrows(() => plain.lanes([[1], [2], [99]]), CallError, "0 so far");
  assertThrows(() => code.lanes([[1], [99]]), CallError, "2 so far");
  assertThrows(() => text.lanes([["a"], ["one too many"]]), CallError, "3 so far");
  assertThrows(() => code.lanes([[99]]), CallError, "4 so far");
});
