import {
  type CallWork,
  type Client,
  type ClientPort,
  type Packet,
  type Server,
  USER_OPCODE_FIRST,
} from "../../core/mod.ts";
import { LANE_COUNT_MAX } from "../../core/internal.ts";

/** The call that scenarios make: one word of each lane that takes part comes back one larger. */
export const INCREMENT_OPCODE = USER_OPCODE_FIRST;
/** From so many lanes on, a column is dealt with at once. */
const COLUMN_LANES = 8;
/** Numbers stay below 2^30, where V8 keeps them out of the heap. */
export const VALUE_MAX = 0x3fffffff;

/** Lets a server answer the call: for `startServer`, too, as that of a server in a Worker of its own. */
export function addServices(server: Server): void {
  server.operate(INCREMENT_OPCODE, (packet) => incrementLanes(packet));
}

/**
 * The server's work on the packet of a call. Here and below the first `laneCount` lanes take part,
 * all when absent, so the code goes through the words of the packet without asking for the lane mask,
 * as a native server could.
 */
export function incrementLanes(packet: Packet, laneCountMax = LANE_COUNT_MAX): void {
  if (isColumn(packet, laneCountMax)) return void packet.column(0).add(1);
  const { uint32, laneStride } = packet;
  const end = Math.min(packet.laneCount, laneCountMax) * laneStride;
  for (let word = 0; word < end; word += laneStride) uint32[word]! += 1;
}

/** Whether all lanes take part, side by side, and so many that they are worth more than a loop. */
function isColumn({ laneCount, laneStride }: Packet, laneCountMax: number): boolean {
  return laneStride === 1 && laneCount >= COLUMN_LANES && laneCount <= laneCountMax;
}

/** What makes one call: a client, or an object that opens and closes a port for each call. */
export interface CallMaker {
  /** As `Client.call`. */
  call(opcode: number, work: CallWork): void;
}

/** Makes the call again and again, and checks what comes back in every lane. */
export class IncrementCaller {
  readonly #client: CallMaker;
  readonly #laneCountMax: number;
  #value = 0;
  #wrongBits = 0;

  /** Made once: a call allocates nothing. */
  readonly #work: CallWork = {
    fill: (packet) => {
      const { uint32, laneCount, laneStride } = packet;
      const value = this.#value;
      if (isColumn(packet, this.#laneCountMax)) return void packet.column(0).fill(value);
      const end = Math.min(laneCount, this.#laneCountMax) * laneStride;
      for (let word = 0; word < end; word += laneStride) uint32[word] = value;
    },
    use: (packet) => {
      const { uint32, laneCount, laneStride } = packet;
      const end = Math.min(laneCount, this.#laneCountMax) * laneStride;
      const expected = this.#value + 1;
      if (isColumn(packet, this.#laneCountMax)) {
        if (!packet.column(0).equals(expected)) this.#wrongBits |= 1;
        return;
      }
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

/** Calls that are made so many at once, each of a number of its own. On channels of one lane. */
export class BatchCaller {
  readonly #client: Client;
  readonly #works: readonly CallWork[];
  #value = 0;
  #wrongBits = 0;

  /** @param depth calls under way at most; the channel needs as many ports */
  constructor(client: Client, depth: number) {
    this.#client = client;
    this.#works = Array.from({ length: depth }, (_, place) => ({
      fill: ({ uint32 }) => void (uint32[0] = this.#value + place),
      use: ({ uint32 }) => void (this.#wrongBits |= uint32[0]! ^ (this.#value + place + 1)),
    }));
  }

  /** @throws {Error} when a call came back with another number */
  call(callCount: number): void {
    const depth = this.#works.length;
    for (let left = callCount; left > 0; left -= depth) {
      const works = left < depth ? this.#works.slice(0, left) : this.#works;
      this.#client.callMany(INCREMENT_OPCODE, works);
      this.#value = (this.#value + depth) & (VALUE_MAX >> 1);
    }
    if (this.#wrongBits === 0) return;
    throw new Error("Cannot trust the calls as a number did not come back one larger");
  }
}

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
