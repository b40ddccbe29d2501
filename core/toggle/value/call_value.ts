import type { ValueCodec } from "../../call/codec.ts";
import type { CallBytesOptions, Client } from "../client/client.ts";

/** How a call with values is made. */
export interface CallValueOptions extends CallBytesOptions {
  /** How the values cross, the same as the server's; `jsonCodec` or `v8Codec`. */
  readonly codec: ValueCodec;
}

/** What is asked for, and with what. */
export interface ValueRequest {
  /** What is asked for, 32768 to 65535. */
  readonly opcode: number;
  /** What crosses to the server, written by the codec. */
  readonly value: unknown;
}

/**
 * A synchronous call with a value there and another one back; see `Client.callBytes`. Blocks.
 *
 * @returns what the server returned, as the codec brought it here: check it as you would check a file
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Client } from "../client/client.ts";
 * import { Server } from "../server/server.ts";
 * import { operateValue } from "./operate_value.ts";
 * import { jsonCodec } from "../../call/codec.ts";
 * import { callValueAsync } from "./call_value.ts";
 *
 * const channel = Channel.create({ portCount: 1, laneCount: 1 });
 * const server = new Server(channel);
 * const options = { codec: jsonCodec, limitBytes: 1 << 16 };
 * operateValue(server, 40_000, { work: (value) => ({ got: value }), ...options });
 * const served = server.serveAsync();
 * const request = { opcode: 40_000, value: [1, 2] };
 * const answer = await callValueAsync(new Client(channel), request, options);
 * if (JSON.stringify(answer) !== '{"got":[1,2]}') throw new Error("the server's answer");
 * channel.shutDown();
 * await served;
 * ```
 */
export function callValue(
  client: Client,
  { opcode, value }: ValueRequest,
  options: CallValueOptions,
): unknown {
  const { codec } = options;
  return codec.decode(client.callBytes(opcode, codec.encode(value), options));
}

/** As {@linkcode callValue}, without blocking the event loop. */
export async function callValueAsync(
  client: Client,
  { opcode, value }: ValueRequest,
  options: CallValueOptions,
): Promise<unknown> {
  const { codec } = options;
  return codec.decode(await client.callBytesAsync(opcode, codec.encode(value), options));
}
