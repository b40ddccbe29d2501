// A program that ends, in one of several ways, while a wave of its own still spins.
import { requestLiveDevice } from "../live_device.ts";
import { PING_PONG, Place, shaderOf, sharedPages } from "../on_live_device_test.ts";

/** How to end: as the command line says, or of a thread its name. */
const mode = self.name || Deno.args[0];

function spin(shared: SharedArrayBuffer) {
  const words = new Int32Array(shared);
  words[Place.turns] = 1;
  const device = requestLiveDevice();
  const groups = [[device.importBuffer(shared)]];
  const pipeline = device.createPipeline({ code: shaderOf(PING_PONG), groups });
  const run = pipeline.dispatch({
    groupCount: [1],
    stop: () => Atomics.store(words, Place.stop, 1),
  });
  while (Atomics.load(words, Place.ping) === 0);
  console.log("a wave spins");
  return { device, pipeline, run };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Collects what nobody holds: a wave still looks at it. */
async function forget(): Promise<void> {
  const memory = new WeakRef(((shared) => (spin(shared), shared))(sharedPages()));
  for (let count = 0; count < 20 && memory.deref(); count++) {
    await pause(10);
    (globalThis as unknown as { gc(): void }).gc();
  }
  if (memory.deref()) throw new Error("the memory is still held");
  await pause(50);
}

/** A thread whose wave spins is terminated, and its memory with it. */
async function endThread(): Promise<void> {
  const thread = new Worker(import.meta.url, { type: "module", name: "throw" });
  await new Promise((resolve) => {
    thread.onerror = (event) => {
      event.preventDefault();
      resolve(event);
    };
  });
  thread.terminate();
  await pause(50);
}

/** The permission is needed to begin with, and not to go on. */
function goOnWithoutPermission(): void {
  const { pipeline, run } = spin(sharedPages());
  run[Symbol.dispose]();
  Deno.permissions.revokeSync({ name: "ffi" });
  pipeline.dispatch({ groupCount: [1] }).wait(5);
  pipeline[Symbol.dispose]();
}

/** Everything that a device does, and whether a layer of Vulkan's that checks it is there. */
async function useAll(): Promise<void> {
  const shared = sharedPages(2);
  const { device, pipeline, run } = spin(shared);
  const maps = Deno.readTextFileSync("/proc/self/maps");
  console.log(`validation layer: ${maps.includes("VkLayer_khronos_validation")}`);
  const [host, own] = [device.createBuffer(64, "host"), device.createBuffer(64, "device")];
  const code = shaderOf(`
    @group(1) @binding(0) var<storage, read_write> host: array<u32>;
    @group(1) @binding(1) var<storage, read_write> own: array<u32>;
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
      own[lane] = lane;
      host[lane] = own[lane] + atomicAdd(&words[0], 1u);
    }`);
  const both = device.createPipeline({
    code,
    groups: [[device.importBuffer(shared)], [host, own]],
  });
  run.stop();
  await run.finished();
  both.dispatch({ groupCount: [2] }).wait(5);
  both[Symbol.dispose]();
  using _again = pipeline.dispatch({ groupCount: [1] });
  device[Symbol.dispose]();
}

switch (mode) {
  case "validate":
    await useAll();
    break;
  case "throw":
    spin(sharedPages());
    throw new Error("uncaught beside a wave");
  case "reject":
    spin(sharedPages());
    Promise.reject(new Error("rejected beside a wave"));
    break;
  case "exit":
    spin(sharedPages());
    Deno.exit(3);
    break;
  case "end":
    spin(sharedPages());
    break;
  case "forget":
    await forget();
    break;
  case "worker":
    await endThread();
    break;
  case "revoke":
    goOnWithoutPermission();
    break;
  case "kill":
    spin(sharedPages());
    await pause(60_000);
    break;
}
