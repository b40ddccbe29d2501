import {
  Channel,
  type ChannelHandle,
  type ChannelShape,
  Client,
  type LaneMask,
  type Packet,
  Server,
} from "../../core/mod.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";
import { INCREMENT_OPCODE, IncrementCaller, incrementLanes } from "./increment.ts";
import { servingWork } from "./increment_server.ts";
import { type Caller } from "./prepare_calls.ts";

/** Numbers stay below 2^30, where V8 keeps them out of the heap. */
const VALUE_MAX = 0x3fffffff;

/** The call of {@linkcode IncrementCaller} by the lanes of a mask, visited one after another. */
export class MaskedCaller implements Caller {
  readonly #client: Pick<Client, "call">;
  readonly #options: { readonly mask: LaneMask };
  #value = 0;
  #wrongBits = 0;

  /** Made once: a call allocates nothing. */
  readonly #work = {
    fill: (packet: Packet): void => {
      const { uint32, laneCount, laneStride } = packet;
      for (let lane = packet.firstLane; lane < laneCount; lane = packet.nextLane(lane)) {
        uint32[lane * laneStride] = this.#value;
      }
    },
    use: (packet: Packet): void => {
      const { uint32, laneCount, laneStride } = packet;
      for (let lane = packet.firstLane; lane < laneCount; lane = packet.nextLane(lane)) {
        this.#wrongBits |= uint32[lane * laneStride]! ^ (this.#value + 1);
      }
    },
  };

  constructor(client: Pick<Client, "call">, mask: LaneMask) {
    this.#client = client;
    this.#options = { mask };
  }

  /** @throws {Error} when a lane came back with another number */
  call(callCount: number): void {
    for (let call = 0; call < callCount; call++) {
      this.#client.call(INCREMENT_OPCODE, this.#work, this.#options);
      this.#value = (this.#value + 1) & VALUE_MAX;
    }
    if (this.#wrongBits === 0) return;
    throw new Error("Cannot trust the calls as a lane did not come back one larger");
  }
}

/** The server's work: all words in a row for a full wave, else lane by lane. */
export function incrementTaking(packet: Packet): void {
  if (packet.isFull) return incrementLanes(packet);
  const { uint32, laneCount, laneStride } = packet;
  for (let lane = packet.firstLane; lane < laneCount; lane = packet.nextLane(lane)) {
    uint32[lane * laneStride]! += 1;
  }
}

/**
 * Prepares the calls of one client to the partner, both sides spinning.
 *
 * @param mask the lanes that take part; all when absent, in a loop over the words
 */
export async function prepareMaskedCalls(
  shape: ChannelShape,
  partner: Partner,
  mask: LaneMask | undefined,
): Promise<Trial> {
  const channel = Channel.create(shape);
  const { wake, rest } = await partner.assign({
    moduleUrl: import.meta.url,
    init: channel.handle,
    signalRest: () => channel.raiseAttention(),
  });
  const client = new Client(channel, { waiter: "spin" });
  const caller: Caller = mask ? new MaskedCaller(client, mask) : new IncrementCaller(client);
  return {
    run: (callCount) => caller.call(callCount),
    wake,
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(channel.shutDown()),
  };
}

/** Runs in the partner's isolate. */
export function prepareWork(handle: ChannelHandle): Work {
  const channel = Channel.attach(handle);
  const server = new Server(channel, { waiter: "spin" });
  server.operate(INCREMENT_OPCODE, incrementTaking);
  return servingWork(channel, server);
}
