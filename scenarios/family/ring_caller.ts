import type { Client, Server } from "../../core/command_ring/mod.ts";

const NAME = "increment";
/** Numbers stay below 2^30, where V8 keeps them out of the heap. */
const VALUE_MAX = 0x3fffffff;

/** The call of `IncrementCaller`, as a command with four bytes and a number that comes back. */
export class RingCaller {
  readonly #client: Client;
  readonly #value = new Uint32Array(1);
  readonly #bytes = new Uint8Array(this.#value.buffer);

  constructor(client: Client) {
    this.#client = client;
  }

  /** @throws {Error} when another number came back */
  call(callCount: number): void {
    const value = this.#value;
    let wrongBits = 0;
    for (let call = 0; call < callCount; call++) {
      wrongBits |= Number(this.#client.call(NAME, this.#bytes)) ^ (value[0]! + 1);
      value[0] = (value[0]! + 1) & VALUE_MAX;
    }
    if (wrongBits !== 0) {
      throw new Error("Cannot trust the calls as a number did not come back one larger");
    }
  }
}

/** Has the host of a ring answer the call. */
export function serveRingIncrement(server: Server): Server {
  server.register(
    NAME,
    (bytes) => 1 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true),
  );
  return server;
}
