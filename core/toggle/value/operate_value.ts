import type { ValueCodec } from "../../call/codec.ts";
import { checkService, refusePromise } from "../../memory/sync_result.ts";
import type { Server } from "../server/server.ts";
import type { AsyncBytesOptions, BytesOptions } from "../server/service_registry.ts";
import type { AsyncContext } from "../server/service_table.ts";

/** What serves a call with values. */
export interface ValueService extends BytesOptions {
  /** How the values cross, the same as the client's. */
  readonly codec: ValueCodec;
  /** Returns the answer to a value, which comes from the other side: check it. */
  readonly work: (value: unknown) => unknown;
}

/** What serves a call with values, and may wait. */
export interface AsyncValueService extends AsyncBytesOptions {
  /** How the values cross, the same as the client's. */
  readonly codec: ValueCodec;
  /** Returns the answer to a value, or a promise of it; the value comes from the other side: check it. */
  readonly work: (value: unknown, context: AsyncContext) => unknown;
}

/**
 * Serves an opcode with a function of values; see `Server.operateBytes`.
 *
 * @throws as `Server.operateBytes`
 */
export function operateValue(server: Server, opcode: number, service: ValueService): void {
  const { codec, work } = service;
  checkService(`opcode ${opcode}`, work);
  server.operateBytes(opcode, (bytes) => {
    const answer = work(codec.decode(bytes));
    refusePromise(answer, "a function");
    return codec.encode(answer);
  }, service);
}

/** As {@linkcode operateValue}, with a function that may wait. */
export function operateValueAsync(
  server: Server,
  opcode: number,
  service: AsyncValueService,
): void {
  const { codec, work } = service;
  checkService(`opcode ${opcode}`, work);
  server.operateBytesAsync(
    opcode,
    async (bytes, context) => codec.encode(await work(codec.decode(bytes), context)),
    service,
  );
}
