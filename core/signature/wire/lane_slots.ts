import type { Packet } from "../../memory/packet.ts";
import type { Slots } from "./slot.ts";

/** The slots of one lane of a packet; pointed at one lane after another. */
export class LaneSlots implements Slots {
  #packet!: Packet;
  #lane = 0;

  /** Takes another lane. */
  aim(packet: Packet, lane: number): void {
    this.#packet = packet;
    this.#lane = lane;
  }

  getUint32(word: number): number {
    return this.#packet.getUint32(this.#lane, word);
  }

  setUint32(word: number, value: number): void {
    this.#packet.setUint32(this.#lane, word, value);
  }

  getFloat64(double: number): number {
    return this.#packet.getFloat64(this.#lane, double);
  }

  setFloat64(double: number, value: number): void {
    this.#packet.setFloat64(this.#lane, double, value);
  }

  getBigUint64(double: number): bigint {
    return this.#packet.getBigUint64(this.#lane, double);
  }

  setBigUint64(double: number, value: bigint): void {
    this.#packet.setBigUint64(this.#lane, double, value);
  }
}
