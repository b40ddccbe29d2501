/**
 * The worker of a guest. Its parent is `startSandbox`, which posts what stands in `guest_api.ts`.
 *
 * @module
 */
import { jsonCodec } from "../../../call/codec.ts";
import { connectApi, type HostStubs } from "../../../signature/mod.ts";
import { unpackApi } from "../../../signature/declare/packed_api.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { guestApi, type GuestFunctions, type GuestRequest } from "./guest_api.ts";
import { describeThrown, lockRealm } from "./lock_realm.ts";
import { checkRefused } from "./deno_permissions.ts";

type Start = Extract<GuestRequest, { kind: "start" }>;
type Call = Extract<GuestRequest, { kind: "call" }>;
type Script = (module: object, exports: object, host: object) => void;

const close = globalThis.close.bind(globalThis);
const module = { exports: {} as Record<string, unknown> };
let host: HostStubs<GuestFunctions> | undefined;

globalThis.addEventListener("message", ({ data }: MessageEvent<GuestRequest>) => {
  if (data.kind === "start") return host ? undefined : start(data);
  if (data.kind === "call") return void answer(data, host!);
  host!.left();
  close();
});

function start({ handle, guestHandle, source, apis }: Start): void {
  const client = new Client(Channel.attach(handle));
  const mine = host = connectApi(new Client(Channel.attach(guestHandle)), guestApi);
  const stubs = apis.map(unpackApi).map((api) => [api.name, connectApi(client, api)] as const);
  try {
    checkRefused();
    // Not eval(): what is around stays out of its reach. Strict, so that it has no `this` either.
    const script = new Function("module", "exports", "host", `"use strict";${source}`) as Script;
    lockRealm((text) => print(text, mine));
    script(module, module.exports, Object.freeze(Object.fromEntries(stubs)));
    mine.ready("");
  } catch (error) {
    mine.ready(crossing(describeThrown(error)));
  }
}

/** Waits until the line is in the log. Where there is no log there is nobody to tell. */
function print(text: string, mine: HostStubs<GuestFunctions>): void {
  try {
    mine.print(crossing(text));
  } catch {
    const { length } = text; // too long for a call, perhaps
    if (length > 64) print(`${text.slice(0, 32)}... of ${length} letters`, mine);
  }
}

async function answer(
  { id, name, values }: Call,
  mine: HostStubs<GuestFunctions>,
): Promise<void> {
  try {
    const work = Object.hasOwn(module.exports, name) ? module.exports[name] : undefined;
    if (typeof work !== "function") throw new TypeError(`it exports no function ${name}`);
    const value = jsonCodec.encode(await work(...values));
    mine.answer(id, false, value);
  } catch (error) {
    mine.answer(id, true, jsonCodec.encode(crossing(describeThrown(error))));
  }
}

/** A text without NUL, which none that crosses may have. */
function crossing(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
