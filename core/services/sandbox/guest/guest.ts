import { jsonCodec } from "../../../call/codec.ts";
import { connectApi, type HostStubs } from "../../../signature/mod.ts";
import { unpackApi } from "../../../signature/declare/packed_api.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { checkRefused } from "./deno_permissions.ts";
import { guestApi, type GuestCall, type GuestFunctions, type GuestScript } from "./guest_api.ts";
import { describeThrown, lockRealm } from "./lock_realm.ts";

type Script = (module: object, exports: object, host: object) => void;

/** A guest's script in the realm that it runs in, which is its alone. Once. */
export class Guest {
  readonly #module = { exports: {} as Record<string, unknown> };
  readonly #host: HostStubs<GuestFunctions>;

  /** @param channel for what the guest tells its host, one call at a time */
  constructor(channel: Channel) {
    this.#host = connectApi(new Client(channel), guestApi);
  }

  /**
   * Locks the realm, and runs the script in it.
   *
   * @param missing what the system does not have of the wall around this process
   */
  run(channel: Channel, { source, apis }: GuestScript, missing: readonly string[] = []): void {
    const client = new Client(channel);
    const stubs = apis.map(unpackApi).map((api) => [api.name, connectApi(client, api)] as const);
    const { exports } = this.#module;
    try {
      checkRefused();
      // Not eval(): what is around stays out of its reach. Strict, so that it has no `this` either.
      const script = new Function("module", "exports", "host", `"use strict";${source}`) as Script;
      lockRealm((text) => print(text, this.#host));
      script(this.#module, exports, Object.freeze(Object.fromEntries(stubs)));
      this.#host.ready("", missing.join(", "));
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Says why the script cannot be run. */
  refuse(error: unknown): void {
    this.#host.ready(crossing(describeThrown(error)), "");
  }

  /** Calls a function that the script exports, and tells what it answers. */
  async answer({ id, name, values }: GuestCall): Promise<void> {
    const { exports } = this.#module;
    try {
      const work = Object.hasOwn(exports, name) ? exports[name] : undefined;
      if (typeof work !== "function") throw new TypeError(`it exports no function ${name}`);
      const value = jsonCodec.encode(await work(...values));
      this.#host.answer(id, false, value);
    } catch (error) {
      this.#host.answer(id, true, jsonCodec.encode(crossing(describeThrown(error))));
    }
  }

  /** The last that is heard of it. */
  leave(): void {
    this.#host.left();
  }
}

/** Waits until the line is in the log. Where there is no log there is nobody to tell. */
function print(text: string, host: HostStubs<GuestFunctions>): void {
  try {
    host.print(crossing(text));
  } catch {
    const { length } = text; // too long for a call, perhaps
    if (length > 64) print(`${text.slice(0, 32)}... of ${length} letters`, host);
  }
}

/** A text without NUL, which none that crosses may have. */
function crossing(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
