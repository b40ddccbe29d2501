import type { ApiServer, HostApi, ServedApi } from "../signature/mod.ts";
import type { FunctionSignature, Scalar, Void } from "../signature/declaration_types.ts";
import * as s from "../signature/mod.ts";
import { checkOptionNames } from "../text/nearest.ts";
import { alignUp } from "../memory/regions.ts";

/** The functions of {@linkcode memoryApi}. */
export type MemoryFunctions = {
  readonly malloc: FunctionSignature<readonly [Scalar<"u32">], Scalar<"u32">>;
  readonly free: FunctionSignature<readonly [Scalar<"u32">], Void>;
};

/**
 * C's memory. An address is an offset into a heap that caller and host share: the heap of a kernel, or
 * a `SharedArrayBuffer` of workers. So a kernel computes with it as C does, and nothing crosses when
 * memory is used; a handle would need a call for each access, and a pointer of the host's could be
 * used against it.
 *
 * `malloc` answers 0 where no room is. `free` refuses what is not given out: a second time, too.
 */
export const memoryApi: HostApi<MemoryFunctions> = s.hostApi("memory", {
  malloc: s.fn([s.u32], s.u32),
  free: s.fn([s.u32], s.nothing),
});

/**
 * Serves memory.
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../mod.ts";
 * import { ApiServer } from "../signature/mod.ts";
 * import { HeapAllocator } from "./memory_api.ts";
 * import { serveMemory } from "./memory_api.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * serveMemory(new ApiServer(server), new HeapAllocator({ sizeBytes: 1 << 20 }));
 * ```
 */
export function serveMemory(server: ApiServer, heap: HeapAllocator): ServedApi {
  return server.serve(memoryApi, {
    malloc: (sizeBytes) => heap.malloc(sizeBytes),
    free: (address) => heap.free(address),
  });
}

/** What C promises: any type may lie at an address that `malloc` gives. */
const ALIGN_BYTES = 16;

/** Where memory is given out. */
export interface HeapOptions {
  /** Of the whole heap. */
  readonly sizeBytes: number;
  /** Below it nothing is given out, rounded up to a multiple of 16; 16 when absent, as 0 is null. */
  readonly startByte?: number;
}

interface FreeBlock {
  startByte: number;
  sizeBytes: number;
}

/**
 * C's `malloc` and `free`, for a heap that others hold: it gives out offsets and touches no memory.
 * Nothing of its books lies in the heap, so that nobody can break them by writing over an end.
 *
 * @example
 * ```ts
 * import { HeapAllocator } from "./memory_api.ts";
 * const memory = new SharedArrayBuffer(1 << 16); // sent to workers, too
 * const heap = new HeapAllocator({ sizeBytes: memory.byteLength });
 * const doubles = new Float64Array(memory, heap.malloc(8 * 100), 100);
 * heap.free(doubles.byteOffset);
 * ```
 */
export class HeapAllocator {
  readonly #options: HeapOptions;
  /** In ascending order, none next to another. */
  readonly #free: FreeBlock[] = [];
  readonly #sizes = new Map<number, number>();
  #usedBytes = 0;

  /**
   * Begins with all of it free.
   *
   * @throws {RangeError} when a number is no size that fits 32 bits
   */
  constructor(options: HeapOptions) {
    checkOptionNames("give out memory", options, ["sizeBytes", "startByte"]);
    const { sizeBytes, startByte = ALIGN_BYTES } = options;
    checkSize("sizeBytes", sizeBytes);
    checkSize("startByte", startByte);
    this.#options = options;
    const first = Math.max(ALIGN_BYTES, alignUp(startByte, ALIGN_BYTES));
    if (first < sizeBytes) this.#free.push({ startByte: first, sizeBytes: sizeBytes - first });
  }

  /** Bytes that are given out, with what fills them up to multiples of 16. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** How many addresses are given out. */
  get blockCount(): number {
    return this.#sizes.size;
  }

  /**
   * Gives out memory; what is in it is left as it is.
   *
   * @returns an address that is a multiple of 16, of its own even for no bytes; 0 where no room is
   * @throws {RangeError} when the size is none
   */
  malloc(sizeBytes: number): number {
    checkSize("the size", sizeBytes);
    const takenBytes = alignUp(Math.max(1, sizeBytes), ALIGN_BYTES);
    const index = this.#free.findIndex((block) => block.sizeBytes >= takenBytes);
    const block = this.#free[index];
    if (!block) return 0;
    const { startByte } = block;
    block.startByte += takenBytes;
    block.sizeBytes -= takenBytes;
    if (block.sizeBytes === 0) this.#free.splice(index, 1);
    this.#sizes.set(startByte, takenBytes);
    this.#usedBytes += takenBytes;
    return startByte;
  }

  /**
   * Takes memory back; nothing for address 0, as in C.
   *
   * @throws {RangeError} when the address is not one that was given out, or was freed already
   */
  free(address: number): void {
    if (address === 0) return;
    const sizeBytes = this.#sizes.get(address);
    if (sizeBytes === undefined) {
      throw new RangeError(
        `Cannot free the memory as its address was not given by malloc, or is free already: current value is ${address} in a heap of ${this.#options.sizeBytes} bytes`,
      );
    }
    this.#sizes.delete(address);
    this.#usedBytes -= sizeBytes;
    this.#giveBack({ startByte: address, sizeBytes });
  }

  #giveBack(block: FreeBlock): void {
    const free = this.#free;
    let next = free.findIndex(({ startByte }) => startByte > block.startByte);
    if (next < 0) next = free.length;
    const before = free[next - 1];
    const behind = free[next];
    if (behind && endOf(block) === behind.startByte) {
      block.sizeBytes += behind.sizeBytes;
      free.splice(next, 1);
    }
    if (before && endOf(before) === block.startByte) before.sizeBytes += block.sizeBytes;
    else free.splice(next, 0, block);
  }
}

function endOf({ startByte, sizeBytes }: FreeBlock): number {
  return startByte + sizeBytes;
}

function checkSize(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= 0xffffffff) return;
  throw new RangeError(
    `Cannot give out memory as ${name} must be an integer from 0 to 4294967295: current value is ${value}`,
  );
}
