import { assertEquals } from "@std/assert";
import { translate } from "naga-wasm";
import { SharedWords } from "../../../memory/words.ts";
import { requestLiveDevice } from "./live_device.ts";

/** Where host and wave tell each other a number, words apart that share no line. */
const PLACES = { stop: 0, ping: 64, pong: 96, done: 128 } as const;

const PING_PONG = `
  @group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
  @compute @workgroup_size(1) fn main() {
    for (var turn = 1u; atomicLoad(&words[${PLACES.stop}]) == 0u; turn++) {
      atomicStore(&words[${PLACES.ping}], turn);
      while atomicLoad(&words[${PLACES.pong}]) != turn && atomicLoad(&words[${PLACES.stop}]) == 0u {}
    }
    atomicStore(&words[${PLACES.done}], 1u);
  }`;

Deno.test("a running kernel and this program play ping-pong on one memory", async () => {
  using device = requestLiveDevice();
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const shared = memory.buffer as unknown as SharedArrayBuffer;
  const words = new SharedWords(shared);
  const code = translate({ from: "wgsl", to: "spirv", source: PING_PONG }) as Uint32Array;
  const pipeline = device.createPipeline({ code, groups: [[device.importBuffer(shared)]] });
  const run = pipeline.dispatch({ groupCount: [1], stop: () => words.store(PLACES.stop, 1) });
  for (let turn = 1; turn <= 10_000; turn++) {
    while (words.load(PLACES.ping) !== turn);
    words.store(PLACES.pong, turn);
  }
  assertEquals([run.isDone, words.load(PLACES.done)], [false, 0]);
  run.stop();
  await run.finished();
  assertEquals([run.isDone, words.load(PLACES.done)], [true, 1]);
});
