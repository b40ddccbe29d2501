import { CallError } from "../../call/call_error.ts";
import type { CallBytesOptions, Client } from "../../toggle/client/client.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { findFunction, findFunctionAsync, isElsewhere } from "../client/find_function.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { objectCodec } from "./object_codec.ts";
import { OBJECT_LIMIT_BYTES, type ObjectCallOptions, objectFunction } from "./object_function.ts";

/** A method of an object on the other side. */
export interface RemoteMethod<Values extends readonly unknown[], Result> {
  /**
   * Calls it. Blocks.
   *
   * @throws {CallError} when it threw, with what it threw as the cause; when there is no such method
   */
  (...values: Values): Result;
  /** As a call, without blocking the event loop. */
  async(...values: Values): Promise<Result>;
}

/** The methods of an object on the other side; what a promise brings there is returned here. */
export type RemoteObject<T> = {
  readonly [K in keyof T as T[K] extends (...values: never) => unknown ? K : never]: T[K] extends
    (...values: infer Values) => infer Result ? RemoteMethod<Values, Awaited<Result>> : never;
};

/** How the methods of an object are called. */
export interface ConnectObjectOptions extends WaitOptions, ObjectCallOptions {}

/**
 * Makes the methods of an object that `serveObjects` serves callable. Asks the server for nothing until
 * the first call.
 *
 * @param options `codec` as the server's; limits of every call
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Client } from "../../toggle/client/client.ts";
 * import { connectObject } from "./connect_object.ts";
 * interface Store {
 *   get(key: string): number | null;
 * }
 * const client = new Client(Channel.create({ portCount: 4, laneCount: 1 }));
 * const store = connectObject<Store>(client, "store", { timeoutSeconds: 1 });
 * const read = () => store.get("lanes"); // once a server serves it
 * ```
 */
export function connectObject<T extends object>(
  client: Client,
  name: string,
  options: ConnectObjectOptions = {},
): RemoteObject<T> {
  const calls = new ObjectClient(client, name, options);
  const methods = new Map<string, unknown>();
  return new Proxy(Object.freeze({}), {
    get(_target, method) {
      // Who awaits the object asks for `then`, which would be a method else.
      if (typeof method !== "string" || method === "then") return undefined;
      const known = methods.get(method) ?? calls.method(method);
      methods.set(method, known);
      return known;
    },
  }) as RemoteObject<T>;
}

const NOT_FOUND = -1;

class ObjectClient {
  readonly #client: Client;
  readonly #target: ApiFunction;
  readonly #options: CallBytesOptions & Required<ObjectCallOptions>;
  #opcode = NOT_FOUND;

  constructor(client: Client, name: string, options: ConnectObjectOptions) {
    const { limitBytes = OBJECT_LIMIT_BYTES } = options;
    const codec = objectCodec(name, options.codec);
    this.#client = client;
    this.#target = objectFunction(name, codec);
    this.#options = { ...options, codec, limitBytes };
  }

  method(name: string): RemoteMethod<unknown[], unknown> {
    // Another object may have come to the opcode: the hash says which one is meant.
    const { hash } = this.#target;
    const call = (...values: unknown[]) => this.#call([hash, name, ...values]);
    return Object.assign(call, {
      async: (...values: unknown[]) => this.#callAsync([hash, name, ...values]),
    });
  }

  #call(request: readonly unknown[]): unknown {
    const { codec } = this.#options;
    const bytes = codec.encode(request);
    if (this.#opcode === NOT_FOUND) {
      this.#opcode = findFunction(this.#client, this.#target, this.#options);
    }
    try {
      return codec.decode(this.#client.callBytes(this.#opcode, bytes, this.#options));
    } catch (error) {
      throw this.#noted(error);
    }
  }

  async #callAsync(request: readonly unknown[]): Promise<unknown> {
    const { codec } = this.#options;
    const bytes = codec.encode(request);
    if (this.#opcode === NOT_FOUND) {
      this.#opcode = await findFunctionAsync(this.#client, this.#target, this.#options);
    }
    try {
      return codec.decode(await this.#client.callBytesAsync(this.#opcode, bytes, this.#options));
    } catch (error) {
      throw this.#noted(error);
    }
  }

  /** An object that is not where it was is looked for anew by the next call. */
  #noted(error: unknown): unknown {
    if (!isElsewhere(error)) return error;
    this.#opcode = NOT_FOUND;
    const { status, opcode, cause } = error;
    return cause ? error : new CallError(status, { opcode, detail: this.#target.name });
  }
}
