import { type ChannelShape, Client, type LaneMask, type Packet } from "../../core/mod.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";
import { INCREMENT_OPCODE, IncrementCaller, incrementLanes, VALUE_MAX } from "./increment.ts";
import { type Caller, prepareServed, type ServerInit, servingWith } from "./increment_server.ts";

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
      // Nobody reads the lanes that do not take part, so that the whole column may be written.
      if (laneStride === 1) return void packet.column(0).fill(this.#value);
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
  if (packet.laneStride === 1) return void packet.column(0).add(1);
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
export function prepareMaskedCalls(
  shape: ChannelShape,
  partner: Partner,
  mask: LaneMask | undefined,
): Promise<Trial> {
  return prepareServed(shape, partner, {
    moduleUrl: import.meta.url,
    callerOf(channel) {
      const client = new Client(channel, { waiter: "spin" });
      return mask ? new MaskedCaller(client, mask) : new IncrementCaller(client);
    },
  });
}

/** Runs in the partner's isolate. */
export function prepareWork(init: ServerInit): Work {
  return servingWith(init, (server) => server.operate(INCREMENT_OPCODE, incrementTaking));
}
