import type { ObjectOptions } from "../../../signature/declaration_types.ts";
import { assert } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { Server } from "../../../toggle/server/server.ts";
import type { PortWaiter } from "../../../wait/inbox_waiter.ts";
import {
  bytes,
  connectApi,
  ends,
  ErrnoError,
  f64,
  fn,
  handle,
  type HostApi,
  hostApi,
  type HostStubs,
  i32,
  nothing,
  nullable,
  pointer,
  string,
  struct,
  variadic,
} from "../../../signature/mod.ts";
import { type AuditEntry, AuditLog } from "../audit_log.ts";
import { Gate } from "../gate.ts";
import { allow, deny, type Policy, rewrite } from "../policy.ts";

/** Functions of every kind that a policy may meet. */
const demoFunctions = {
  open: fn([string], nullable(handle("Box")), { failsWith: null }),
  close: fn([ends("Box")], nothing),
  put: fn([handle("Box"), bytes("in"), variadic], i32, { failsWith: -1 }),
  sqrt: fn([f64], f64),
  fail: fn([string], nothing),
  secret: fn([], i32),
  move: fn([nullable(pointer("in", struct({ x: f64, box: handle("Box") })))], nothing),
};
/** As an API. */
export const api: HostApi<typeof demoFunctions> = hostApi("demo", demoFunctions);

export const POLICY: Policy = [
  deny("demo.open", (name: string) => name === "denied"),
  rewrite("demo.open", (name: string) => name === "other" ? ["else"] : undefined),
  rewrite("demo.sqrt", (value: number) => {
    if (value < 0) throw new Error("a rule that fails");
    return value === 9 ? [16] : undefined;
  }),
  deny("demo.secret"),
  allow("demo.*"),
];

/** Both ends, and what the gate did. */
export interface Gated {
  readonly gate: Gate;
  readonly client: Client;
  readonly demo: HostStubs<typeof demoFunctions>;
  readonly state: { isBroken: boolean; readonly made: readonly string[] };
  /** The entries since the last look, without what differs each time. */
  entries(): Partial<AuditEntry>[];
}

/** A channel with a gate in front of its server, and the lines of its log. */
export interface GuardedServer {
  readonly gate: Gate;
  readonly server: Server;
  readonly lines: string[];
}

/** As a sandbox has it. While `state.isBroken`, no line is taken. */
export function guard(
  channel: Channel,
  options: ObjectOptions & { readonly policy: Policy },
  state = { isBroken: false },
): GuardedServer {
  const lines: string[] = [];
  const log = new AuditLog("guest", (line) => {
    if (state.isBroken) throw new Error("disk full");
    lines.push(line);
  }, { lineBytes: 2048, logBytes: 1 << 24 });
  const server: Server = new Server(channel, {
    tellsStacks: false,
    onFault: (fault) => gate.logFault(fault),
  });
  const gate: Gate = new Gate(server, { log, ...options });
  return { gate, server, lines };
}

/** A client and a gate, which serves while the client waits, in one thread. */
export function gated(policy: Policy = POLICY, limits: ObjectOptions = {}): Gated {
  // 64 lanes, so that each message fits one packet.
  const channel = Channel.create({ portCount: 2, laneCount: 64 });
  const state = { isBroken: false, made: [] as string[] };
  const { gate, server, lines } = guard(channel, { policy, ...limits }, state);
  gate.serve(api, {
    open(name) {
      state.made.push(`open ${name}`);
      if (name === "none") throw new ErrnoError(2, "open hosts/secret/place");
      return { name };
    },
    close: () => {},
    put: (_box, bytes) => bytes.length,
    sqrt: Math.sqrt,
    fail(text) {
      const code = text.startsWith("SYSTEM") ? { code: "ENOENT" } : {};
      throw Object.assign(new RangeError(text), code);
    },
    secret: () => 42,
    move: () => {},
  });
  const waiter: PortWaiter = {
    wait(_index, _foreign, guard) {
      if (!server.runOnce()) guard.check();
    },
    waitAsync: () => Promise.resolve(void server.runOnce()),
  };
  const client = new Client(channel, { waiter });
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
