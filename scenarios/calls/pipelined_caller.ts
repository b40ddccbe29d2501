import type { Client, ClientPort, Packet } from "../../core/mod.ts";
import { INCREMENT_OPCODE } from "./increment.ts";

/** Numbers stay below 2^30, where V8 keeps them out of the heap. */
const VALUE_MAX = 0x3fffffff;

/**
 * Calls of which several are under way: each is sent on a port of its own, and the oldest one is
 * received before its port is opened for the next. On channels of one lane.
 */
export class PipelinedCaller {
  readonly #client: Client;
  readonly #depth: number;
  readonly #ports: ClientPort[] = [];
  #sentValue = 0;
  #receivedValue = 0;
  #wrongBits = 0;

  readonly #fill = ({ uint32 }: Packet): void => {
    uint32[0] = this.#sentValue;
    this.#sentValue = (this.#sentValue + 1) & VALUE_MAX;
  };
  readonly #use = ({ uint32 }: Packet): void => {
    this.#wrongBits |= uint32[0]! ^ (this.#receivedValue + 1);
    this.#receivedValue = (this.#receivedValue + 1) & VALUE_MAX;
  };

  /** @param depth calls under way at most; the channel needs as many ports */
  constructor(client: Client, depth: number) {
    this.#client = client;
    this.#depth = depth;
  }

  /** @throws {Error} when a call came back with another number */
  call(callCount: number): void {
    for (let call = 0; call < callCount; call++) {
      if (call >= this.#depth) this.#receive(call % this.#depth);
      this.#send(call % this.#depth);
    }
    for (let call = Math.max(0, callCount - this.#depth); call < callCount; call++) {
      this.#receive(call % this.#depth);
    }
    if (this.#wrongBits === 0) return;
    throw new Error("Cannot trust the calls as a number did not come back one larger");
  }

  #send(place: number): void {
    const port = this.#ports[place];
    const opened = port
      ? this.#client.reopen(port, INCREMENT_OPCODE)
      : this.#client.open(INCREMENT_OPCODE);
    this.#ports[place] = opened.send(this.#fill);
  }

  #receive(place: number): void {
    (this.#ports[place] as ClientPort<"theirs">).recv(this.#use).close();
  }
}
