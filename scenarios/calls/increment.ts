import type { CallWork, Channel, Client, Packet } from "../../core/mod.ts";
import { Server, USER_OPCODE_FIRST, type WaiterName } from "../../core/mod.ts";

/** The call that scenarios make: one word of each lane that takes part comes back one larger. */
export const INCREMENT_OPCODE = USER_OPCODE_FIRST;
/** Numbers stay below 2^30, where V8 keeps them out of the heap. */
const VALUE_MAX = 0x3fffffff;

/** A server of the channel, the core's own, that can answer the call. */
export function incrementServer(channel: Channel, waiter: WaiterName): Server {
  const server = new Server(channel, { waiter });
  server.operate(INCREMENT_OPCODE, incrementLanes);
  return server;
}

/**
 * The server's work on the packet of a call. Here and below every lane takes part, so the code goes
 * through the words of the packet without asking for the lane mask, as a native server could.
 */
export function incrementLanes({ uint32, laneCount, laneStride }: Packet): void {
  const end = laneCount * laneStride;
  for (let word = 0; word < end; word += laneStride) uint32[word]! += 1;
}

/** What makes one call: a client, or an object that opens and closes a port for each call. */
export type CallMaker = Pick<Client, "call">;

/**
 * Makes the call again and again, and checks what comes back in every lane.
 *
 * @example
 * ```ts
 * import { Channel, Client } from "../../core/mod.ts";
 * import { IncrementCaller } from "./increment.ts";
 * const channel = Channel.create({ portCount: 1, laneCount: 8 });
 * new IncrementCaller(new Client(channel)).call(0); // no call: no server runs here
 * ```
 */
export class IncrementCaller {
  readonly #client: CallMaker;
  #value = 0;
  #wrongBits = 0;

  /** Made once: a call allocates nothing. */
  readonly #work: CallWork = {
    fill: ({ uint32, laneCount, laneStride }) => {
      const value = this.#value;
      const end = laneCount * laneStride;
      for (let word = 0; word < end; word += laneStride) uint32[word] = value;
    },
    use: ({ uint32, laneCount, laneStride }) => {
      const end = laneCount * laneStride;
      const expected = this.#value + 1;
      let wrongBits = 0;
      for (let word = 0; word < end; word += laneStride) {
        wrongBits |= uint32[word]! ^ expected;
      }
      this.#wrongBits |= wrongBits;
    },
  };

  constructor(client: CallMaker) {
    this.#client = client;
  }

  /** @throws {Error} when a lane came back with another number */
  call(callCount: number): void {
    for (let call = 0; call < callCount; call++) {
      this.#client.call(INCREMENT_OPCODE, this.#work);
      this.#value = (this.#value + 1) & VALUE_MAX;
    }
    if (this.#wrongBits === 0) return;
    throw new Error("Cannot trust the calls as a lane did not come back one larger");
  }
}
