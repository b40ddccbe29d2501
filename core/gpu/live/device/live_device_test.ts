import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { SharedWords } from "../../../memory/words.ts";
import { requestLiveDevice } from "./live_device.ts";
import {
  liveObstacle,
  onLiveDevice,
  PING_PONG,
  Place,
  shaderOf,
  sharedPages,
} from "./on_live_device_test.ts";

const CODE = shaderOf(PING_PONG);

onLiveDevice("a running kernel and this program play ping-pong on one memory", async (device) => {
  const shared = sharedPages();
  const words = new SharedWords(shared);
  words.store(Place.turns, 1e9);
  const pipeline = device.createPipeline({ code: CODE, groups: [[device.importBuffer(shared)]] });
  const run = pipeline.dispatch({ groupCount: [1], stop: () => words.store(Place.stop, 1) });
  for (let turn = 1; turn <= 10_000; turn++) {
    for (let looks = 0; words.load(Place.ping) !== turn; looks++) assert(looks < 1e9);
    words.store(Place.pong, turn);
  }
  assertEquals([run.isDone, words.load(Place.done)], [false, 0]);
  run.stop();
  await run.finished();
  assertEquals([run.isDone, words.load(Place.done)], [true, 1]);
});

onLiveDevice("waves of two devices meet on one memory", (device) => {
  using other = requestLiveDevice();
  const shared = sharedPages();
  const words = new SharedWords(shared);
  words.store(Place.turns, 1000);
  // The second answers the first: each is the other's host.
  const answer = shaderOf(`
    @compute @workgroup_size(1) fn main() {
      for (var turn = 1u; turn <= 1000u; turn++) {
        while atomicLoad(&words[${Place.ping}]) != turn && atomicLoad(&words[${Place.stop}]) == 0u {}
        atomicStore(&words[${Place.pong}], turn);
      }
      atomicAdd(&words[${Place.done}], 1u);
    }`);
  const runs = [[device, CODE], [other, answer]].map(([owner, code]) => {
    const [on, text] = [owner as typeof device, code as Uint32Array];
    const pipeline = on.createPipeline({ code: text, groups: [[on.importBuffer(shared)]] });
    return pipeline.dispatch({ groupCount: [1], stop: () => words.store(Place.stop, 1) });
  });
  for (const run of runs) assert(run.wait(20), `${words.load(Place.ping)} of 1000`);
  assertEquals([Place.ping, Place.pong, Place.done].map((one) => words.load(one)), [1000, 1000, 2]);
});

onLiveDevice("a buffer of another device is refused", (device) => {
  using other = requestLiveDevice();
  const foreign = other.importBuffer(sharedPages());
  const error = assertThrows(() => device.createPipeline({ code: CODE, groups: [[foreign]] }));
  assertEquals([(error as Error).name, /another device's/.test((error as Error).message)], [
    "TypeError",
    true,
  ]);
});

/** What this process has of what a device takes; compiled kernels apart, whose files SwiftShader keeps. */
function held() {
  const files = [...Deno.readDirSync("/proc/self/fd")].map(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`);
    } catch {
      return ""; // the folder's own, which is closed by now
    }
  });
  const maps = Deno.readTextFileSync("/proc/self/maps").split("\n");
  return {
    fileCount: files.filter((one) => one !== "" && !one.includes("swiftshader_jit")).length,
    threadCount: [...Deno.readDirSync("/proc/self/task")].length,
    viewCount: maps.filter((line) => line.includes("/memfd:portlab")).length,
  };
}

/** Threads of the runtime's own come and go: some fewer are no wonder, and some more are far below a hundred. */
function assertHeldNoMore(before: ReturnType<typeof held>): void {
  const { threadCount, ...rest } = held();
  assert(threadCount < before.threadCount + 20, `${threadCount} threads`);
  // What tests of other files had may be collected meanwhile.
  assert(rest.fileCount <= before.fileCount, `${rest.fileCount} files`);
  assert(rest.viewCount <= before.viewCount, `${rest.viewCount} views`);
}

Deno.test({
  name: "devices, buffers and kernels that are disposed of leave nothing",
  ignore: liveObstacle !== undefined || Deno.build.os !== "linux",
  fn() {
    const shared = sharedPages();
    const words = new Int32Array(shared);
    const useOnce = () => {
      using device = requestLiveDevice();
      const pipeline = device.createPipeline({
        code: CODE,
        groups: [[device.importBuffer(shared)]],
      });
      device.createBuffer(65_536, "host");
      assert(pipeline.dispatch({ groupCount: [1] }).wait(5));
    };
    useOnce();
    const before = held();
    for (let count = 1; count < 100; count++) useOnce();
    assertHeldNoMore(before);
    assertEquals(words[Place.done], 100);
    using device = requestLiveDevice();
    const ofDevice = held();
    for (let count = 0; count < 100; count++) device.importBuffer(shared)[Symbol.dispose]();
    assertHeldNoMore(ofDevice);
  },
});

onLiveDevice("a device that is gone makes nothing, and is disposed of once", (device) => {
  for (let count = 0; count < 2; count++) device[Symbol.dispose]();
  for (
    const make of [
      () => device.importBuffer(sharedPages()),
      () => device.createBuffer(64, "host"),
      () => device.createPipeline({ code: CODE, groups: [] }),
    ]
  ) {
    assertThrows(make, TypeError, "Cannot use a device as it was disposed of");
  }
});

/** How a program ended, and what it said. */
async function runProgram(mode: string, env: Readonly<Record<string, string>> = {}) {
  const program = new URL("./testdata/live_program.ts", import.meta.url).href;
  const preload = "--preload=bench/adapters/software_gpu.ts";
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--no-check", "--quiet", "--no-prompt", "--v8-flags=--expose-gc"],
      ...["--lock=.ci/deno.lock", preload, program, mode],
    ],
    env: { ...env, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    said += value;
    if (mode === "kill" && said.includes("spins")) child.kill("SIGKILL");
  }
  const { code, signal } = await child.status;
  const complained = await new Response(child.stderr).text();
  return { code, signal, said, complained };
}

for (
  const [mode, code, complaint] of [
    ["throw", 1, "Error: uncaught beside a wave"],
    ["reject", 1, "Error: rejected beside a wave"],
    ["exit", 3, ""],
    ["end", 0, ""],
    ["forget", 0, ""],
    ["worker", 0, "Error: uncaught beside a wave"],
    ["revoke", 0, ""],
    ["kill", 137, ""],
  ] as const
) {
  Deno.test({
    name: `a program ends as it would, though waves still spin: ${mode}`,
    ignore: liveObstacle !== undefined,
    async fn() {
      const end = await runProgram(mode);
      const text = JSON.stringify(end);
      assertStringIncludes(end.said, "a wave spins", text);
      assertEquals([end.code, end.signal], [code, mode === "kill" ? "SIGKILL" : null], text);
      if (complaint === "") assertEquals(end.complained, "");
      else assertStringIncludes(end.complained, complaint);
    },
  });
}

const LAYER_FILE = "/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json";

function layerObstacle(): string | undefined {
  try {
    Deno.statSync(LAYER_FILE);
    return liveObstacle;
  } catch {
    return "it needs the Debian package vulkan-validationlayers";
  }
}

const obstacle = layerObstacle();

Deno.test({
  name: `Vulkan's own checks have nothing to say${obstacle ? ` (${obstacle})` : ""}`,
  ignore: obstacle !== undefined,
  async fn() {
    const layers = { VK_INSTANCE_LAYERS: "VK_LAYER_KHRONOS_validation" };
    const { code, said, complained } = await runProgram("validate", layers);
    assertEquals([code, complained], [0, ""], said);
    assertEquals(said, "a wave spins\nvalidation layer: true\n");
  },
});
