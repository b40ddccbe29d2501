import type { Client } from "../../core/mod.ts";
import { INCREMENT_OPCODE } from "./increment.ts";

/** Calls of which several are under way as promises. On channels of one lane. */
export class PromisingCaller {
  readonly #client: Client;
  readonly #depth: number;

  /** @param depth calls under way at most; the channel needs as many ports */
  constructor(client: Client, depth: number) {
    this.#client = client;
    this.#depth = depth;
  }

  /** @throws {Error} when a call came back with another number */
  async call(callCount: number): Promise<void> {
    let begun = 0;
    const chain = async () => {
      while (begun < callCount) await this.#callOnce(begun++);
    };
    await Promise.all(Array.from({ length: this.#depth }, chain));
  }

  async #callOnce(value: number): Promise<void> {
    let answer = NaN;
    await this.#client.callAsync(INCREMENT_OPCODE, {
      fill: ({ uint32 }) => void (uint32[0] = value),
      use: ({ uint32 }) => void (answer = uint32[0]!),
    });
    if (answer === value + 1) return;
    throw new Error("Cannot trust the calls as a number did not come back one larger");
  }
}
