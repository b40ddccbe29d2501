import type { CallWork, Channel, Packet, WaiterName } from "../../core/mod.ts";
import { LANE_COUNT_MAX, Server, USER_OPCODE_FIRST } from "../../core/mod.ts";

/** The call that scenarios make: one word of each lane that takes part comes back one larger. */
export const INCREMENT_OPCODE = USER_OPCODE_FIRST;
/** Numbers stay below 2^30, where V8 keeps them out of the heap. */
const VALUE_MAX = 0x3fffffff;

/** A server of the channel, the core's own, that can answer the call. */
export function incrementServer(channel: Channel, waiter: WaiterName): Server {
  const server = new Server(channel, { waiter });
  server.operate(INCREMENT_OPCODE, (packet) => incrementLanes(packet));
  return server;
}

/**
 * The server's work on the packet of a call. Here and below the first `laneCount` lanes take part,
 * all when absent, so the code goes through the words of the packet without asking for the lane mask,
 * as a native server could.
 */
export function incrementLanes(packet: Packet, laneCountMax = LANE_COUNT_MAX): void {
  const { uint32, laneStride } = packet;
  const end = Math.min(packet.laneCount, laneCountMax) * laneStride;
  for (let word = 0; word < end; word += laneStride) uint32[word]! += 1;
}

/** What makes one call: a client, or an object that opens and closes a port for each call. */
export interface CallMaker {
  /** As `Client.call`. */
  call(opcode: number, work: CallWork): void;
}

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
  readonly #laneCountMax: number;
  #value = 0;
  #wrongBits = 0;

  /** Made once: a call allocates nothing. */
  readonly #work: CallWork = {
    fill: ({ uint32, laneCount, laneStride }) => {
      const value = this.#value;
      const end = Math.min(laneCount, this.#laneCountMax) * laneStride;
      for (let word = 0; word < end; word += laneStride) uint32[word] = value;
    },
    use: ({ uint32, laneCount, laneStride }) => {
      const end = Math.min(laneCount, this.#laneCountMax) * laneStride;
      const expected = this.#value + 1;
      let wrongBits = 0;
      for (let word = 0; word < end; word += laneStride) {
        wrongBits |= uint32[word]! ^ expected;
      }
      this.#wrongBits |= wrongBits;
    },
  };

  /** @param options `laneCount`: the first lanes, which take part; all when absent */
  constructor(client: CallMaker, options: { readonly laneCount?: number } = {}) {
    this.#client = client;
    this.#laneCountMax = options.laneCount ?? LANE_COUNT_MAX;
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
