import {
  type ApiServer,
  fn,
  type FunctionSignature,
  type HostApi,
  hostApi,
  nothing,
  type Scalar,
  type ServedApi,
  u32,
  type Void,
} from "../../signature/mod.ts";
import type { HeapAllocator } from "./heap_allocator.ts";

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
export const memoryApi: HostApi<MemoryFunctions> = hostApi("memory", {
  malloc: fn([u32], u32),
  free: fn([u32], nothing),
});

/**
 * Serves memory.
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../mod.ts";
 * import { ApiServer } from "../../signature/mod.ts";
 * import { HeapAllocator } from "./heap_allocator.ts";
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
