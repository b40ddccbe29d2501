/** What tests of live devices share: a device, memory and kernels; they are skipped where there is none. */
import { translate } from "naga-wasm";
import { type LiveDevice, requestLiveDevice } from "./live_device.ts";

function obstacleHere(): string | undefined {
  try {
    using device = requestLiveDevice();
    const { name, importAlignmentBytes } = device.info;
    if (importAlignmentBytes === undefined) return `${name} does not import memory`;
    return name.startsWith("llvmpipe") ? `${name} leaves long loops` : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Why no test here can have a device; undefined where one can. */
export const liveObstacle: string | undefined = obstacleHere();

/** Registers a test with a device of its own; ignored where there is none. */
export function onLiveDevice(
  name: string,
  run: (device: LiveDevice) => void | Promise<void>,
): void {
  Deno.test({
    name: liveObstacle === undefined ? name : `${name} (${liveObstacle})`,
    ignore: liveObstacle !== undefined,
    async fn() {
      using device = requestLiveDevice();
      await run(device);
    },
  });
}

/** Memory that can be imported: pages of 64 KiB. */
export function sharedPages(pageCount = 1): SharedArrayBuffer {
  const memory = { initial: pageCount, maximum: pageCount, shared: true };
  return new WebAssembly.Memory(memory).buffer as unknown as SharedArrayBuffer;
}

/** SPIR-V of a shader in WGSL, whose group 0 has `words` at binding 0. */
export function shaderOf(source: string): Uint32Array {
  const declared = "@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;\n";
  return translate({ from: "wgsl", to: "spirv", source: declared + source }) as Uint32Array;
}

/** Words that host and waves use, apart from each other: one writes while the other polls. */
export const Place = { stop: 0, ping: 64, pong: 96, done: 128, turns: 160 } as const;

/**
 * A wave that counts up in `ping` and waits each time until `pong` has followed: for as many turns as
 * `turns` says, or until `stop` is not 0. At its end it adds 1 to `done`.
 */
export const PING_PONG = `
  @compute @workgroup_size(1) fn main() {
    let turns = atomicLoad(&words[${Place.turns}]);
    for (var turn = 1u; turn <= turns && atomicLoad(&words[${Place.stop}]) == 0u; turn++) {
      atomicStore(&words[${Place.ping}], turn);
      while atomicLoad(&words[${Place.pong}]) != turn && atomicLoad(&words[${Place.stop}]) == 0u {}
    }
    atomicAdd(&words[${Place.done}], 1u);
  }`;
