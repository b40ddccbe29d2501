import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { VulkanError } from "../vulkan/vulkan.ts";
import type { LiveDevice } from "./live_device.ts";
import { LiveRun } from "./live_run.ts";
import { onLiveDevice, PING_PONG, Place, shaderOf } from "./on_live_device_test.ts";

const CODE = shaderOf(PING_PONG);

/** A wave that spins until it is told to leave, and the words that it looks at. */
function spin(device: LiveDevice, leaveSeconds: number) {
  const buffer = device.createBuffer(4096, "host");
  const words = new Int32Array(buffer.words!).fill(0);
  words[Place.turns] = 1;
  const pipeline = device.createPipeline({ code: CODE, groups: [[buffer]] });
  let told = 0;
  const stop = () => void told++;
  const run = pipeline.dispatch({ groupCount: [1], stop, leaveSeconds });
  return { words, pipeline, run, toldCount: () => told };
}

onLiveDevice(
  "a run that goes on lets this thread wait for a while, or do other things",
  async (device) => {
    const { words, run } = spin(device, 5);
    assertEquals([run.isDone, run.wait(0), run.wait(0.01)], [false, false, false]);
    for (const seconds of [-1, NaN]) {
      assertThrows(() => run.wait(seconds), RangeError, `0 or more: current value is ${seconds}`);
      assertThrows(() => spin(device, seconds), RangeError, `leaveSeconds must be 0 or more`);
    }
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    assertEquals(await assertRejects(() => run.finished({ signal })), reason);
    const finished = run.finished();
    words[Place.pong] = 1;
    await finished;
    assertEquals([run.isDone, run.wait(0), words[Place.done]], [true, true, 1]);
    run[Symbol.dispose]();
  },
);

onLiveDevice(
  "a run that is disposed of is told to leave, once it has not ended by itself",
  (device) => {
    const { words, run, toldCount } = spin(device, 0.01);
    const error = assertThrows(
      () => run[Symbol.dispose](),
      DOMException,
      "0.01 s after they were told",
    );
    assertEquals([error.name, toldCount(), run.isDone], ["TimeoutError", 1, false]);
    words[Place.stop] = 1;
    run.wait(60);
    run[Symbol.dispose]();
    run[Symbol.dispose]();
    assertEquals(run.isDone, true);
  },
);

onLiveDevice(
  "a device keeps what a run needs that does not leave, and ends after it has",
  (device) => {
    const { words, pipeline, run } = spin(device, 0.01);
    for (const owner of [pipeline, device]) {
      assertThrows(() => owner[Symbol.dispose](), DOMException, "Cannot end a kernel");
    }
    assertEquals([run.isDone, words.length], [false, 1024]);
    words[Place.stop] = 1;
    run.wait(60);
    device[Symbol.dispose]();
    assertEquals([run.isDone, words.length], [true, 0]);
  },
);

Deno.test("of a device that is lost a run says so, and is over", () => {
  for (const isDisposed of [false, true]) {
    let freed = 0;
    using stack = new DisposableStack();
    stack.defer(() => void freed++);
    const vulkan = {
      symbols: { vkGetFenceStatus: () => -4 },
      check(name: string, result: number) {
        if (result !== 0) throw new VulkanError(name, result);
      },
    } as unknown as ConstructorParameters<typeof LiveRun>[0]["vulkan"];
    const parts = { vulkan, device: 1n, stack, fence: 2n, stop: () => {}, leaveSeconds: 1 };
    const run = new LiveRun(parts);
    if (isDisposed) run[Symbol.dispose]();
    else assertThrows(() => run.isDone, VulkanError, "a kernel failed: VK_ERROR_DEVICE_LOST");
    assertEquals([freed, run.isDone], [1, true]);
  }
});
