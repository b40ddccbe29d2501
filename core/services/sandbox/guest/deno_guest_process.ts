/**
 * The process of a guest. Its parent is `startSandbox`, which tells it what stands in `guest_api.ts`.
 * Whatever it needs of the system is asked for before the wall is up and the guest begins: what the guest
 * finds in its realm, the runtime's own names among it, reaches nothing beyond this process.
 *
 * @module
 */
import { jsonCodec } from "../../../call/codec.ts";
import { errorReport } from "../../../call/error_report.ts";
import { unpackApi } from "../../../signature/declare/packed_api.ts";
import { connectApi, type HostStubs } from "../../../signature/mod.ts";
import { Parent } from "../../../system/child.ts";
import { raiseWall } from "../../../system/wall.ts";
import { Client } from "../../../toggle/client/client.ts";
import { guestApi, type GuestCall, type GuestFunctions, type GuestRequest } from "./guest_api.ts";

/** The host answers soon or not for long, and every wake takes one nap at least. */
const NAPS = { firstMilliseconds: 0.05, longestMilliseconds: 8 };
/** All that Deno can give and take. */
const PERMISSIONS = ["read", "write", "net", "env", "sys", "run", "ffi", "import"] as const;

const { exit, permissions } = Deno;
const parent = new Parent();
const [calls, own] = parent.channels.map(({ channel, words }) => {
  words.naps = NAPS;
  return new Client(channel);
});
const host: HostStubs<GuestFunctions> = connectApi(own!, guestApi);
const module = { exports: {} as Record<string, unknown> };

function start({ limits, apis, source }: GuestRequest & { kind: "start" }): void {
  const stubs = apis.map(unpackApi).map((api) => [api.name, connectApi(calls!, api)] as const);
  try {
    raiseWall(limits, parent.pid);
    for (const name of PERMISSIONS) {
      permissions.revokeSync({ name } as Deno.PermissionDescriptor);
    }
    tellWhatIsPrinted();
    hideTheHost();
    const script = new Function("module", "exports", "host", `"use strict";${source}`);
    script(module, module.exports, Object.freeze(Object.fromEntries(stubs)));
    tell(() => host.ready(""));
  } catch (error) {
    tell(() => host.ready(described(error)));
  }
}

/** Scripts ask for `process` to know where they run: it would ask the system, be refused, and end the runtime. */
function hideTheHost(): void {
  Reflect.deleteProperty(globalThis, "process");
  // Stacks would tell where the host's files are.
  Object.defineProperty(Error, "stackTraceLimit", { value: 0, writable: false });
}

/** Where there is no log there is nobody to tell. */
function tell(work: () => void): void {
  try {
    work();
  } catch {
    // As said: the host has heard it where it could.
  }
}

/** Of the console, and of what nobody catches. */
function tellWhatIsPrinted(): void {
  const log = (...values: unknown[]) => print(values.map(shown).join(" "));
  const { console } = globalThis;
  Object.assign(console, { log, info: log, warn: log, error: log, debug: log, trace: log });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    print(`Uncaught ${described(event.error)}`);
  });
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    print(`Uncaught ${described(event.reason)}`);
  });
}

/** Waits until the line is in the log. */
function print(text: string): void {
  try {
    host.print(crossing(text));
  } catch {
    const { length } = text; // too long for a call, perhaps
    if (length > 64) print(`${text.slice(0, 32)}... of ${length} letters`);
  }
}

/** Calls a function that the script exports, and tells what it answers. */
async function answer({ id, name, values }: GuestCall): Promise<void> {
  const { exports } = module;
  try {
    const work = Object.hasOwn(exports, name) ? exports[name] : undefined;
    if (typeof work !== "function") throw new TypeError(`it exports no function ${name}`);
    host.answer(id, false, jsonCodec.encode(await work(...values)));
  } catch (error) {
    host.answer(id, true, jsonCodec.encode(described(error)));
  }
}

/** A value as the console writes it. */
function shown(value: unknown): string {
  if (value instanceof Error) return described(value);
  try {
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  } catch (error) {
    return described(error);
  }
}

function described(thrown: unknown): string {
  const { name, message } = errorReport(thrown);
  return crossing(`${name}: ${message}`);
}

/** A text without NUL, which none that crosses may have. */
function crossing(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

await parent.listen((message) => {
  const request = message as GuestRequest;
  if (request.kind === "start") return start(request);
  if (request.kind === "call") return void answer(request);
  host.left();
  exit(0);
});
exit(0);
